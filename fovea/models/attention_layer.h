/// What a model declares of each layer whose weights a probe can see, so that nobody infers it from
/// the layer's name.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

/// What the rows or columns of a layer's weights stand for.
enum class RowsOf {
  source,  // what the encoder read
  target,  // tokens that the decoder writes
  prefix,  // tokens that the decoder was given when it wrote each target
  steps,   // repetitions of one layer
};
constexpr std::array<std::string_view, 4> names_of(RowsOf) {
  return {"source", "target", "prefix", "steps"};
}

struct AttentionLayer {
  enum class Kind {
    attention,
    halting,  // the share that each step has in a row's result: models/halting.h
    drawn,    // 1 at the key that hard attention drew, 0 elsewhere
  };

  std::string name;  // as a probe knows it: "decoder.3.cross"
  RowsOf queries = RowsOf::source, keys = RowsOf::source;
  Dim heads = 1;
  Kind kind = Kind::attention;
  std::string drawn_from = {};  // of Kind::drawn: the layer whose weights are the probabilities

  /// Whether targets attend to the source.
  bool cross() const {
    return kind == Kind::attention && queries == RowsOf::target && keys == RowsOf::source;
  }
};

using AttentionLayers = std::vector<AttentionLayer>;

}  // namespace fovea
