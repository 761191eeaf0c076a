/// Encoders of texts as nodes, from ids to rows. Inputs are called as Hugging Face's exports call
/// them: input_ids, attention_mask and, if the model tells texts of a pair apart, token_type_ids,
/// all (batch_size, sequence_length) i64.
#pragma once

#include "fovea/models/text_encoder.h"
#include "fovea/models/text_pooler.h"
#include "fovea/onnx/attention.h"

namespace fovea::onnx {

/// The axes of a padded batch of texts.
inline const Extent texts = {.name = "batch_size"}, places = {.name = "sequence_length"};

struct EncodedTexts {
  Value rows;  // (N, W)
  Dim width;
  Batch batch;
};

/// Transformers only; an Error names the setting that is not written.
EncodedTexts encode_texts(Graph& g, const TextEncoder& encoder);

/// x with what is told of places: models/places.h.
Value with_places(Graph& g, const Places& told, Dim width, const Value& x, const Batch& batch);

/// (B, W): models/text_pooler.h.
Value pooled(Graph& g, const TextPooler& pooler, const EncodedTexts& encoded);
/// (B, W): models/context_attention.h.
Value context_attention(Graph& g, const ContextAttention& layer, const EncodedTexts& encoded);

}  // namespace fovea::onnx
