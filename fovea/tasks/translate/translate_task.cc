#include "fovea/onnx/translator.h"
#include "fovea/tasks/legacy_task.h"
#include "fovea/tasks/translate/import_marian.h"
#include "fovea/tasks/translate/translate_runner.h"
#include "fovea/tasks/translate/translate_workload.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> write_translator(const fs::path& from, const fs::path& out) {
  const auto model = TranslationModel::load(from);
  const auto* encoder = dynamic_cast<const TransformerEncoder*>(model.net.encoder.get());
  const auto* decoder = dynamic_cast<const TransformerDecoder*>(model.net.decoder.get());
  FOVEA_CHECK(encoder && decoder,
              "only translators with model.family = \"transformer\" are written as ONNX");
  FOVEA_CHECK(!model.neighbours,
              "a translator with data.neighbours looks pairs up, which ONNX does ",
              "not; train one without to write it");
  onnx::Graph first(*model.params), second(*model.params);
  onnx::add_encoder(first, *encoder);
  onnx::add_decoder(second, *decoder);
  fs::create_directories(out);
  const std::vector<fs::path> files = {out / "encoder_model.onnx", out / "decoder_model.onnx"};
  first.write(files[0]);
  second.write(files[1]);
  return files;
}

}  // namespace

extern constexpr Task translate_task = {
    .name = "translate",
    .training = legacy_training<TranslateRecipe, TranslateWorkload>,
    .load = load_runner<TranslateRunner>,
    .imports = is_marian,
    .import_hub = import_marian,
    .export_onnx = write_translator};

}  // namespace fovea
