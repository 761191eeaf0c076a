#include "fovea/tasks/language/writing_model.h"

#include <algorithm>

#include "fovea/attention/cache.h"
#include "fovea/tasks/model_folder.h"

namespace fovea {
namespace {

LanguageRecipe sized(LanguageRecipe recipe, const Tokenizer& tokenizer) {
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

WritingModel::WritingModel(LanguageRecipe with, TextFlow flow, std::unique_ptr<Params> weights)
    : recipe(sized(std::move(with), flow.tokenizer())),
      text(std::move(flow)),
      params(std::move(weights)),
      net(params->scope(), recipe.model) {}

WritingModel WritingModel::load(const std::filesystem::path& folder,
                                const std::vector<std::string>& settings, Use use) {
  LanguageRecipe recipe = recipe_in(folder, settings);
  TextFlow text(tokenizer_of_model(folder, "text", recipe.model.vocabulary));
  return {std::move(recipe), std::move(text), weights_of_model(folder, use)};
}

LanguageRecipe WritingModel::recipe_in(const std::filesystem::path& folder,
                                       const std::vector<std::string>& settings) {
  LanguageRecipe older;
  older.model.out_bias = true;  // before it was a setting, every model had one
  return recipe_of_model(folder, settings, older);
}

std::vector<std::string> WritingModel::save_rest(const std::filesystem::path& folder) const {
  return save_config(folder, write_config(recipe), {{"text", text.tokenizer()}});
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
