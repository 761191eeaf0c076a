/// The layers of models/transformer_layer.h as nodes.
#pragma once

#include "fovea/models/transformer_layer.h"
#include "fovea/onnx/attention.h"

namespace fovea::onnx {

Value encoder_layer(Graph& g, const EncoderLayer& layer, const Value& x, const Batch& batch,
                    const Surroundings& around);
Value decoder_layer(Graph& g, const DecoderLayer& layer, const Value& x, const Batch& batch,
                    const Surroundings& around, const SeenMemory& memory);

}  // namespace fovea::onnx
