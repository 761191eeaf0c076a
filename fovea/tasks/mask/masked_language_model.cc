#include "fovea/tasks/mask/masked_language_model.h"

#include <algorithm>

#include "fovea/ops/softmax.h"
#include "fovea/tasks/marked_text.h"
#include "fovea/tasks/model_folder.h"

namespace fovea {
namespace {

MaskRecipe sized(MaskRecipe recipe, const Tokenizer& words) {
  TextEncoderConfig& encoder = recipe.model.encoder;
  const MaskData& data = recipe.data;
  encoder.vocabulary = words.size();
  if (recipe.model.next_sentence) encoder.kinds = std::max<Dim>(encoder.kinds, 2);
  FOVEA_CHECK(words.control(mask_name), "words.controls: expected the mask, ", mask_name);
  FOVEA_CHECK(!encoder.causal, "model.encoder.causal: what looks back only cannot fill in masks");
  FOVEA_CHECK(encoder.letters == 0, "model.encoder.letters: the letters of a mask are not known");
  FOVEA_CHECK(data.longest >= 8, "data.longest: expected at least 8 tokens, found ", data.longest);
  FOVEA_CHECK(encoder.family != TextFamily::transformer ||
                  encoder.positions != Positions::learned || data.longest <= encoder.longest,
              "data.longest: contexts of ", data.longest, " tokens, but model.encoder.longest has ",
              encoder.longest, " places");
  FOVEA_CHECK(!(data.pack && recipe.model.next_sentence),
              "data.pack: next sentences are told from one document; leave out one of the two");
  FOVEA_CHECK(recipe.objective.share > 0 && recipe.objective.share < 1,
              "objective.share: expected a share between 0 and 1, found ", recipe.objective.share);
  return recipe;
}

/// The `count` likeliest of a row of probabilities, of tokens that text may have.
std::vector<FilledToken> best_of(const float* p, const Tokenizer& words, Dim count) {
  std::vector<FilledToken> tokens;
  for (std::int32_t id = 0; id < words.size(); ++id) {
    if (!words.is_control(id) && id != words.special().unknown) tokens.push_back({id, p[id]});
  }
  const auto shown = static_cast<std::ptrdiff_t>(
      std::min<std::size_t>(static_cast<std::size_t>(std::max<Dim>(count, 0)), tokens.size()));
  std::partial_sort(tokens.begin(), tokens.begin() + shown, tokens.end(),
                    [](const FilledToken& a, const FilledToken& b) {
                      return a.probability != b.probability ? a.probability > b.probability
                                                            : a.id < b.id;
                    });
  tokens.resize(static_cast<std::size_t>(shown));
  return tokens;
}

}  // namespace

MaskedLanguageModel::MaskedLanguageModel(MaskRecipe with, Tokenizer text,
                                         std::unique_ptr<Params> weights)
    : recipe(sized(std::move(with), text)),
      words(std::move(text)),
      params(std::move(weights)),
      model(params->scope(), recipe.model) {}

MaskedLanguageModel MaskedLanguageModel::load(const std::filesystem::path& folder,
                                              const std::vector<std::string>& settings, Use use) {
  auto recipe = recipe_of_model<MaskRecipe>(folder, settings);
  Tokenizer words = tokenizer_of_model(folder, "words", recipe.model.encoder.vocabulary);
  return {std::move(recipe), std::move(words), weights_of_model(folder, use)};
}

std::vector<std::string> MaskedLanguageModel::save_rest(const std::filesystem::path& folder) const {
  return save_config(folder, write_config(recipe), {{"words", words}});
}

Ids MaskedLanguageModel::encode(std::string_view line, bool* cut) const {
  return marked(words.encode_masked(line), words.layout(), recipe.data.longest, cut);
}

Ids MaskedLanguageModel::masks_in(std::span<const std::int32_t> tokens) const {
  Ids places;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == *words.control(mask_name)) places.push_back(static_cast<std::int32_t>(i));
  }
  return places;
}

std::vector<std::vector<std::vector<FilledToken>>> fill_masks(
    const MaskedLanguageModel& model, std::span<const Ids> lines, Dim count,
    const std::function<void(Dim)>& progress) {
  const NoTape no_tape;
  std::vector<std::int32_t> rows;
  for (const Ids& line : lines) rows.push_back(static_cast<std::int32_t>(line.size()));
  const Batches batches = Batches::unshuffled(rows, {.rows = model.recipe.batch.rows});
  std::vector<std::vector<std::vector<FilledToken>>> filled(lines.size());
  Dim done = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<Ids> texts;
    Ids places;
    std::int32_t row = 0;
    for (const std::uint32_t i : batches[b]) {
      for (const std::int32_t place : model.masks_in(lines[i])) places.push_back(row + place);
      row += static_cast<std::int32_t>(lines[i].size());
      texts.push_back(lines[i]);
    }
    const Var h = (*model.model.encoder)({joined(texts)}, {});
    const auto at = Tensor::from<std::int32_t>({static_cast<Dim>(places.size())}, places);
    const Tensor p = softmax(model.model.logits(model.model.hidden(h, at))).value();  // (M, V)
    Dim mask = 0;
    for (const std::uint32_t i : batches[b]) {
      for (std::size_t m = model.masks_in(lines[i]).size(); m > 0; --m) {
        filled[i].push_back(best_of(p.view<float>()[mask++], model.words, count));
      }
    }
    done += static_cast<Dim>(texts.size());
    if (progress) progress(done);
  }
  return filled;
}

}  // namespace fovea
