#include "fovea/tasks/translate/translate.h"

#include <algorithm>

#include "fovea/data/batches.h"
#include "fovea/ops/reduce.h"
#include "fovea/ops/softmax.h"
#include "fovea/tasks/translate/translating.h"

namespace fovea {
namespace {

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
    rows.written.back().push_back(model.target.special().end);
    target.insert(target.begin(), model.first(reverse));
    rows.read.push_back(std::move(target));
  }
  return rows;
}

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
    std::vector<DecodeRequest> requests;
    for (std::size_t i = 0; i < whose.size(); ++i) {
      requests.push_back(translating.request(together[i], options.first + whose[i]));
    }
    auto found = decode(*translating.stepper(together), requests, translating.end(), options.decode,
                        translating.suppressed());
    for (std::size_t i = 0; i < whose.size(); ++i) {
      all[static_cast<std::size_t>(whose[i])] = translating.translations(
          lines[static_cast<std::size_t>(whose[i])], together[i], std::move(found[i]));
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
  const Decoded decoded = decoder.decode(joined(rows.read), (*model.net.encoder)(sources, {}), {},
                                         {.lag = model.recipe.decode.lag});
  const Tensor logs = log_softmax(decoder.out().logits(decoded.rows)).value();  // (N, V)
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
  model.net.decoder->decode(joined(rows.read), (*model.net.encoder)(sources, pass), pass,
                            {.lag = model.recipe.decode.lag});
}

}  // namespace fovea
