/// The layers of nn as nodes, a function each. As in the models, x is rows (N, W): of a padded
/// batch all B S of them, padding too, which attention and pooling then leave out.
#pragma once

#include "fovea/nn/embedding.h"
#include "fovea/nn/feed_forward.h"
#include "fovea/nn/norm.h"
#include "fovea/onnx/graph.h"

namespace fovea::onnx {

/// (B, S) as (N).
Value flat(Graph& g, const Value& x);
Value activated(Graph& g, Activation f, const Value& x);
Value linear(Graph& g, const Linear& layer, const Value& x);
/// x W' + b with a weight (out, in) that has no layer of its own; `bias` may be undefined.
Value linear(Graph& g, const Var& weight, const Var& bias, const Value& x);
Value norm(Graph& g, const Norm& layer, const Value& x);
/// x / sqrt(mean(x^2) + eps) over each row.
Value rms(Graph& g, const Value& x, double eps);
Value embedding(Graph& g, const Embedding& table, const Value& ids);
Value feed_forward(Graph& g, const FeedForward& layer, const Value& x);

/// PE(p, c) = sin(p f_c + o_c): sines and cosines of all columns at once, computed in double
/// precision, as cos x = sin(x + pi/2). places (...) i64 -> (..., columns) f32.
Value waves(Graph& g, const Value& places, const std::vector<double>& frequencies,
            const std::vector<double>& offsets);

}  // namespace fovea::onnx
