/// The Universal Transformer: Dehghani et al. 2019, "Universal Transformers".
///
/// One layer is applied again and again to all positions, each time told where a row stands and
/// which step it is; each position halts by itself (models/halting.h), and a row that has halted
/// stays as it is for the others to look at.
///
///   x_t = layer(x_t-1 + P_t),   P_t[i] = PE(i) + PE(t)        eq. 2 to 7; PE: nn/positions.h
///
/// Positions that layers learn from distances (relative, relation-aware, rotary) stand in the place
/// of PE(i).
///
/// Letters: M rows of sources, N rows of targets, W width, T steps.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fovea/models/halting.h"
#include "fovea/models/transformer.h"

namespace fovea {

/// The settings of a Transformer's layer, and how it is repeated. There are no other layers, no lag
/// and no n-grams.
struct UniversalConfig : TransformerConfig {
  Dim steps = 6;         // at most, or with halting = false always
  bool halting = true;   // each position by itself
  double margin = 0.01;  // halting.h
  double ponder = 0.01;  // weight of the cost of pondering, a row's mean, beside the loss

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("source_vocabulary", source_vocabulary);
    visit("target_vocabulary", target_vocabulary);
    visit("steps", steps);
    visit("halting", halting);
    visit("margin", margin);
    visit("ponder", ponder);
    visit("width", width);
    visit("heads", heads);
    visit("hidden", hidden);
    visit("activation", activation);
    visit("norm", norm);
    visit("positions", positions);
    visit("longest", longest);
    visit("offset", offset);
    visit("tied", tied);
    visit("dropout", dropout);
    visit("attention_dropout", attention_dropout);
    visit("activation_dropout", activation_dropout);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const UniversalConfig& config);

/// What repeats a layer.
struct Repetition {
  std::string name;
  UniversalConfig config;
  Places places;
  std::optional<HaltingUnit> unit;
  std::optional<Norm> norm;  // pre-norm only

  Repetition(Scope s, const UniversalConfig& config);
  /// `begins`: the place of each sequence's first row; `layer`: step t, from 0, of x_t-1 + P_t.
  /// `ponder`, if there is halting, receives the cost of all rows.
  Var operator()(Var x, const Segments& segments, std::span<const Dim> begins, const Pass& pass,
                 const std::function<Var(Dim step, const Var& x)>& layer, Var& ponder) const;
  /// Adds what a probe sees of the halting of these rows, if there is any.
  void add_halting(RowsOf rows, AttentionLayers& layers) const;
  std::string halting_name() const { return name + ".halting"; }
};

struct UniversalEncoder : Encoder {
  UniversalConfig config;
  Embedding tokens;
  std::vector<EncoderLayer> steps;  // one layer under the name of each step
  Repetition repeat;

  UniversalEncoder(Scope s, const UniversalConfig& config);
  Encoded operator()(const Sequences& sources, const Pass& pass) const override;
  AttentionLayers attention_layers() const override;
};

struct UniversalDecoder : Decoder {
  UniversalConfig config;
  Embedding tokens;
  std::vector<DecoderLayer> steps;
  Repetition repeat;
  OutputLayer last;

  /// `source`: the embedding to share with Tied::all.
  UniversalDecoder(Scope s, const UniversalConfig& config, const Embedding& source);

  Decoded decode(const Sequences& targets, const Encoded& source, const Pass& pass,
                 const DecoderOptions& options) const override;
  const OutputLayer& out() const override { return last; }
  AttentionLayers attention_layers() const override;
};

}  // namespace fovea
