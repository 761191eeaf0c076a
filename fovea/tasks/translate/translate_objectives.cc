#include <algorithm>

#include "fovea/attention/reinforce.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/softmax.h"
#include "fovea/tasks/translate/translation_model.h"

/// What training of the task "translate" makes small. One pass over a batch serves all objectives.
namespace fovea {
namespace {

using TranslateBatch = Batch<TranslateExample>;

WrittenTargets written(const Decoder& decoder, std::vector<Ids> targets, const SpecialIds& special,
                       std::int32_t first, const Encoded& source, const Pass& pass,
                       const DecoderOptions& options) {
  std::vector<Ids> given = targets;
  for (Ids& ids : given) ids.insert(ids.begin(), first);
  for (Ids& ids : targets) ids.push_back(special.end);
  WrittenTargets all;
  all.out = &decoder.out();
  all.given = joined(given);
  all.wanted = joined(targets).ids;
  all.decoded = decoder.decode(all.given, source, pass, options);
  return all;
}

/// Rows of targets of this length, with an end each.
template <class Length>
double rows_with_ends(TranslateBatch batch, const Length& length) {
  Dim rows = 0;
  for (const TranslateExample& example : batch) rows += length(example) + 1;
  return static_cast<double>(rows);
}

double target_rows(TranslateBatch batch) {
  return rows_with_ends(batch, [](const auto& example) { return std::ssize(example.target); });
}

/// Targets that have a link; links of a target stand together.
double linked_targets(TranslateBatch batch) {
  double linked = 0;
  for (const TranslateExample& example : batch) {
    const Ids& links = example.links;
    for (std::size_t i = 0; i < links.size(); i += 2) {
      linked += i == 0 || links[i] != links[i - 2];
    }
  }
  return linked;
}

/// See GuidedAlignment: - sum over targets of the mean of log a over the sources of each.
Var alignment_loss(TranslateBatch batch, const TranslateForward& forward) {
  const auto& [pairs, weights] = forward.targets.front().decoded.guided;
  const Segments& targets = forward.targets.front().given.segments;
  Ids linked;
  std::vector<float> shares;  // 1 / links of the target
  for (std::size_t s = 0; s < batch.size(); ++s) {
    const Ids& links = batch[s].links;
    for (std::size_t i = 0; i < links.size(); i += 2) {
      std::size_t same = 0;
      for (std::size_t j = 0; j < links.size(); j += 2) same += links[j] == links[i];
      const Dim row = targets.begin(static_cast<Dim>(s)) + links[i];
      linked.push_back(static_cast<std::int32_t>(pairs.of_query.begin(row) + links[i + 1]));
      shares.push_back(-1.0F / static_cast<float>(same));
    }
  }
  const auto count = static_cast<Dim>(linked.size());
  const Var chosen = gather_rows(weights, Tensor::from<std::int32_t>({count}, linked));
  const Var logs = log(add_scalar(chosen, 1e-9));  // (links, 1)
  return sum(mul(logs, Var(Tensor::from<float>({count, 1}, shares))));
}

/// REINFORCE for hard attention: a target row is worth the logarithm of its probability.
Var drawn_loss(const RecurrentTranslatorConfig& config, const WrittenTargets& targets) {
  const DrawnPlaces& drawn = targets.decoded.drawn;
  if (!drawn.log_probability.defined()) return {};  // nothing is drawn outside training
  Tensor worth = Tensor::empty({targets.wanted.size()});
  {
    const NoTape no_tape;
    const Tensor logs =
        log_softmax(targets.out->logits(targets.decoded.rows.detach())).value();  // (N, V)
    for (Dim r = 0; r < worth.size(); ++r) {
      worth.mutable_data<float>()[r] =
          logs.view<float>()[r][targets.wanted.data<std::int32_t>()[r]];
    }
  }
  Tensor baseline = drawn.baseline.value();
  const Var rewarded =
      reinforce(drawn.log_probability, worth, targets.given.segments, baseline.item());
  follow(baseline, worth);
  return sub(scale(rewarded, config.reward), scale(sum(drawn.entropy), config.entropy));
}

/// Of all rows of the source and of each direction.
Var ponder_cost(const TranslateForward& forward) {
  Var cost = forward.source.ponder;
  for (const WrittenTargets& targets : forward.targets) cost = add(cost, targets.decoded.ponder);
  return cost;
}

}  // namespace

WrittenTargets TranslationModel::write(const Encoded& encoded, const std::vector<Ids>& targets,
                                       bool reverse, const Pass& pass,
                                       const DecoderOptions& options) const {
  std::vector<Ids> written_first = targets;
  for (Ids& ids : written_first) {
    if (reverse) std::ranges::reverse(ids);
  }
  return written(*net.decoder, std::move(written_first), target.special(), first(reverse), encoded,
                 pass, options);
}

TranslateForward TranslationModel::forward(TranslateBatch batch, const Pass& pass) const {
  const TranslateObjective& objective = recipe.objective;
  DecoderOptions options{.lag = batch.front().lag};
  std::vector<Ids> sources, targets;
  for (const TranslateExample& example : batch) {
    sources.push_back(example.source);
    targets.push_back(example.target);
  }
  TranslateForward all;
  all.source = (*net.encoder)(joined(sources), pass);
  // A loss is computed behind its own decoder: the gradients of layers that decoders share are
  // summed in the order of the tape.
  const auto add = [&](WrittenTargets targets) {
    const double smoothing = pass.rng ? objective.smoothing : 0;
    targets.loss = targets.out->loss_sum(targets.decoded.rows, targets.wanted, smoothing);
    all.targets.push_back(std::move(targets));
  };
  if (objective.direction != TargetDirection::reverse) {
    DecoderOptions guided = options;
    const bool linked = std::ranges::any_of(batch, [](const auto& e) { return !e.links.empty(); });
    if (linked) guided.guided = {alignment_layer(), alignment_head()};
    add(write(all.source, targets, false, pass, guided));
  }
  if (objective.direction != TargetDirection::forward) {
    add(write(all.source, targets, true, pass, options));
  }
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const SpecialIds& special = heads[h].text.special();
    for (std::size_t s = 0; s < batch.size(); ++s) targets[s] = batch[s].heads[h];
    add(written(*heads[h].decoder, targets, special, special.begin, all.source, pass, options));
  }
  return all;
}

