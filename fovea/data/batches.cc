#include "fovea/data/batches.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/base/rng.h"
#include "fovea/base/table_check.h"

namespace fovea {
namespace {

/// Fisher and Yates, in the form of Durstenfeld 1964.
template <class T>
void shuffle(std::vector<T>& items, const Draws& draws) {
  for (auto left = static_cast<std::uint32_t>(items.size()); left > 1; --left) {
    std::swap(items[left - 1], items[draws.below(left, left)]);
  }
}

/// Sites far from those that a training step draws its dropout from, two an epoch.
Draws draws_of(const BatchConfig& config, Dim epoch, std::uint64_t use) {
  return {config.seed, (std::uint64_t{1} << 63) + 2 * static_cast<std::uint64_t>(epoch) + use};
}

/// The product, or the largest number if that is larger.
Dim times(Dim a, Dim b) {
  constexpr Dim most = std::numeric_limits<Dim>::max();
  return a > most / b ? most : a * b;
}

/// Rows and sequences until a limit is reached.
struct Filling {
  Dim row_limit, sequence_limit;  // no limit of sequences if 0
  Dim rows = 0, sequences = 0;

  /// Whether this example still fits; the first always does.
  bool take(Dim more) {
    const bool fits = sequences == 0 || (more <= row_limit - rows &&
                                         (sequence_limit == 0 || sequences < sequence_limit));
    if (fits) rows += more, ++sequences;
    return fits;
  }
};

}  // namespace

void check(const BatchConfig& config) {
  const TableCheck batch("batch");
  batch.sizes({{"rows", config.rows}, {"pool", config.pool}});
  batch.at_least("sequences", 0, config.sequences);
}

Batches::Batches(std::span<const std::int32_t> rows) : order_(rows.size()) {
  FOVEA_CHECK(rows.size() < std::numeric_limits<std::uint32_t>::max(), ErrorKind::too_large,
              "batches: ", rows.size(), " examples are too many: below 2^32 can be numbered");
  const auto negative = std::find_if(rows.begin(), rows.end(), [](auto n) { return n < 0; });
  FOVEA_CHECK(negative == rows.end(), "batches: example ", negative - rows.begin(), " has ",
              *negative, " rows");
  std::iota(order_.begin(), order_.end(), 0U);
}

Batches::Batches(std::span<const std::int32_t> rows, const BatchConfig& config, Dim epoch)
    : Batches(rows) {
  check(config);
  shuffle(order_, draws_of(config, epoch, 0));
  const auto count = static_cast<std::uint32_t>(order_.size());
  for (std::uint32_t begin = 0, end = 0; begin < count; begin = end) {
    Filling pool{times(config.rows, config.pool), times(config.sequences, config.pool)};
    while (end < count && pool.take(rows[order_[end]])) ++end;
    sort_and_cut({begin, end}, rows, config);
  }
  shuffle(batches_, draws_of(config, epoch, 1));
}

Batches Batches::unshuffled(std::span<const std::int32_t> rows, const BatchConfig& config) {
  check(config);
  Batches all(rows);
  all.sort_and_cut({0, static_cast<std::uint32_t>(rows.size())}, rows, config);
  return all;
}

void Batches::sort_and_cut(Range pool, std::span<const std::int32_t> rows,
                           const BatchConfig& config) {
  std::stable_sort(order_.begin() + pool.begin, order_.begin() + pool.end,
                   [&](std::uint32_t a, std::uint32_t b) { return rows[a] < rows[b]; });
  for (std::uint32_t begin = pool.begin, end = begin; begin < pool.end; begin = end) {
    Filling batch{config.rows, config.sequences};
    while (end < pool.end && batch.take(rows[order_[end]])) ++end;
    batches_.push_back({begin, end});
  }
}

}  // namespace fovea
