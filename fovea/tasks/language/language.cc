#include "fovea/tasks/language/language.h"

#include <algorithm>

#include "fovea/attention/cache.h"

namespace fovea {
namespace {

LanguageRecipe sized(LanguageRecipe recipe, const Tokenizer& tokenizer) {
  check(recipe);
  recipe.model.vocabulary = tokenizer.size();
  recipe.model.longest = recipe.batch.context;
  recipe.model.causal = true;
  return recipe;
}

Stretches stretches_of(const WritingModel& model, Dim ids) {
  constexpr Dim rows = 4096;
  const LanguageRecipe& recipe = model.recipe;
  const Dim context = recipe.batch.context;
  if (model.recurrent()) return Stretches::streams(ids, recipe.evaluate.streams, context);
  const Dim stride = recipe.evaluate.stride == 0 ? context : recipe.evaluate.stride;
  return Stretches::sliding(ids, context, stride, std::max<Dim>(1, rows / context));
}

}  // namespace

void check(const LanguageDecode& decode) {
  check(static_cast<const DecodeConfig&>(decode));
  for (const std::string& stop : decode.stop) {
    FOVEA_CHECK(!stop.empty(), "decode.stop: an empty text would stop every other");
  }
}

void check(const LanguageRecipe& recipe) {
  const LanguageEvaluation& evaluate = recipe.evaluate;
  check(recipe.decode);
  FOVEA_CHECK(recipe.decode.stop.empty() || recipe.decode.search != Search::beam,
              "decode.stop: the texts of a beam change as it goes and cannot be stopped; take ",
              "search = \"greedy\" or \"sample\"");
  FOVEA_CHECK(evaluate.stride >= 0 && evaluate.stride <= recipe.batch.context,
              "evaluate.stride: expected 1 to batch.context = ", recipe.batch.context,
              ", or 0 for windows side by side, found ", evaluate.stride);
  FOVEA_CHECK(evaluate.streams >= 1, "evaluate.streams: expected at least 1, found ",
              evaluate.streams);
  check(recipe.batch);
  check(recipe.model);
}

WritingModel::WritingModel(LanguageRecipe with, TokenizerMap texts, std::unique_ptr<Params> weights)
    : TrainedModel{sized(std::move(with), texts.at("text")), texts, std::move(weights)},
      text(texts.at("text")),
      net(params->scope(), recipe.model) {}

WritingModel WritingModel::make(LanguageRecipe recipe, const RunPlace& place) {
  if (place.resume && std::filesystem::exists(place.folder / "config.json")) {
    const auto begun = recipe_of_model(place.folder, {}, older());  // its weights stay
    recipe.model.out_bias = recipe.model.out_bias || begun.model.out_bias;
  }
  const Tokenizer words = tokenizer_of_run(
      place, "text", [&] { return learn_flow(recipe.text, read_text(recipe.data, Part::train)); });
  auto params = std::make_unique<Params>(recipe.train.seed);
  return {std::move(recipe), {{"text", words}}, std::move(params)};
}

LanguageRecipe WritingModel::older() {
  LanguageRecipe recipe;
  recipe.model.out_bias = true;  // before it was a setting, every model had one
  return recipe;
}

StretchRows rows_of(std::span<const std::int32_t> ids, std::span<const Stretch> stretches) {
  std::vector<std::span<const std::int32_t>> read;
  Ids next;
  for (const Stretch& stretch : stretches) {
    const auto begin = static_cast<std::size_t>(stretch.begin);
    const auto length = static_cast<std::size_t>(stretch.length);
    read.push_back(ids.subspan(begin, length));
    const auto after = ids.subspan(begin + 1, length);
    next.insert(next.end(), static_cast<std::size_t>(stretch.known), -1);
    next.insert(next.end(), after.begin() + stretch.known, after.end());
  }
  return {joined(read), Tensor::from<std::int32_t>({std::ssize(next)}, next)};
}

Perplexity measure(const WritingModel& model, std::span<const std::int32_t> ids,
                   const std::function<void(Dim, Dim)>& progress) {
  Perplexity perplexity;
  if (ids.empty()) return perplexity;
  const NoTape no_tape;
  const Ids before = model.text.beginning();
  Ids all = {before.empty() ? model.text.line_end() : before.back()};
  all.insert(all.end(), ids.begin(), ids.end());
  const Stretches stretches = stretches_of(model, std::ssize(all));
  Cache cache(static_cast<Dim>(stretches[0].size()));  // of a recurrent model: states go on
  const Pass pass = {.cache = model.recurrent() ? &cache : nullptr};
  for (Dim b = 0; b < stretches.size(); ++b) {
    const StretchRows rows = rows_of(all, stretches[b]);
    Dim counted = 0;
    for (const Stretch& stretch : stretches[b]) counted += stretch.length - stretch.known;
    perplexity.add(model.net.loss_sum(rows.read, rows.next, pass).item(), counted);
    if (progress) progress(b + 1, stretches.size());
  }
  return perplexity;
}

std::string protocol_of(const WritingModel& model) {
  const LanguageRecipe& recipe = model.recipe;
  const std::string all = "; every token, the first after the end of a line";
  if (model.recurrent()) {
    return concat("state carried through ", recipe.evaluate.streams, " streams", all);
  }
  const Dim context = recipe.batch.context, stride = recipe.evaluate.stride;
  if (stride == 0 || stride == context) {
    return concat("windows of ", context, " side by side", all);
  }
  return concat("windows of ", context, ", each ", stride, " after the one before", all);
}

}  // namespace fovea
