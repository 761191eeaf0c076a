/// The Transformer as two graphs, called as Hugging Face's exports call them: an encoder that runs
/// once a source, and a decoder that is given all that was written so far (without a cache).
///
///   encoder:  input_ids, attention_mask (batch_size, encoder_sequence_length)
///             -> last_hidden_state (batch_size, encoder_sequence_length, W)
///   decoder:  input_ids (batch_size, decoder_sequence_length), encoder_hidden_states,
///             encoder_attention_mask -> logits (batch_size, decoder_sequence_length, V)
#pragma once

#include "fovea/models/transformer.h"
#include "fovea/onnx/graph.h"

namespace fovea::onnx {

/// Errors name the setting that is not written.
void add_encoder(Graph& g, const TransformerEncoder& encoder);
void add_decoder(Graph& g, const TransformerDecoder& decoder);

}  // namespace fovea::onnx
