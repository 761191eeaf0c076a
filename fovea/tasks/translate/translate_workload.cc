#include "fovea/tasks/translate/translate_workload.h"

#include <algorithm>
#include <cmath>

#include "fovea/attention/reinforce.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/loss.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/softmax.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/tasks/translate/translate.h"
#include "fovea/tasks/translate/translate_metrics.h"
#include "fovea/tasks/translate/translate_record.h"

namespace fovea {
namespace {

const TranslateRecipe& checked(const TranslateRecipe& recipe) {
  const TranslateObjective& objective = recipe.objective;
  FOVEA_CHECK(objective.lags.empty() || recipe.model.lag() > 0,
              "objective.lags: only a model with a lag learns several; set model.lag");
  FOVEA_CHECK(!recipe.model.hard() || objective.direction != TargetDirection::both,
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

std::vector<Ids> reversed(std::vector<Ids> all) {
  for (Ids& ids : all) std::reverse(ids.begin(), ids.end());
  return all;
}

/// first, y_1, ..., y_T: what the decoder reads.
Sequences begun_with(std::int32_t first, const std::vector<Ids>& targets) {
  std::vector<Ids> rows = targets;
  for (Ids& ids : rows) ids.insert(ids.begin(), first);
  return joined(rows);
}

/// y_1, ..., y_T, end: what it should write.
Tensor ended(const std::vector<Ids>& targets, std::int32_t end) {
  std::vector<Ids> rows = targets;
  for (Ids& ids : rows) ids.push_back(end);
  return joined(rows).ids;
}

/// With an end each.
double rows_in(const std::vector<Ids>& targets) {
  std::size_t rows = 0;
  for (const Ids& ids : targets) rows += ids.size() + 1;
  return static_cast<double>(rows);
}

}  // namespace

TranslateWorkload::TranslateWorkload(const TranslateRecipe& recipe,
                                     const std::filesystem::path& base,
                                     const std::filesystem::path& folder, bool resume)
    : model_(new_model(checked(recipe), base, folder, resume)) {
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
  const TranslateObjective& objective = model_.recipe.objective;
  std::vector<LossPart> parts = {{"loss", 1}};
  if (objective.direction == TargetDirection::both) {
    parts.push_back({"loss.r2l", objective.reverse_weight});
  }
  for (const TranslateHead& head : model_.recipe.heads) {
    parts.push_back({"loss." + head.name, head.weight});
  }
  if (aligned()) parts.push_back({"alignment", objective.alignment.weight});
  if (model_.recipe.model.hard()) parts.push_back({"drawn", 1});
  if (model_.recipe.model.ponders()) {
    parts.push_back({"ponder", model_.recipe.model.universal.ponder});
  }
  return parts;
}

Dim TranslateWorkload::begin_epoch(Dim epoch) {
  epoch_ = epoch;
  batches_.emplace(rows_, model_.recipe.batch, epoch);
  ready_.clear();
  return batches_->size();
}

std::vector<double> TranslateWorkload::counts(Dim batch) {
  return counts_of(
      ready_.insert_or_assign(batch, batch_of(train_, (*batches_)[batch])).first->second);
}

std::vector<double> TranslateWorkload::counts_of(const Batch& batch) const {
  std::vector<double> counts = {rows_in(batch.targets)};
  if (model_.recipe.objective.direction == TargetDirection::both) counts.push_back(counts[0]);
  for (const std::vector<Ids>& targets : batch.heads) counts.push_back(rows_in(targets));
  if (!batch.links.empty()) {
    double linked = 0;  // targets that have a link; links of a target stand together
    for (const Ids& links : batch.links) {
      for (std::size_t i = 0; i < links.size(); i += 2) {
        linked += i == 0 || links[i] != links[i - 2];
      }
    }
    counts.push_back(linked);
  }
  if (model_.recipe.model.hard()) counts.push_back(counts[0]);
  if (model_.recipe.model.ponders()) {
    const bool both = model_.recipe.objective.direction == TargetDirection::both;
    counts.push_back(static_cast<double>(batch.sources.ids.size()) + (both ? 2 : 1) * counts[0]);
  }
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

TranslateWorkload::Batch TranslateWorkload::batch_of(
    const Corpus& corpus, std::span<const std::uint32_t> examples) const {
  Batch batch;
  batch.heads.resize(model_.heads.size());
  std::vector<Ids> sources;
  const auto heads = static_cast<Dim>(model_.heads.size());
  for (const std::uint32_t e : examples) {
    sources.push_back(ids_of(corpus, e, 0));
    batch.targets.push_back(ids_of(corpus, e, 1));
    for (Dim h = 0; h < heads; ++h) {
      batch.heads[static_cast<std::size_t>(h)].push_back(ids_of(corpus, e, 2 + h));
    }
    if (corpus.fields() > 2 + heads) batch.links.push_back(ids_of(corpus, e, 2 + heads));
  }
  batch.sources = joined(sources);
  return batch;
}

Dim TranslateWorkload::lag_of(Dim batch) const {
  const std::vector<Dim>& lags = model_.recipe.objective.lags;
  if (lags.empty()) return -1;
  const Draws draws = {model_.recipe.train.seed ^ 0x1a6, static_cast<std::uint64_t>(epoch_)};
  return lags[draws.below(static_cast<std::uint64_t>(batch),
                          static_cast<std::uint32_t>(lags.size()))];
}

std::vector<Var> TranslateWorkload::sums(const Batch& batch, double smoothing, Dim lag,
                                         const Pass& pass) const {
  const Decoder& decoder = *model_.net.decoder;
  const Encoded source = (*model_.net.encoder)(batch.sources, pass);
  const TargetDirection direction = model_.recipe.objective.direction;
  std::vector<Var> sums;
  AskedWeights asked{.layer = model_.alignment_layer(), .head = model_.alignment_head()};
  Segments target_rows;
  Var reward;                  // of hard attention
  Var ponder = source.ponder;  // of all rows
  for (const bool reverse : {false, true}) {
    if (direction == (reverse ? TargetDirection::forward : TargetDirection::reverse)) continue;
    const std::vector<Ids> targets = reverse ? reversed(batch.targets) : batch.targets;
    const Sequences read = begun_with(model_.first(reverse), targets);
    const bool guided = !batch.links.empty() && !reverse;
    if (guided) {
      asked.pairs = pairs_in_reach(read.segments, source.segments);
      target_rows = read.segments;
    }
    DrawnPlaces drawn;
    Var pondered;
    const Var h = decoder(
        read, source, pass,
        {.lag = lag, .asked = guided ? &asked : nullptr, .drawn = &drawn, .ponder = &pondered});
    if (pondered.defined()) ponder = add(ponder, pondered);
    sums.push_back(
        decoder.out().loss_sum(h, ended(targets, model_.target.special().end), smoothing));
    if (drawn.log_probability.defined()) {
      reward = hard_attention_loss(drawn, decoder.out(), h,
                                   ended(targets, model_.target.special().end), read.segments);
    }
  }
  for (std::size_t i = 0; i < model_.heads.size(); ++i) {
    const Decoder& head = *model_.heads[i].decoder;
    const SpecialIds& text = model_.heads[i].text.special();
    const Var h = head(begun_with(text.begin, batch.heads[i]), source, pass, {.lag = lag});
    sums.push_back(head.out().loss_sum(h, ended(batch.heads[i], text.end), smoothing));
  }
  if (!batch.links.empty()) sums.push_back(alignment_loss(batch, asked, target_rows));
  if (reward.defined()) sums.push_back(reward);
  if (ponder.defined()) sums.push_back(ponder);
  return sums;
}

/// REINFORCE, with what each target row is worth: the logarithm of its probability.
Var TranslateWorkload::hard_attention_loss(const DrawnPlaces& drawn, const OutputLayer& out,
                                           const Var& h, const Tensor& targets,
                                           const Segments& rows) const {
  const RecurrentTranslatorConfig& config = model_.recipe.model.recurrent;
  Tensor worth = Tensor::empty({targets.size()});
  {
    const NoTape no_tape;
    const Tensor logs = log_softmax(out.logits(h.detach())).value();  // (N, V)
    for (Dim r = 0; r < targets.size(); ++r) {
      worth.mutable_data<float>()[r] = logs.view<float>()[r][targets.data<std::int32_t>()[r]];
    }
  }
  Tensor baseline = drawn.baseline.value();
  const Var rewarded = reinforce(drawn.log_probability, worth, rows, baseline.item());
  follow(baseline, worth);
  return sub(scale(rewarded, config.reward), scale(sum(drawn.entropy), config.entropy));
}

Var TranslateWorkload::alignment_loss(const Batch& batch, const AskedWeights& asked,
                                      const Segments& targets) const {
  Ids linked;
  std::vector<float> shares;  // 1 / links of the target
  for (std::size_t s = 0; s < batch.links.size(); ++s) {
    const Ids& links = batch.links[s];
    for (std::size_t i = 0; i < links.size(); i += 2) {
      std::size_t same = 0;
      for (std::size_t j = 0; j < links.size(); j += 2) same += links[j] == links[i];
      const Dim row = targets.begin(static_cast<Dim>(s)) + links[i];
      linked.push_back(static_cast<std::int32_t>(asked.pairs.of_query.begin(row) + links[i + 1]));
      shares.push_back(-1.0F / static_cast<float>(same));
    }
  }
  const auto count = static_cast<Dim>(linked.size());
  const Var chosen = gather_rows(asked.weights, Tensor::from<std::int32_t>({count}, linked));
  const Var logs = log(add_scalar(chosen, 1e-9));  // (links, 1)
  return sum(mul(logs, Var(Tensor::from<float>({count, 1}, shares))));
}

std::vector<Var> TranslateWorkload::losses(Dim batch, const Pass& pass) {
  auto ready = ready_.extract(batch);
  return sums(ready ? ready.mapped() : batch_of(train_, (*batches_)[batch]),
              model_.recipe.objective.smoothing, lag_of(batch), pass);
}

std::string TranslateWorkload::describe(Dim batch) {
  return concat(train_.lines((*batches_)[batch]), " of ", model_.recipe.data.train.front());
}

/// Of each part but the alignment's, without smoothing, in nats.
std::vector<double> TranslateWorkload::mean_losses(const Corpus& corpus) const {
  const NoTape no_tape;
  std::vector<std::int32_t> rows;
  for (Dim e = 0; e < corpus.size(); ++e) rows.push_back(corpus.length(e, 0) + corpus.length(e, 1));
  const Batches batches = Batches::unshuffled(rows, {.rows = 4096});
  std::vector<double> totals, counts;
  for (Dim b = 0; b < batches.size(); ++b) {
    const Batch batch = batch_of(corpus, batches[b]);
    const std::vector<Var> found = sums(batch, 0, -1, {});
    const std::vector<double> here = counts_of(batch);
    totals.resize(found.size()), counts.resize(found.size());
    for (std::size_t p = 0; p < found.size(); ++p) {
      totals[p] += found[p].item();
      counts[p] += here[p];
    }
  }
  for (std::size_t p = 0; p < totals.size(); ++p) totals[p] /= counts[p];
  return totals;
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
  std::vector<Figure> figures;
  const std::vector<double> means = mean_losses(*dev_);
  const std::vector<LossPart> named = parts();
  for (std::size_t p = 0; p < means.size(); ++p)
    figures.push_back({named[p].name, means[p], false});
  figures.push_back({"perplexity", std::exp(means[0]), false});
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
