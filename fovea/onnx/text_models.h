/// The models of the text tasks as nodes: an encoder and its head. Outputs are called as Hugging
/// Face's exports call them; scores, not probabilities, so that programs may do with them as they
/// do with theirs.
///
/// Letters: B texts, S places, V vocabulary, C classes or tags, W width.
#pragma once

#include "fovea/models/answerer.h"
#include "fovea/models/encoder_classifier.h"
#include "fovea/models/language_model.h"
#include "fovea/models/masked_model.h"
#include "fovea/models/sentence_encoder.h"
#include "fovea/models/tagger.h"
#include "fovea/onnx/graph.h"

namespace fovea::onnx {

/// logits (B, S, V): of the token at each place.
void add_model(Graph& g, const MaskedModel& model);
/// logits (B, S, V): of the token after each place.
void add_model(Graph& g, const LanguageModel& model);
/// token_embeddings (B, S, W), sentence_embedding (B, W), of length 1 if so wanted.
void add_model(Graph& g, const SentenceEncoder& model);
/// logits (B, C).
void add_model(Graph& g, const EncoderClassifier& model);
/// logits (B, S, C): of each place, of which a word's first counts. With a conditional random field
/// also transitions (C, C), begin (C) and end (C), which are added to logits along a path.
/// With intents also intent_logits (B, I): then each place must be a word.
void add_model(Graph& g, const Tagger& model);
/// start_logits and end_logits (B, S); token_type_ids are what Answerer::rows_of calls kinds.
void add_model(Graph& g, const Answerer& model);

}  // namespace fovea::onnx
