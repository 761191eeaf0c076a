#include "fovea/tasks/translate/translation_model.h"

#include "fovea/data/find_data.h"
#include "fovea/tasks/task.h"
#include "fovea/tasks/translate/translate_data.h"

namespace fovea {
namespace {

/// That sources have beside those of their tokenizer.
Dim further_ids(const TranslateRecipe& recipe, Dim target_vocabulary) {
  return recipe.data.neighbours ? NeighbourReader::further_ids(target_vocabulary) : 0;
}

const Tokenizer& target_of(const TranslateRecipe& recipe, const TokenizerMap& texts) {
  return texts.at(recipe.text.joint ? "source" : "target");
}

TranslateRecipe sized(TranslateRecipe recipe, const TokenizerMap& texts) {
  check(recipe);
  Vocabularies& sizes = vocabularies_of(recipe.model.config);
  sizes.target_vocabulary = target_of(recipe, texts).size();
  sizes.source_vocabulary =
      texts.at("source").size() + further_ids(recipe, sizes.target_vocabulary);
  recipe.data.longest =
      std::min(recipe.data.longest, longest_of(recipe.model.config) - 1);  // and its end
  return recipe;
}

std::vector<DecoderHead> heads_of(const TranslateRecipe& recipe, const EncoderDecoder& net,
                                  const TokenizerMap& texts, Params& params) {
  std::vector<DecoderHead> heads;
  const auto* encoder = dynamic_cast<const TransformerEncoder*>(net.encoder.get());
  FOVEA_CHECK(recipe.heads.empty() || encoder,
              "heads: only a Transformer has further decoders; set ",
              "model.family = \"transformer\"");
  for (const TranslateHead& head : recipe.heads) {
    const Tokenizer& text = texts.at(head.name);
    TransformerConfig config = std::get<TransformerConfig>(recipe.model.config);
    config.target_vocabulary = text.size();
    if (config.tied == Tied::all) config.tied = Tied::output;
    if (head.layers > 0) config.decoder_layers = head.layers;
    heads.push_back({head.name, text,
                     std::make_unique<TransformerDecoder>(params.scope() / "heads" / head.name,
                                                          config, encoder->input.tokens)});
  }
  return heads;
}

/// Where the folder of a model has the translator `number`, from 0 on, of those that rank.
std::string second_folder(std::size_t number) {
  return number == 0 ? "second" : concat("second-", number + 1);
}

TokenizerMap tokenizers_of_run(const TranslateRecipe& recipe, const std::filesystem::path& folder) {
  TokenizerMap texts;
  for (const NeededTokenizer& needed : TranslationModel::needed_tokenizers(recipe)) {
    texts.emplace(needed.name, Tokenizer::load(folder, needed.name));
  }
  return texts;
}

}  // namespace

TranslationModel::TranslationModel(TranslateRecipe with, TokenizerMap texts,
                                   std::unique_ptr<Params> weights)
    : ExampleTask{{sized(std::move(with), texts), texts, std::move(weights)}},
      source(texts.at("source")),
      target(target_of(recipe, texts)),
      net(make_encoder_decoder(params->scope(), recipe.model.config)),
      heads(heads_of(recipe, net, texts, *params)) {}

TranslationModel TranslationModel::make(TranslateRecipe recipe, const RunPlace& place) {
  const bool resumed = place.resume && std::filesystem::exists(place.folder / "source.json");
  TokenizerMap texts = resumed ? tokenizers_of_run(recipe, place.folder) : learn_tokenizers(recipe);
  std::vector<std::filesystem::path> seconds;
  for (const std::string& second : recipe.decode.second) {
    const std::filesystem::path kept =
        place.resume ? place.folder / second_folder(seconds.size()) : "";
    seconds.push_back(earlier_run("decode.second", second, place.base, kept));
  }
  auto params = std::make_unique<Params>(recipe.train.seed);
  TranslationModel model(std::move(recipe), std::move(texts), std::move(params));
  if (model.recipe.data.neighbours) {
    model.neighbours = std::make_shared<const NeighbourReader>(read_neighbours(model));
  }
  model.take_seconds(seconds);
  return model;
}

TranslationModel TranslationModel::load(const std::filesystem::path& folder,
                                        const std::vector<std::string>& settings, Use use) {
  auto model = load_model<TranslationModel>(folder, settings, use);
  if (model.recipe.data.neighbours) {
    model.neighbours = std::make_shared<const NeighbourReader>(
        NeighbourReader::load(folder, model.source, model.target, model.recipe.data.longest));
  }
  std::vector<std::filesystem::path> seconds;
  if (model.recipe.decode.rerank > 0) {
    for (const std::string& second : model.recipe.decode.second) {
      if (!second.empty()) seconds.push_back(earlier_run("decode.second", second, folder));
    }
  }
  if (!seconds.empty()) model.take_seconds(seconds);
  return model;
}

std::vector<NeededTokenizer> TranslationModel::needed_tokenizers(const TranslateRecipe& recipe) {
  TranslatorConfig config = recipe.model.config;
  const Vocabularies sizes = vocabularies_of(config);
  std::vector<NeededTokenizer> needed = {
      {"source", sizes.source_vocabulary - further_ids(recipe, sizes.target_vocabulary)}};
  if (!recipe.text.joint) needed.push_back({"target", sizes.target_vocabulary});
  for (const TranslateHead& head : recipe.heads) needed.push_back({head.name});
  return needed;
}

void TranslationModel::locate(TranslateRecipe& recipe, const std::filesystem::path& base) {
  fovea::locate(recipe.data, base);
  recipe.data.alignments = located(recipe.data.alignments, base);
  for (TranslateHead& head : recipe.heads) {
    head.train = located(head.train, base), head.dev = located(head.dev, base);
  }
  for (std::string& second : recipe.decode.second) second = located_run(second, base);
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

Dim TranslationModel::rows(const Example& example) const {
  const Dim targets = recipe.objective.direction == TargetDirection::both ? 2 : 1;
  Dim rows = std::ssize(example.source) + targets * (std::ssize(example.target) + 1);
  for (const Ids& head : example.heads) rows += std::ssize(head) + 1;
  return rows;
}

std::vector<std::string> TranslationModel::save_rest(const std::filesystem::path& folder) const {
  std::vector<std::string> files = ExampleTask::save_rest(folder);
  if (neighbours) files.push_back(neighbours->save(folder));
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    files.push_back(second_folder(i));
    take_along(seconds[i].from, folder / files.back(), {"model.safetensors"});
    seconds[i].model->save_rest(folder / files.back());
  }
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
