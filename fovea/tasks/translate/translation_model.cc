#include "fovea/tasks/translate/translation_model.h"

#include "fovea/tasks/model_folder.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/task.h"

namespace fovea {
namespace {

/// That sources have beside those of their tokenizer.
Dim further_ids(const TranslateRecipe& recipe, Dim target_vocabulary) {
  return recipe.data.neighbours ? NeighbourReader::further_ids(target_vocabulary) : 0;
}

TranslateRecipe sized(TranslateRecipe recipe, const Tokenizer& source, const Tokenizer& target) {
  Vocabularies& sizes = vocabularies_of(recipe.model.config);
  sizes.source_vocabulary = source.size() + further_ids(recipe, target.size());
  sizes.target_vocabulary = target.size();
  recipe.data.longest =
      std::min(recipe.data.longest, longest_of(recipe.model.config) - 1);  // and its end
  return recipe;
}

std::vector<DecoderHead> heads_of(const TranslateRecipe& recipe, const EncoderDecoder& net,
                                  const std::vector<Tokenizer>& texts, Params& params) {
  FOVEA_CHECK(texts.size() == recipe.heads.size(), "translate: ", texts.size(), " tokenizers for ",
              recipe.heads.size(), " heads");
  std::vector<DecoderHead> heads;
  const auto* encoder = dynamic_cast<const TransformerEncoder*>(net.encoder.get());
  FOVEA_CHECK(texts.empty() || encoder, "heads: only a Transformer has further decoders; set ",
              "model.family = \"transformer\"");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    TransformerConfig config = std::get<TransformerConfig>(recipe.model.config);
    config.target_vocabulary = texts[i].size();
    if (config.tied == Tied::all) config.tied = Tied::output;
    if (recipe.heads[i].layers > 0) config.decoder_layers = recipe.heads[i].layers;
    const std::string& name = recipe.heads[i].name;
    heads.push_back({name, texts[i],
                     std::make_unique<TransformerDecoder>(params.scope() / "heads" / name, config,
                                                          encoder->input.tokens)});
  }
  return heads;
}

}  // namespace

TranslationModel::TranslationModel(TranslateRecipe with, Tokenizer from, Tokenizer to,
                                   std::vector<Tokenizer> head_texts,
                                   std::unique_ptr<Params> weights)
    : recipe(sized(std::move(with), from, to)),
      source(std::move(from)),
      target(std::move(to)),
      params(std::move(weights)),
      net(make_encoder_decoder(params->scope(), recipe.model.config)),
      heads(heads_of(recipe, net, head_texts, *params)) {}

TranslationModel TranslationModel::load(const std::filesystem::path& folder,
                                        const std::vector<std::string>& settings, Use use) {
  auto recipe = recipe_of_model<TranslateRecipe>(folder, settings);
  const Vocabularies sizes = vocabularies_of(recipe.model.config);
  Tokenizer source = tokenizer_of_model(
      folder, "source", sizes.source_vocabulary - further_ids(recipe, sizes.target_vocabulary));
  Tokenizer target =
      tokenizer_of_model(folder, recipe.text.joint ? "source" : "target", sizes.target_vocabulary);
  std::vector<Tokenizer> texts;
  for (const TranslateHead& head : recipe.heads)
    texts.push_back(tokenizer_of_model(folder, head.name));
  std::vector<std::filesystem::path> seconds;
  if (recipe.decode.rerank > 0) {
    for (const std::string& name : recipe.decode.second) {
      if (!name.empty()) seconds.push_back(earlier_run("decode.second", name, folder));
    }
  }
  TranslationModel model(std::move(recipe), std::move(source), std::move(target), std::move(texts),
                         weights_of_model(folder, use));
  if (model.recipe.data.neighbours) {
    model.neighbours = std::make_shared<const NeighbourReader>(
        NeighbourReader::load(folder, model.source, model.target, model.recipe.data.longest));
  }
  if (!seconds.empty()) model.take_seconds(seconds);
  return model;
}

std::string second_folder(std::size_t number) {
  return number == 0 ? "second" : concat("second-", number + 1);
}

void TranslationModel::take_seconds(const std::vector<std::filesystem::path>& from) {
  seconds.clear();
  recipe.decode.second.clear();
  for (const std::filesystem::path& folder : from) {
    FOVEA_CHECK(task_of_model(folder).name == "translate", "decode.second: ", folder.string(),
                " is a model of another task; expected one that translates");
    recipe.decode.second.push_back(second_folder(seconds.size()));
    seconds.push_back(
        {std::make_shared<const TranslationModel>(load(folder, {}, Use::run)), folder});
  }
}

std::vector<std::string> TranslationModel::save_rest(const std::filesystem::path& folder) const {
  TokenizerMap texts = {{"source", source}};
  if (!recipe.text.joint) texts.emplace("target", target);
  for (const DecoderHead& head : heads) texts.emplace(head.name, head.text);
  std::vector<std::string> beside;
  if (neighbours) beside.push_back(neighbours->save(folder));
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    beside.push_back(second_folder(i));
    take_along(seconds[i].from, folder / beside.back(), {"model.safetensors"});
    seconds[i].model->save_rest(folder / beside.back());
  }
  std::vector<std::string> files = save_config(folder, write_config(recipe), texts);
  files.insert(files.end(), beside.begin(), beside.end());
  return files;
}

Ids TranslationModel::encode_source(std::string_view line) const {
  Ids ids = source.encode(line);
  const auto longest = static_cast<std::size_t>(recipe.data.longest);
  if (ids.size() > longest) ids.resize(longest);
  if (neighbours) ids = neighbours->read(std::move(ids), longest_of(recipe.model.config) - 1);
  ids.push_back(source.special().end);
  return ids;
}

std::span<const std::int32_t> TranslationModel::own(const Ids& source) const {
  return std::span(source).first(neighbours ? neighbours->own(source) : source.size() - 1);
}

bool TranslationModel::too_long(std::string_view line) const {
  const auto longest = static_cast<std::size_t>(recipe.data.longest);
  return line.size() > longest && source.encode(line).size() > longest;
}

Dim TranslationModel::alignment_layer() const {
  const auto layers = static_cast<Dim>(net.decoder->cross_attention().size());
  const Dim last_but_one = std::min(std::max<Dim>(layers - 2, 0), layers - 1);
  if (recipe.data.alignments.empty()) return last_but_one;
  const Dim guided = recipe.objective.alignment.layer;
  return guided < 0 ? last_but_one : guided;
}

std::string TranslationModel::alignment_layer_of(const Decoder& decoder) const {
  const std::vector<std::string> names = decoder.cross_attention();
  if (names.empty()) return {};
  return names[std::min(static_cast<std::size_t>(alignment_layer()), names.size() - 1)];
}

Dim TranslationModel::alignment_head() const {
  return recipe.data.alignments.empty() ? -1 : recipe.objective.alignment.head;
}

Ids TranslationModel::never_written(const Tokenizer& text) {
  Ids ids = text.controls();
  std::erase(ids, text.special().end);
  ids.push_back(text.special().unknown);
  return ids;
}

std::int32_t TranslationModel::first(bool reverse) const {
  if (!reverse) return target.special().begin;
  const auto symbol = target.control(reverse_symbol);
  FOVEA_CHECK(symbol, "translate: this model was not trained from right to left; train it with ",
              "objective.direction = \"both\", or name a model that was in decode.second");
  return *symbol;
}

}  // namespace fovea
