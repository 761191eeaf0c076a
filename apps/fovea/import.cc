#include <cstdio>
#include <memory>

#include "commands.h"
#include "fovea/base/progress.h"
#include "fovea/config/config.h"
#include "fovea/tasks/import_hub.h"

namespace fovea::app {
namespace {

struct ImportArguments {
  HubImport import;
  bool quiet = false;
};

void import_command(const ImportArguments& options) {
  HubImport import = options.import;
  Progress progress({.quiet = options.quiet});
  import.progress = [&](double part, const std::string& what) {
    if (progress.due()) progress.show(part, what);
};
const Imported made = import_hub(import);
for (const std::string& note : made.notes) progress.say("note: " + note);
std::printf("%s: a %s of %s numbers for the task %s\n", import.out.c_str(), made.type.c_str(),
            show_count(static_cast<double>(made.parameters)).c_str(), made.task.data());
}  // namespace

}  // namespace fovea::app

void add_import(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("import", "Make a model of a checkpoint of Hugging Face's");
  auto options = std::make_shared<ImportArguments>();
  command
      ->add_option("folder", options->import.folder,
                   "With config.json, safetensors and the tokenizer's files")
      ->required();
  command->add_option("--out", options->import.out, "Folder to write the model to")->required();
  command->add_option("--weights", options->import.weights,
                      "A .safetensors file, instead of the folder's");
  command->add_option(
      "--task", options->import.task,
      "embed, mask, classify, tag, answer, language or translate; default: what its head is for");
  command->add_flag("--quiet", options->quiet, "Say nothing while it goes on");
  command->callback([options] { import_command(*options); });
  command->footer(
      "  fovea import all-MiniLM-L6-v2 --out runs/minilm\n"
      "  fovea run runs/minilm \"A dog runs.\"\n"
      "  fovea train sst2-minilm                      begins with it");
}

}  // namespace fovea::app
