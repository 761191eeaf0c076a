/// SentencePiece's models, which may come from anywhere. Internal to the room.
#pragma once

#include <sentencepiece_processor.h>

#include <memory>
#include <string>

namespace fovea::text {

/// An Error if the model is none. SentencePiece believes its table of replacements and reads
/// beyond its end if that is damaged: the table is walked through before.
std::unique_ptr<sentencepiece::SentencePieceProcessor> open_sentencepiece(const std::string& model);

}  // namespace fovea::text
