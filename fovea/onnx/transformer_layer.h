/// The layers of models/transformer_layer.h as nodes.
#pragma once

#include "fovea/models/encoder_stack.h"
#include "fovea/onnx/attention.h"

namespace fovea::onnx {

Value encoder_stack(Graph& g, const EncoderStack& stack, Value x, const Batch& batch);
Value decoder_layer(Graph& g, const DecoderLayer& layer, const Value& x, const Batch& batch,
                    const Surroundings& around, const SeenMemory& memory);

}  // namespace fovea::onnx
