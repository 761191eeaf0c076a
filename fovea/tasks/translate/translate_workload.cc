#include "fovea/tasks/translate/translate_workload.h"

#include <algorithm>
#include <cmath>

#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/tasks/translate/translate.h"
#include "fovea/tasks/translate/translate_metrics.h"
#include "fovea/tasks/translate/translate_record.h"

namespace fovea {
namespace {

const TranslateRecipe& checked(const TranslateRecipe& recipe) {
  const TranslateObjective& objective = recipe.objective;
  FOVEA_CHECK(objective.lags.empty() || lag_of(recipe.model.config) > 0,
              "objective.lags: only a model with a lag learns several; set model.lag");
  FOVEA_CHECK(!is_hard(recipe.model.config) || objective.direction != TargetDirection::both,
              "objective.direction: hard attention learns one direction");
  FOVEA_CHECK(recipe.data.alignments.empty() || recipe.data.join == 1,
              "data.join: links of words are those of single lines");
  FOVEA_CHECK(recipe.data.alignments.empty() || objective.direction != TargetDirection::reverse,
              "data.alignments: they guide a decoder that writes from left to right");
  FOVEA_CHECK(recipe.data.alignments.empty() || recipe.text.dropout == 0,
              "text.dropout: pieces that are cut anew are others than those that the links of ",
              "data.alignments join; leave one of them out");
  check(recipe.decode);
  FOVEA_CHECK(recipe.decode.rerank == 0 || objective.direction == TargetDirection::both ||
                  !recipe.decode.second.empty(),
              "decode.rerank: only a model that learns both directions ranks by the other; set ",
              "objective.direction = \"both\", or name another model in decode.second");
  FOVEA_CHECK(recipe.evaluate.lines >= 0,
              "evaluate.lines: expected a number of lines, or 0 for all, found ",
              recipe.evaluate.lines);
  return recipe;
}

Tokenizers tokenizers_of(const TranslateRecipe& recipe, const std::filesystem::path& base,
                         const std::filesystem::path& folder, bool resume) {
  if (!resume || !std::filesystem::exists(folder / "source.json")) {
    return train_tokenizers(recipe, base);
  }
  const Tokenizer source = Tokenizer::load(folder, "source");
  Tokenizers texts{source, recipe.text.joint ? source : Tokenizer::load(folder, "target")};
  for (const TranslateHead& head : recipe.heads) {
    texts.heads.push_back(Tokenizer::load(folder, head.name));
  }
  return texts;
}

TranslationModel new_model(const TranslateRecipe& recipe, const std::filesystem::path& base,
                           const std::filesystem::path& folder, bool resume) {
  const Tokenizers texts = tokenizers_of(recipe, base, folder, resume);
  TranslationModel model(located(recipe, base), texts.source, texts.target, texts.heads,
                         std::make_unique<Params>(recipe.train.seed));
  if (recipe.data.neighbours) {
    model.neighbours =
        std::make_shared<const NeighbourReader>(read_neighbours(model.recipe, texts, base));
  }
  std::vector<std::filesystem::path> seconds;
  for (const std::string& second : recipe.decode.second) {
    const std::filesystem::path kept = resume ? folder / second_folder(seconds.size()) : "";
    seconds.push_back(earlier_run("decode.second", second, base, kept));
  }
  model.take_seconds(seconds);
  return model;
}

}  // namespace

TranslateWorkload::TranslateWorkload(const TranslateRecipe& recipe,
                                     const std::filesystem::path& base,
                                     const std::filesystem::path& folder, bool resume)
    : model_(new_model(checked(recipe), base, folder, resume)), objectives_(objectives(model_)) {
  std::filesystem::create_directories(folder);
  Tokenizers texts{model_.source, model_.target, {}, model_.neighbours};
  for (const DecoderHead& head : model_.heads) texts.heads.push_back(head.text);
  train_ = read_corpus(model_.recipe, texts, Part::train, base, folder, &left_out_);
  if (has_part(recipe.data, Part::dev)) {
    dev_ = read_corpus(model_.recipe, texts, Part::dev, base, folder);
    if (!recipe.evaluate.metrics.empty()) {
      dev_lines_ = read_test_set(recipe.data, Part::dev, base, asks_once(recipe.evaluate),
                                 recipe.evaluate.lines);
    }
  }
  const Dim targets = recipe.objective.direction == TargetDirection::both ? 2 : 1;
  for (Dim e = 0; e < train_.size(); ++e) {
    Dim rows = train_.length(e, 0) + targets * (train_.length(e, 1) + 1);
    for (Dim h = 0; h < static_cast<Dim>(model_.heads.size()); ++h) {
      rows += train_.length(e, 2 + h) + 1;
    }
    rows_.push_back(static_cast<std::int32_t>(rows));
  }
}

std::vector<LossPart> TranslateWorkload::parts() const {
  std::vector<LossPart> parts;
  for (const TranslateLoss& objective : objectives_) parts.push_back(objective.part);
  return parts;
}

Dim TranslateWorkload::begin_epoch(Dim epoch) {
  epoch_ = epoch;
  batches_.emplace(rows_, model_.recipe.batch, epoch);
  ready_.clear();
  return batches_->size();
}

std::vector<double> TranslateWorkload::counts(Dim batch) {
  const auto& examples =
      ready_.insert_or_assign(batch, examples_of(train_, (*batches_)[batch])).first->second;
  std::vector<double> counts;
  for (const TranslateLoss& objective : objectives_) counts.push_back(objective.count(examples));
  return counts;
}

Ids TranslateWorkload::ids_of(const Corpus& corpus, Dim example, Dim field) const {
  const double dropout = model_.recipe.text.dropout;
  if (dropout > 0 && corpus.has_text() && field < 2) {
    const Draws draws = {
        model_.recipe.train.seed ^ 0x7e87,
        static_cast<std::uint64_t>(epoch_) << 33 | static_cast<std::uint64_t>(2 * example + field)};
    const Tokenizer& text = field == 0 ? model_.source : model_.target;
    Ids ids = text.sample(corpus.text(example, field), draws, dropout);
    if (field == 0) {
      cut_source(ids, model_.recipe.data);
      ids.push_back(text.special().end);
    }
    return ids;
  }
  const auto ids = corpus.ids(example, field);
  return {ids.begin(), ids.end()};
}

TranslateExample TranslateWorkload::example_of(const Corpus& corpus, Dim e) const {
  const auto heads = static_cast<Dim>(model_.heads.size());
  TranslateExample example{.source = ids_of(corpus, e, 0), .target = ids_of(corpus, e, 1)};
  for (Dim h = 0; h < heads; ++h) example.heads.push_back(ids_of(corpus, e, 2 + h));
  if (corpus.fields() > 2 + heads) example.links = ids_of(corpus, e, 2 + heads);
  return example;
}

std::vector<TranslateExample> TranslateWorkload::examples_of(
    const Corpus& corpus, std::span<const std::uint32_t> examples) const {
  std::vector<TranslateExample> all;
  for (const std::uint32_t e : examples) all.push_back(example_of(corpus, e));
  return all;
}

Dim TranslateWorkload::lag_of(Dim batch) const {
  const std::vector<Dim>& lags = model_.recipe.objective.lags;
  if (lags.empty()) return -1;
  const Draws draws = {model_.recipe.train.seed ^ 0x1a6, static_cast<std::uint64_t>(epoch_)};
  return lags[draws.below(static_cast<std::uint64_t>(batch),
                          static_cast<std::uint32_t>(lags.size()))];
}

std::vector<Var> TranslateWorkload::losses(Dim batch, const Pass& pass) {
  auto ready = ready_.extract(batch);
  const auto examples = ready ? std::move(ready.mapped()) : examples_of(train_, (*batches_)[batch]);
  const TranslateForward done = forward(model_, examples, lag_of(batch), pass);
  std::vector<Var> sums;
  for (const TranslateLoss& objective : objectives_) {
    sums.push_back(objective.count(examples) > 0 ? objective.sum(examples, done) : Var());
  }
  return sums;
}

std::string TranslateWorkload::describe(Dim batch) {
  return concat(train_.lines((*batches_)[batch]), " of ", model_.recipe.data.train.front());
}

std::vector<Figure> TranslateWorkload::mean_losses(const Corpus& corpus) const {
  const NoTape no_tape;
  std::vector<std::int32_t> rows;
  for (Dim e = 0; e < corpus.size(); ++e) rows.push_back(corpus.length(e, 0) + corpus.length(e, 1));
  const Batches batches = Batches::unshuffled(rows, {.rows = 4096});
  std::vector<double> totals(objectives_.size()), counts(objectives_.size());
  for (Dim b = 0; b < batches.size(); ++b) {
    const std::vector<TranslateExample> examples = examples_of(corpus, batches[b]);
    const TranslateForward done = forward(model_, examples, -1, {});
    for (std::size_t p = 0; p < objectives_.size(); ++p) {
      const double count = objectives_[p].count(examples);
      const Var sum = count > 0 ? objectives_[p].sum(examples, done) : Var();
      if (!sum.defined()) continue;
      totals[p] += sum.item();
      counts[p] += count;
    }
  }
  std::vector<Figure> means;
  for (std::size_t p = 0; p < totals.size(); ++p) {
    if (counts[p] > 0) means.push_back({objectives_[p].part.name, totals[p] / counts[p], false});
  }
  return means;
}

std::vector<std::string> TranslateWorkload::figure_names() const {
  if (!dev_) return {};
  std::vector<std::string> names;
  for (const LossPart& part : parts()) names.push_back(part.name);
  names.push_back("perplexity");
  if (!dev_lines_) return names;
  for (const TranslateMetric metric : model_.recipe.evaluate.metrics) {
    names.emplace_back(name_of(metric));
  }
  return names;
}

std::vector<Figure> TranslateWorkload::validate() {
  if (!dev_) return {};
  std::vector<Figure> figures = mean_losses(*dev_);
  figures.push_back({"perplexity", std::exp(figures.front().value), false});
  if (dev_lines_) {
    TranslateOptions options{.decode = model_.recipe.decode};
    options.decode.search = Search::greedy;
    options.decode.rerank = 0;
    model_.params->pack();
    const auto translations = best_of(translate(model_, dev_lines_->sources, options));
    model_.params->unpack();
    for (const Report& report : evaluate(dev_lines_->sources, translations, dev_lines_->references,
                                         model_.recipe.evaluate)) {
      figures.push_back(report.figure);
    }
  }
  return figures;
}

std::vector<std::string> TranslateWorkload::show(Dim step) {
  const Corpus& corpus = dev_ ? *dev_ : train_;
  std::vector<std::string> lines, references;
  for (Dim e = 0; e < std::min<Dim>(ShownExamples::most, corpus.size()); ++e) {
    lines.push_back(model_.source.decode(model_.own(ids_of(corpus, e, 0))));
    references.push_back(model_.target.decode(ids_of(corpus, e, 1)));
  }
  if (lines.empty()) return {};
  TranslateOptions options{.decode = model_.recipe.decode};
  options.decode.search = Search::greedy;
  options.decode.rerank = 0;
  const auto answers = best_of(translate(model_, lines, options));
  ShownExamples shown;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    shown.samples.push_back({lines[i], answers[i], references[i]});
  }
  const std::string layer = model_.alignment_layer_of(*model_.net.decoder);
  if (layer.empty()) return shown.lines(step);
  const IdPair pair{model_.encode_source(lines[0]), model_.target.encode(references[0])};
  shown.first = records_of(model_, std::span(&pair, 1), {.layers = layer, .words = true}).front();
  return shown.lines(step);
}

}  // namespace fovea
