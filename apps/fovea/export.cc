#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "fovea/tasks/export_onnx.h"

namespace fovea::app {
namespace {

struct Options {
  std::filesystem::path model, onnx;
};

void export_command(const Options& options) {
  for (const std::filesystem::path& file : export_onnx(options.model, options.onnx)) {
    std::printf("%s: %ju bytes\n", file.c_str(),
                static_cast<std::uintmax_t>(std::filesystem::file_size(file)));
  }
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write a model for the programs of others");
  auto options = std::make_shared<Options>();
  command->add_option("model", options->model, "Folder of a trained model")->required();
  command
      ->add_option("--onnx", options->onnx,
                   "File to write as ONNX; of a translator the folder of two")
      ->required();
  command->footer(
      "docs/checkpoints.md says what goes into such files and what comes out.\n"
      "\n"
      "  fovea export runs/bert-small --onnx bert.onnx\n"
      "  fovea export runs/multi30k-en-de --onnx multi30k-en-de.onnx");
  command->callback([options] { export_command(*options); });
}

}  // namespace fovea::app
