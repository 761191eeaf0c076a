/// A trained model as ONNX, for the runtimes of others: onnx/text_models.h and onnx/translator.h
/// say what goes in and comes out. Text becomes ids by the model's own tokenizer.
#pragma once

#include <filesystem>
#include <vector>

namespace fovea {

/// Gives the files that were written: `out`, or in the folder `out` those of a translator, which
/// are two (encoder_model.onnx, decoder_model.onnx). Errors name the task or setting that is not
/// written.
std::vector<std::filesystem::path> export_onnx(const std::filesystem::path& model,
                                               const std::filesystem::path& out);

}  // namespace fovea
