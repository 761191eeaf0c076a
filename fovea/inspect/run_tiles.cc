#include "fovea/inspect/run_tiles.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fovea {
namespace {

constexpr std::string_view kRollout = "rollout:";
constexpr Dim kMostBytes = Dim(4) << 20;
constexpr Dim kMostRolled = Dim(64) << 20;  // bytes of the rows that rollout works on
constexpr Dim kLongestStep = 4096;

bool is_rollout(std::string_view layer) { return layer.starts_with(kRollout); }
std::string_view plain_name(std::string_view layer) {
  return is_rollout(layer) ? layer.substr(kRollout.size()) : layer;
}

/// Gives rows of one picture: a head, the mean of the heads, or rollout.
class Picture {
 public:
  Picture(const RunRecord& record, std::string_view name, HeadChoice head, Dim q0, Dim q1)
      : layer_(record.layer(plain_name(name))),
        head_(head),
        q0_(q0),
        row_(static_cast<std::size_t>(layer_.cols)) {
    if (is_rollout(name)) {
      FOVEA_CHECK(head.kind == HeadChoice::Kind::mean,
                  "rollout is of the mean of the heads: expected head=mean");
      rolled_ = rollout(record, layer_.name, q0, q1);
    }
    if (head.kind == HeadChoice::Kind::one) place_ = layer_.place_of(head.number);
  }

  /// Valid until the next call.
  std::span<const float> row(Dim query) {
    if (!rolled_.empty()) {
      return std::span(rolled_).subspan(static_cast<std::size_t>((query - q0_) * layer_.cols),
                                        row_.size());
    }
    std::fill(row_.begin(), row_.end(), 0.0F);
    if (head_.kind == HeadChoice::Kind::mean) {
      layer_.add_mean(query, row_);
    } else {
      layer_.visit(place_, query,
                   [&](Dim key, float weight) { row_[static_cast<std::size_t>(key)] = weight; });
    }
    return row_;
  }

 private:
  const RunRecord::Layer& layer_;
  HeadChoice head_;
  Dim q0_;
  Dim place_ = 0;
  std::vector<float> row_, rolled_;
};

Dim blocks(Dim begin, Dim end, Dim step) { return (end - begin + step - 1) / step; }

void check(const RunRecord::Layer& layer, const TileRequest& r) {
  FOVEA_CHECK(r.q0 >= 0 && r.q0 < r.q1 && r.q1 <= layer.rows && r.k0 >= 0 && r.k0 < r.k1 &&
                  r.k1 <= layer.cols,
              "tile: queries ", r.q0, " to ", r.q1, " and keys ", r.k0, " to ", r.k1,
              " are not a part of the ", layer.rows, " x ", layer.cols, " of '", layer.name, "'");
  FOVEA_CHECK(r.step >= 1 && r.step <= kLongestStep && (r.step & (r.step - 1)) == 0,
              "tile: expected a step that is a power of two up to ", kLongestStep, ", found ",
              r.step);
  const Dim pictures = r.head.kind == HeadChoice::Kind::all ? layer.head_count() : 1;
  const Dim bytes = 2 * pictures * blocks(r.q0, r.q1, r.step) * blocks(r.k0, r.k1, r.step);
  if (bytes > kMostBytes) {
    fail(ErrorKind::too_large, "tile: ", bytes, " bytes were asked for, at most ", kMostBytes,
         " are given at once; ask for fewer rows or a larger step");
  }
}

void append(Picture picture, const TileRequest& r, std::string& out) {
  const Dim columns = blocks(r.k0, r.k1, r.step);
  std::vector<float> largest(static_cast<std::size_t>(columns));
  for (Dim top = r.q0; top < r.q1; top += r.step) {
    std::fill(largest.begin(), largest.end(), 0.0F);
    for (Dim q = top; q < std::min(top + r.step, r.q1); ++q) {
      const std::span<const float> row = picture.row(q);
      for (Dim k = r.k0; k < r.k1; ++k) {
        float& to = largest[static_cast<std::size_t>((k - r.k0) / r.step)];
        to = std::max(to, row[static_cast<std::size_t>(k)]);
      }
    }
    for (const float weight : largest) {
      const std::uint16_t number = in_16_bits(weight);
      out += static_cast<char>(number & 255);
      out += static_cast<char>(number >> 8);
    }
  }
}

/// A = (W + I) / 2 of one row, or I where nothing was kept of it.
void rollout_row(const RunRecord::Layer& layer, Dim row, std::vector<float>& a) {
  std::fill(a.begin(), a.end(), 0.0F);
  layer.add_mean(row, a);
  float sum = 0;
  for (const float weight : a) sum += weight;
  for (float& weight : a) weight *= sum > 0 ? 0.5F / sum : 0;
  a[static_cast<std::size_t>(row)] += sum > 0 ? 0.5F : 1;
}

}  // namespace

