#include "fovea/data/stretches.h"

#include <algorithm>

#include "fovea/base/check.h"
#include "fovea/base/rng.h"
#include "fovea/base/table_check.h"

namespace fovea {
namespace {

void check(Dim ids, Dim context, Dim sequences) {
  FOVEA_CHECK(ids >= 2, "stretches: a text of ", ids, " tokens has nothing to predict");
  FOVEA_CHECK(context >= 1 && sequences >= 1, ErrorKind::bad_setting,
              "stretches: expected a context and sequences of at ", "least 1, found ", context,
              " and ", sequences);
}

/// Sites far from those that a training step draws its dropout from.
Draws draws_of(const StretchConfig& config, Dim epoch) {
  return {config.seed, (std::uint64_t{1} << 63) + static_cast<std::uint64_t>(epoch)};
}

/// Where the first stretch of an epoch begins: at most half of a short text is left out.
Dim first_of(Dim ids, const StretchConfig& config, const Draws& draws) {
  const Dim reach = std::min(config.context, (ids - 1) / 2);
  return reach == 0 ? 0 : draws.below(0, static_cast<std::uint32_t>(reach));
}

}  // namespace

void check(const StretchConfig& config) {
  TableCheck("batch").sizes({{"context", config.context}, {"sequences", config.sequences}});
}

Stretches Stretches::shuffled(Dim ids, const StretchConfig& config, Dim epoch) {
  check(ids, config.context, config.sequences);
  const Draws draws = draws_of(config, epoch);
  const Dim first = first_of(ids, config, draws), predicted = ids - 1 - first;
  const Dim length = std::min(config.context, predicted);
  std::vector<Stretch> all;
  for (Dim begin = first; begin + length <= ids - 1; begin += length) {
    all.push_back({begin, length});
  }
  // Fisher and Yates, in the form of Durstenfeld 1964; draw 0 was the first place.
  for (auto left = static_cast<std::uint32_t>(all.size()); left > 1; --left) {
    std::swap(all[left - 1], all[draws.below(left, left)]);
  }
  Stretches stretches;
  const auto each = static_cast<std::size_t>(config.sequences);
  for (std::size_t i = 0; i < all.size(); i += each) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i);
    stretches.batches_.emplace_back(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(each, all.size() - i)));
  }
  return stretches;
}

Stretches Stretches::streams(Dim ids, const StretchConfig& config, Dim epoch) {
  check(ids, config.context, config.sequences);
  const Dim first = first_of(ids, config, draws_of(config, epoch));
  FOVEA_CHECK(ids - 1 - first >= config.sequences, ErrorKind::bad_setting, "stretches: a text of ",
              ids, " tokens is too short for ", config.sequences,
              " streams; lower batch.sequences");
  Stretches stretches;
  stretches.add_streams(first, ids - 1 - first, config.sequences, config.context);
  return stretches;
}

Stretches Stretches::streams(Dim ids, Dim count, Dim context) {
  check(ids, context, count);
  Stretches stretches;
  stretches.add_streams(0, ids - 1, std::min(count, ids - 1), context);
  return stretches;
}

/// Streams differ in length by at most one, which the last batch has more.
void Stretches::add_streams(Dim first, Dim predicted, Dim count, Dim context) {
  const Dim base = predicted / count, longer = predicted % count;
  for (Dim at = 0; at < base; at += context) {
    const bool last = at + context >= base;
    auto& batch = batches_.emplace_back();
    for (Dim s = 0; s < count; ++s) {
      const Dim begin = first + s * base + std::min(s, longer) + at;
      batch.push_back({begin, last ? base + (s < longer ? 1 : 0) - at : context});
    }
  }
}

Stretches Stretches::sliding(Dim ids, Dim context, Dim stride, Dim sequences) {
  check(ids, context, sequences);
  FOVEA_CHECK(stride >= 1 && stride <= context, ErrorKind::bad_setting,
              "stretches: expected a stride of 1 to ", context, ", the context; found ", stride);
  Stretches stretches;
  for (Dim begin = 0, done = 0; done < ids - 1; begin += stride) {
    const Dim end = std::min(begin + context, ids - 1);
    if (stretches.batches_.empty() || std::ssize(stretches.batches_.back()) == sequences) {
      stretches.batches_.emplace_back();
    }
    stretches.batches_.back().push_back({begin, end - begin, done - begin});
    done = end;
  }
  return stretches;
}

}  // namespace fovea
