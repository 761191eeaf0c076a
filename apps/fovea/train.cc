#include <csignal>
#include <cstdio>
#include <fstream>

#include "commands.h"
#include "fovea/serve/training_watch.h"
#include "fovea/tasks/training.h"
#include "fovea/train/limits.h"
#include "fovea/train/run_folder.h"
#include "fovea/train/stop_signals.h"

namespace fovea::app {
namespace {

struct TrainArguments {
  std::string recipe;
  std::filesystem::path out;
  std::vector<std::string> settings;
  bool resume = false, overwrite = false, quiet = false, show = false;
  bool watch = false;
  int port = 8081;  // of the page
};

/// The page that shows a training, if somebody wants to watch it.
std::unique_ptr<serve::TrainingWatch> watch_of(const TrainArguments& options) {
  if (!options.watch) return nullptr;
  auto watch = std::make_unique<serve::TrainingWatch>(serve::FrontConfig{.port = options.port});
  std::fprintf(stderr, "watch it at http://127.0.0.1:%d/#/training\n", watch->port());
  return watch;
}

/// Each setting on a line of its own, as --set takes it: train.clip=1.0
void print_settings(const Json& json, const std::string& name) {
  if (!json.is_object()) {
    std::printf("%s=%s\n", name.c_str(), json.dump().c_str());
    return;
  }
  for (const auto& [key, value] : json.items()) {
    print_settings(value, name.empty() ? key : name + "." + key);
  }
}

/// recipes/g2p-cmudict -> runs/g2p-cmudict
std::filesystem::path default_folder(const RecipeFile& file) {
  const auto name =
      file.path.filename() == "recipe.toml"
          ? std::filesystem::absolute(file.path).lexically_normal().parent_path().filename()
          : file.path.stem();
  return std::filesystem::path("runs") / name;
}

/// What was set when the run began, and what is set now. It is kept in the run's folder: who
/// resumes need not say it again.
std::vector<std::string> all_settings(const TrainArguments& options, const RunFolder& folder) {
  std::vector<std::string> all;
  if (std::ifstream file(folder.settings()); options.resume && file) {
    try {
      all = Json::parse(file).get<std::vector<std::string>>();
    } catch (const Json::exception&) {
      fail(ErrorKind::bad_file, folder.settings().string(),
           ": expected a list of settings; remove it, and give ", "what was set with --set");
    }
  }
  all.insert(all.end(), options.settings.begin(), options.settings.end());
  return all;
}

/// Tells what a recipe asks for that nothing can come of.
void note_what_is_idle(const Training& training, const Json& recipe) {
  if (training.has(Part::dev)) return;
  for (const char* setting : {"watch", "patience"}) {
    if (!recipe.contains(Json::json_pointer(concat("/train/", setting)))) continue;
    std::fprintf(stderr,
                 "note: train.%s has no effect, as there is no dev set: name its files in "
                 "data.dev, or give data.split a share\n",
                 setting);
  }
}

const char* signal_name(int signal) {
  if (signal == SIGINT) return "Ctrl-C";
  return signal == SIGTERM ? "SIGTERM" : "SIGUSR1";
}

/// What to do with a model next.
void print_what_next(const Training& training, const std::string& folder) {
  std::printf("The model is in %s. Try:\n  fovea run %s\n", folder.c_str(), folder.c_str());
  if (training.has(Part::test)) {
    std::printf("  fovea eval %s\n", folder.c_str());
  } else if (training.has(Part::dev)) {
    std::printf("  fovea eval %s --dev\n", folder.c_str());
  }
}

void train_command(const TrainArguments& options) {
  const RecipeFile plain = RecipeFile::open(options.recipe);
  const std::filesystem::path folder = options.out.empty() ? default_folder(plain) : options.out;
  TrainOptions how{.folder = folder,
                   .resume = options.resume,
                   .overwrite = options.overwrite,
                   .quiet = options.quiet};
  if (!options.show) check_folder(how);
  how.settings = all_settings(options, RunFolder(folder));
  const RecipeFile file = RecipeFile::open(options.recipe, *how.settings);
  const std::unique_ptr<Training> training = Training::of(file);
  if (options.show) return print_settings(training->settings(), "");
  check(training->config());
  note_what_is_idle(*training, file.json);
  how.recipe = training->settings();
  for (const char* about : {"title", "paper", "figures"}) how.recipe.erase(about);
  const bool goes_on = options.resume && RunFolder(folder).used();
  if (options.resume && !goes_on) {
    std::fprintf(stderr, "note: there is no run in %s to go on with; a new one begins\n",
                 folder.c_str());
  }
  const std::unique_ptr<serve::TrainingWatch> watch = watch_of(options);
  if (!options.quiet) {
    std::fprintf(stderr, "reading the data%s\n", goes_on ? "" : " and learning the tokenizers");
  }
  RunFolder(folder).prepare();
  const std::unique_ptr<Workload> work = training->workload(folder, options.resume);
  if (!options.quiet) {
    std::fprintf(stderr, "%lld examples, %lld parameters, to %s\n",
                 static_cast<long long>(work->examples()),
                 static_cast<long long>(work->params().size()), folder.c_str());
    for (const std::string& note : work->notes()) {
      std::fprintf(stderr, "note: %s\n", note.c_str());
    }
  }
  if (watch) how.watcher = [&](const std::string& line) { watch->tell(line); };
  const StopSignals signals;
  how.stop = [&] { return signals.received() != 0; };
  const TrainResult result = train(*work, training->config(), how);
  if (watch) watch->end(result.stopped ? "stopped" : "finished");
  if (result.stopped) {
    const int signal = signals.received();
    std::fprintf(stderr,
                 "saved and stopped by %s after step %lld; to go on: fovea train %s --out %s "
                 "--resume\n",
                 signal_name(signal), static_cast<long long>(result.steps), options.recipe.c_str(),
                 folder.c_str());
    throw Exit{128 + signal};
  }
  if (result.best) {
    std::printf("%s %.4f on the validation set, after step %lld\n", result.best->name.c_str(),
                result.best->value, static_cast<long long>(result.best_step));
  }
  print_what_next(*training, folder.string());
}

}  // namespace

void add_train(CLI::App& app) {
  CLI::App* command = app.add_subcommand("train", "Train a model as a recipe says");
  auto options = std::make_shared<TrainArguments>();
  command
      ->add_option("recipe", options->recipe,
                   "Name of a recipe, a folder with recipe.toml, or a .toml file")
      ->required();
  command->add_option("--out", options->out, "Folder of the run; default: runs/<recipe>");
  command->add_option("--set", options->settings, "Another setting: --set train.steps=1000")
      ->allow_extra_args(false);
  command->add_flag("--resume", options->resume, "Go on where the run in the folder stopped");
  command->add_flag("--overwrite", options->overwrite, "Remove an earlier run in the folder");
  command->add_flag("--settings", options->show,
                    "Only list all settings, with what the recipe leaves to defaults");
  command->add_flag("--quiet", options->quiet, "No progress");
  command->add_flag("--watch", options->watch, "Show it in a browser, live");
  command->add_option("--port", options->port, "Of --watch; 0: any that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->footer(
      "Writes to the folder: the best model (config.json, model.safetensors, tokenizers),\n"
      "settings.json, checkpoints, metrics.jsonl, TensorBoard events, curve.svg and figure.svg.\n"
      "Ctrl-C, SIGTERM and SIGUSR1 save and stop.\n"
      "\n"
      "  fovea train g2p-cmudict                        to runs/g2p-cmudict\n"
      "  fovea train g2p-cmudict --watch                with a page to watch it\n"
      "  fovea train g2p-cmudict --resume               after Ctrl-C, or a crash\n"
      "  fovea train g2p-cmudict --set train.epochs=2 --set model.width=128 --out runs/small");
  command->callback([options] { train_command(*options); });
}

}  // namespace fovea::app