std::uint16_t in_16_bits(float weight) {
  const float safe = weight > 0 ? std::min(weight, 1.0F) : 0;  // also of NaN
  return static_cast<std::uint16_t>(std::lround(safe * 65535));
}

HeadChoice HeadChoice::parse(std::string_view text) {
  if (text == "mean") return {Kind::mean};
  if (text == "all") return {Kind::all};
  Dim number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  FOVEA_CHECK(error == std::errc() && end == text.data() + text.size() && number >= 0,
              "head: expected a number, 'mean' or 'all', found '", text, "'");
  return {Kind::one, number};
}

std::string tile(const RunRecord& record, const TileRequest& request) {
  const RunRecord::Layer& layer = record.layer(plain_name(request.layer));
  check(layer, request);
  std::string out;
  const auto add = [&](HeadChoice head) {
    append(Picture(record, request.layer, head, request.q0, request.q1), request, out);
  };
  if (request.head.kind != HeadChoice::Kind::all || is_rollout(request.layer)) {
    add(request.head);
  } else {
    for (const Dim head : layer.heads) add({HeadChoice::Kind::one, head});
  }
  return out;
}

std::vector<float> received(const RunRecord& record, const std::string& name, HeadChoice head) {
  FOVEA_CHECK(head.kind != HeadChoice::Kind::all, "received: expected a head's number or 'mean'");
  const RunRecord::Layer& layer = record.layer(plain_name(name));
  std::vector<float> sums(static_cast<std::size_t>(layer.cols), 0);
  Picture picture(record, name, head, 0, layer.rows);
  for (Dim q = 0; q < layer.rows; ++q) {
    const std::span<const float> row = picture.row(q);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += row[k];
  }
  return sums;
}

std::vector<LayerMeasures> measures(const RunRecord& record) {
  std::vector<LayerMeasures> all;
  for (const RunRecord::Layer& layer : record.layers) {
    LayerMeasures& of = all.emplace_back(LayerMeasures{layer.name, {}, {}});
    for (Dim h = 0; h < layer.head_count(); ++h) {
      double entropy = 0, distance = 0, rows = 0;
      for (Dim q = 0; q < layer.rows; ++q) {
        double sum = 0, logs = 0, way = 0;
        layer.visit(h, q, [&](Dim key, float w) {
          const double weight = w;
          sum += weight;
          logs += weight * std::log2(weight);
          way += weight * static_cast<double>(std::abs(q - key));
        });
        if (sum <= 0) continue;
        // With p = w / sum: -sum p log2 p = log2 sum - (sum w log2 w) / sum.
        entropy += std::log2(sum) - logs / sum;
        distance += way / sum;
        ++rows;
      }
      of.entropy.push_back(entropy / std::max(rows, 1.0));
      if (layer.queries == layer.keys) of.distance.push_back(distance / std::max(rows, 1.0));
    }
  }
  return all;
}

std::vector<float> rollout(const RunRecord& record, std::string_view name, Dim begin, Dim end) {
  const RunRecord::Layer& last = record.layer(name);
  FOVEA_CHECK(last.queries == last.keys, "rollout: '", name, "' looks at another sequence (",
              last.keys, ") than its own (", last.queries, ")");
  const Dim n = last.cols, rows = end - begin;
  FOVEA_CHECK(begin >= 0 && begin <= end && end <= n, "rollout: rows ", begin, " to ", end, " of ",
              n);
  if (rows * n * static_cast<Dim>(sizeof(float)) > kMostRolled) {
    fail(ErrorKind::too_large, "rollout: ", rows, " rows of ", n, " tokens are too many at once");
  }
  // From the last layer down: only the rows that were asked for are ever multiplied.
  const auto size = static_cast<std::size_t>(rows * n);
  std::vector<float> result(size, 0), next(size), a(static_cast<std::size_t>(n));
  for (Dim r = 0; r < rows; ++r) result[static_cast<std::size_t>(r * n + begin + r)] = 1;
  const auto stop = &last - record.layers.data();
  for (auto i = stop; i >= 0; --i) {
    const RunRecord::Layer& layer = record.layers[static_cast<std::size_t>(i)];
    if (layer.queries != last.queries || layer.keys != last.queries) continue;
    std::fill(next.begin(), next.end(), 0.0F);
    for (Dim k = 0; k < n; ++k) {
      rollout_row(layer, k, a);
      for (Dim r = 0; r < rows; ++r) {
        const float share = result[static_cast<std::size_t>(r * n + k)];
        if (share == 0) continue;
        float* to = next.data() + r * n;
        for (Dim j = 0; j < n; ++j) to[j] += share * a[static_cast<std::size_t>(j)];
      }
    }
    result.swap(next);
  }
  return result;
}

}  // namespace fovea
