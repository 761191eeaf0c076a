#include "fovea/tasks/translate/translate.h"

#include <algorithm>

#include "fovea/ops/reduce.h"
#include "fovea/ops/softmax.h"

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
