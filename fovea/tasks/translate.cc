#include "fovea/tasks/translate.h"

#include <algorithm>
#include <numeric>

#include "fovea/data/batches.h"
#include "fovea/decode/rerank.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/softmax.h"
#include "fovea/tasks/cached_stepper.h"

namespace fovea {
namespace {

const DecoderHead* head_of(const TranslationModel& model, const std::string& name) {
  if (name.empty()) return nullptr;
  std::vector<std::string> names;
  for (const DecoderHead& head : model.heads) {
    if (head.name == name) return &head;
    names.push_back(head.name);
  }
  fail("translate: the model has no head '", name, "'", suggestion(name, names));
}

/// Beginning and target, as the decoder reads them; target and end, as it should write them.
struct TeacherForced {
  std::vector<Ids> sources, read, written;
};

TeacherForced teacher_forced(const TranslationModel& model, std::span<const IdPair> pairs,
                             bool reverse) {
  TeacherForced rows;
  for (const IdPair& pair : pairs) {
    rows.sources.push_back(pair.source);
    Ids target = pair.target;
    if (reverse) std::reverse(target.begin(), target.end());
    rows.written.push_back(target);
    rows.written.back().push_back(Tokenizer::end);
    target.insert(target.begin(), model.first(reverse));
    rows.read.push_back(std::move(target));
  }
  return rows;
}

class Translating {
 public:
  Translating(const TranslationModel& model, const TranslateOptions& options)
      : model_(model),
        options_(options),
        head_(head_of(model, options.head)),
        text_(head_ ? head_->text : model.target),
        decoder_(head_ ? *head_->decoder : *model.net.decoder),
        suppressed_(TranslationModel::never_written(text_)),
        reverse_(!head_ && model.recipe.objective.direction == TargetDirection::reverse),
        prefix_(text_.encode(options.prefix)) {
    FOVEA_CHECK(options.decode.rerank == 0 || !head_,
                "translate: a head has no right-to-left score to rank by");
    FOVEA_CHECK(!reverse_ || prefix_.empty(),
                "translate: a model that writes from right to left cannot be given a beginning");
  }

  std::vector<std::vector<Translation>> batch(std::span<const Ids> sources,
                                              std::span<const Dim> numbers) const {
    std::vector<DecodeRequest> requests;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      DecodeRequest request{.prefix = {model_.first(reverse_)}, .number = numbers[i]};
      request.prefix.insert(request.prefix.end(), prefix_.begin(), prefix_.end());
      const double limit = options_.decode.ratio * static_cast<double>(sources[i].size()) + 16;
      request.max_length = static_cast<Dim>(limit) + static_cast<Dim>(prefix_.size());
      requests.push_back(std::move(request));
    }
    CachedStepper stepper(*model_.net.encoder, decoder_, joined(sources),
                          model_.alignment_layer_of(decoder_), options_.decode.lag);
    auto found = decode(stepper, requests, Tokenizer::end, options_.decode, suppressed_);
    std::vector<std::vector<Translation>> all(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (options_.decode.rerank > 0) rank_again(sources[i], found[i]);
      for (const Hypothesis& hypothesis : found[i]) all[i].push_back(translation_of(hypothesis));
    }
    return all;
  }

 private:
  /// The target from left to right, whichever way it was written.
  Ids target_of(const Hypothesis& hypothesis) const {
    Ids ids = hypothesis.ids;
    if (reverse_) std::reverse(ids.begin(), ids.end());
    return ids;
  }

  Translation translation_of(const Hypothesis& hypothesis) const {
    const Ids ids = target_of(hypothesis);
    return {text_.decode(ids), ids, hypothesis.score, hypothesis.log_probability};
  }

  /// By the probability of the same target written the other way.
  void rank_again(const Ids& source, std::vector<Hypothesis>& hypotheses) const {
    std::vector<IdPair> pairs;
    for (const Hypothesis& one : hypotheses) pairs.push_back({source, target_of(one)});
    rerank(hypotheses, log_probabilities(model_, pairs, !reverse_), options_.decode.rerank,
           options_.decode.length_penalty);
  }

  const TranslationModel& model_;
  const TranslateOptions& options_;
  const DecoderHead* head_;
  const Tokenizer& text_;
  const Decoder& decoder_;
  Ids suppressed_;
  bool reverse_;
  Ids prefix_;
};

}  // namespace

std::vector<std::vector<Translation>> translate(const TranslationModel& model,
                                                std::span<const std::string> lines,
                                                const TranslateOptions& options) {
  const Translating translating(model, options);
  std::vector<std::vector<Translation>> all(lines.size(), {Translation()});
  std::vector<Ids> sources;
  std::vector<Dim> numbers;  // of the lines that have something to translate
  std::vector<std::int32_t> rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Ids source = model.encode_source(lines[i]);
    if (source.size() == 1) continue;  // only the end
    rows.push_back(static_cast<std::int32_t>(source.size()));
    sources.push_back(std::move(source));
    numbers.push_back(static_cast<Dim>(i));
  }
  const Batches batches = Batches::unshuffled(rows, {.rows = options.rows});
  Dim done = static_cast<Dim>(lines.size() - sources.size());
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<Ids> together;
    std::vector<Dim> whose;
    for (const std::uint32_t i : batches[b]) {
      together.push_back(sources[i]);
      whose.push_back(numbers[i]);
    }
    auto found = translating.batch(together, whose);
    for (std::size_t i = 0; i < whose.size(); ++i) {
      all[static_cast<std::size_t>(whose[i])] = std::move(found[i]);
    }
    done += static_cast<Dim>(whose.size());
    if (options.progress) options.progress(done);
  }
  return all;
}

std::vector<std::string> best_of(const std::vector<std::vector<Translation>>& translations) {
  std::vector<std::string> best;
  for (const auto& some : translations) best.push_back(some.empty() ? "" : some.front().text);
  return best;
}

std::vector<double> log_probabilities(const TranslationModel& model, std::span<const IdPair> pairs,
                                      bool reverse) {
  const NoTape no_tape;
  const TeacherForced rows = teacher_forced(model, pairs, reverse);
  const Sequences sources = joined(rows.sources), written = joined(rows.written);
  const Decoder& decoder = *model.net.decoder;
  const Var h = decoder(joined(rows.read), (*model.net.encoder)(sources, {}), {});
  const Tensor logs = log_softmax(decoder.out().logits(h)).value();  // (N, V)
  std::vector<double> sums;
  for (Dim s = 0; s < written.segments.count(); ++s) {
    double sum = 0;
    for (Dim r = written.segments.begin(s); r < written.segments.end(s); ++r) {
      sum += logs.view<float>()[r][written.ids.data<std::int32_t>()[r]];
    }
    sums.push_back(sum);
  }
  return sums;
}

void look(const TranslationModel& model, std::span<const IdPair> pairs, Probe& probe) {
  const NoTape no_tape;
  const bool reverse = model.recipe.objective.direction == TargetDirection::reverse;
  const TeacherForced rows = teacher_forced(model, pairs, reverse);
  const Sequences sources = joined(rows.sources);
  const Pass pass = {.probe = &probe};
  (*model.net.decoder)(joined(rows.read), (*model.net.encoder)(sources, pass), pass);
}

}  // namespace fovea
