/// Where did the model look? A Probe given to a forward pass keeps attention weights of the layers
/// it names, as the kernels compute them: exact, before dropout, without padding. What is not asked
/// for costs nothing; what is asked for costs its own size in memory and no more.
///
///   Probe probe({.where = "decoder.*.cross", .keep = Keep::top});
///   model(batch, {.probe = &probe});
///   for (const AttentionRecord& record : probe.records()) ...
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/ops/attend.h"
#include "fovea/ops/pairs.h"

namespace fovea {

enum class Keep {
  all,       // every weight
  top,       // the largest of each row, with the keys they belong to
  received,  // how much each key received, summed over the queries
};

struct ProbeConfig {
  std::string where = "*";  // names of layers; * stands for any characters
  Keep keep = Keep::all;
  Dim top = 8;                  // for Keep::top
  std::vector<Dim> heads = {};  // rising; none named: all
  Dim first_query = 0;          // rows of each sequence; negative: counted from its end
  Dim end_query = std::numeric_limits<Dim>::max();
  std::size_t limit = std::size_t(4) << 30;  // bytes; beyond it capture is refused, with the size
  bool or_top = false;                       // beyond it Keep::all becomes Keep::top
};

/// Whether a layer's name is one that a pattern stands for: * is any characters, also none.
bool matches(std::string_view pattern, std::string_view name);

/// The weights of one attention layer in one forward pass.
struct AttentionRecord {
  std::string layer;  // "decoder.3.cross"
  Keep keep = Keep::all;
  std::vector<Dim> heads;  // the chosen ones
  Dim top = 0;
  Dim first_query = 0, end_query = 0;
  Segments queries, keys;  // the sequences, in rows
  Tensor weights;          // f32 or f64, read through the functions below
  Tensor top_keys;         // i32

  Dim sequences() const { return queries.count(); }
  /// The chosen queries of a sequence: [first, last) of its rows.
  std::pair<Dim, Dim> chosen(Dim sequence) const;

  /// Keep::all: the weights of one sequence and the h-th chosen head, (chosen queries, keys).
  Tensor matrix(Dim sequence, Dim h) const;
  /// Keep::top: the largest weights of one sequence and head and whose they are,
  /// (chosen queries, top); where fewer keys are in reach, weight 0 of key -1.
  struct Top {
    Tensor weights, keys;
  };
  Top largest(Dim sequence, Dim h) const;
  /// Keep::received: for each key of a sequence, (keys).
  Tensor received(Dim sequence, Dim h) const;
};

class Probe {
 public:
  explicit Probe(ProbeConfig config = {});
  /// Something else than the rest for the layers that `config` names: all of a layer of few
  /// weights, while only the top is kept of others.
  void except(ProbeConfig config);

  const std::vector<AttentionRecord>& records() const { return records_; }
  /// The latest of a layer; null if there is none.
  const AttentionRecord* find(std::string_view layer) const;
  void clear() { records_.clear(); }

  // For attention layers:
  bool wants(std::string_view layer) const;
  /// Runs the fused kernel with a capture and keeps what it found.
  Var watch(const std::string& layer, Dim heads, const Segments& queries, const Segments& keys,
            const std::function<Var(AttendCapture*)>& run);
  /// Keeps weights (P, H) of the ordinary path.
  void keep(const std::string& layer, const Tensor& weights, const Pairs& pairs,
            const Segments& queries, const Segments& keys);

 private:
  AttentionRecord begin(const std::string& layer, Dim heads, const Segments& queries,
                        const Segments& keys, std::size_t element) const;
  /// What the layer is asked for; null: for nothing.
  const ProbeConfig* asked(std::string_view layer) const;
  std::vector<ProbeConfig> asks_;  // the first that names a layer counts
  std::vector<AttentionRecord> records_;
};

}  // namespace fovea
