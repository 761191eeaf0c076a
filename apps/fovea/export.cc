#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "fovea/tasks/export_hub.h"
#include "fovea/tasks/export_onnx.h"

namespace fovea::app {
namespace {

struct ExportArguments {
  std::filesystem::path model, onnx, hf;
};

void export_command(const ExportArguments& options) {
  FOVEA_CHECK(!options.onnx.empty() || !options.hf.empty(), ErrorKind::bad_setting,
              "export: as what? Give --onnx FILE, --hf FOLDER or both");
  if (!options.onnx.empty()) {
    for (const std::filesystem::path& file : export_onnx(options.model, options.onnx)) {
      std::printf("%s: %ju bytes\n", file.c_str(),
                  static_cast<std::uintmax_t>(std::filesystem::file_size(file)));
    }
  }
  if (options.hf.empty()) return;
  const HubExported exported = export_hub(options.model, options.hf);
  for (const std::string& note : exported.notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  std::printf("%s: a %s\n", options.hf.c_str(), exported.architecture.c_str());
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write a model for the programs of others");
  auto options = std::make_shared<ExportArguments>();
  command->add_option("model", options->model, "Folder of a trained model")->required();
  command->add_option("--onnx", options->onnx,
                      "File to write as ONNX; of a translator the folder of two");
  command->add_option("--hf", options->hf,
                      "Folder to write as Hugging Face's transformers loads it");
  command->footer(
      "docs/checkpoints.md says what goes into such files and what comes out.\n"
      "\n"
      "  fovea export runs/bert-small --onnx bert.onnx\n"
      "  fovea export runs/multi30k-en-de --onnx multi30k-en-de-onnx\n"
      "  fovea export runs/minilm --hf minilm");
  command->callback([options] { export_command(*options); });
}

}  // namespace fovea::app
