#include "fovea/tasks/translate/translate_workload.h"

#include <cmath>

#include "fovea/tasks/text_evaluation.h"
#include "fovea/tasks/translate/translate.h"
#include "fovea/tasks/translate/translate_record.h"

namespace fovea {
namespace {

constexpr Dim rows_validated_together = 4096;

/// Without smoothing, in nats.
Losses losses_of(const TranslationModel& model, const Examples<TranslateExample>& examples) {
  const NoTape no_tape;
  std::vector<std::int32_t> rows;
  for (Dim e = 0; e < examples.size(); ++e) {
    const TranslateExample example = examples[e];
    rows.push_back(static_cast<std::int32_t>(example.source.size() + example.target.size()));
  }
  const auto objectives = model.objectives();
  const Batches batches = Batches::unshuffled(rows, {.rows = rows_validated_together});
  Losses losses;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<TranslateExample> batch;
    for (const std::uint32_t e : batches[b]) batch.push_back(examples[e]);
    add_losses<TranslationModel>(objectives, batch, model.forward(batch, {}), losses);
  }
  return losses;
}

}  // namespace

void TranslationModel::show(std::span<const Query> queries, const Examples<Example>&,
                            ShownExamples& shown) const {
  std::vector<std::string> lines, references;
  for (const Query& query : queries) {
    lines.push_back(source.decode(own(query.example.source)));
    references.push_back(target.decode(query.example.target));
  }
  const auto answers = best_of(translate(*this, lines, greedy_options(*this)));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    shown.samples.push_back({lines[i], answers[i], references[i]});
  }
  const std::string layer = alignment_layer_of(*net.decoder);
  if (layer.empty() || lines.empty()) return;
  const IdPair pair{encode_source(lines[0]), target.encode(references[0])};
  shown.first = records_of(*this, std::span(&pair, 1), {.layers = layer, .words = true}).front();
}

TranslateWorkload::TranslateWorkload(const TranslateRecipe& recipe, const RunPlace& place)
    : ExampleTraining(recipe, place) {
  if (dev() && !recipe.evaluate.metrics.empty()) {
    dev_lines_ =
        read_test_set(recipe.data, Part::dev, asks_once(recipe.evaluate), recipe.evaluate.lines);
  }
}

std::vector<std::string> TranslateWorkload::figure_names() const {
  if (!dev()) return {};
  std::vector<std::string> names;
  for (const LossPart& part : parts()) names.push_back(part.name);
  names.push_back("perplexity");
  if (!dev_lines_) return names;
  for (const TextMetric metric : task().recipe.evaluate.metrics) {
    names.emplace_back(name_of(metric));
  }
  return names;
}

std::vector<Figure> TranslateWorkload::validate() {
  if (!dev()) return {};
  const Losses losses = losses_of(task(), *dev());
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < losses.sums.size(); ++i) {
    if (losses.counts[i] > 0) figures.push_back({parts()[i].name, losses.mean(i), false});
  }
  figures.push_back({"perplexity", std::exp(losses.mean(0)), false});
  if (!dev_lines_) return figures;
  params().pack();
  const auto translations = best_of(translate(task(), dev_lines_->sources, greedy_options(task())));
  params().unpack();
  for (const Report& report : evaluate(dev_lines_->sources, translations, dev_lines_->references,
                                       task().recipe.evaluate)) {
    figures.push_back(report.figure);
  }
  return figures;
}

}  // namespace fovea