std::vector<Objective<TranslationModel>> TranslationModel::objectives() const {
  using Count = std::function<double(TranslateBatch)>;
  std::vector<Objective<TranslationModel>> all;
  const auto add = [&](LossPart part, Count count, auto sum) {
    all.push_back({std::move(part), std::move(count), std::move(sum)});
  };
  const auto write = [&](LossPart part, Count count) {
    add(std::move(part), std::move(count),
        [k = all.size()](TranslateBatch, const TranslateForward& f) { return f.targets[k].loss; });
  };
  const bool both = recipe.objective.direction == TargetDirection::both;
  write({"loss", 1}, target_rows);
  if (both) write({"loss.r2l", recipe.objective.reverse_weight}, target_rows);
  for (std::size_t h = 0; h < recipe.heads.size(); ++h) {
    write({"loss." + recipe.heads[h].name, recipe.heads[h].weight}, [h](TranslateBatch batch) {
      return rows_with_ends(batch, [h](const auto& e) { return std::ssize(e.heads[h]); });
    });
  }
  if (!recipe.data.alignments.empty()) {
    add({"alignment", recipe.objective.alignment.weight}, linked_targets, alignment_loss);
  }
  if (is_hard(recipe.model.config)) {
    add({"drawn", 1}, target_rows,
        [config = std::get<RecurrentTranslatorConfig>(recipe.model.config)](
            TranslateBatch, const TranslateForward& f) {
          return drawn_loss(config, f.targets.front());
        });
  }
  const auto* universal = std::get_if<UniversalConfig>(&recipe.model.config);
  if (universal && universal->halting) {
    add(
        {"ponder", universal->ponder},
        [both](TranslateBatch batch) {
          double rows = (both ? 2 : 1) * target_rows(batch);
          for (const auto& example : batch) rows += static_cast<double>(example.source.size());
          return rows;
        },
        [](TranslateBatch, const TranslateForward& f) { return ponder_cost(f); });
  }
  return all;
}

}  // namespace fovea
