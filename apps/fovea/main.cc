// fovea: trains, runs, serves and looks inside attention models on ordinary CPUs.
//
// An error is a line on stderr, and its kind an exit code: see kExitCodes.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "commands.h"
#include "fovea/base/check.h"
#include "fovea/base/file_error.h"
#include "fovea/base/threads.h"
#include "fovea/kernels/instruction_sets.h"
#include "usage.h"

namespace fovea::app {
namespace {

constexpr const char* kAbout =
    "Attention models on ordinary CPUs: trained, run, served and looked into.\n"
    "\n"
    "  fovea recipes                               what there is to train, and how well it does\n"
    "  fovea train multi30k-en-de                  trains it; Ctrl-C saves, --resume goes on\n"
    "  fovea run runs/multi30k-en-de \"A dog runs.\"  translates; without text, lines of stdin\n"
    "  fovea eval runs/multi30k-en-de              its figure on the test set\n"
    "  fovea look runs/multi30k-en-de \"A dog runs.\" which word looked at which\n"
    "  fovea serve runs/multi30k-en-de             over HTTP, with a page to look into it\n";

constexpr const char* kExitCodes =
    "Exit codes:\n"
    "  0         done\n"
    "  1         wrong input, and what no other code is for\n"
    "  2         a command line that is not understood, or without a command\n"
    "  3         a wrong setting: in a recipe, in --set or in another option\n"
    "  4         a file that cannot be read or written, is damaged, or is of something else\n"
    "  5         a file, model, recipe or data set that is not found\n"
    "  6         beyond a limit or the memory\n"
    "  7         an internal error; please report it\n"
    "  130, 143  stopped by Ctrl-C or SIGTERM; a training has saved\n"
    "  138       a training saved and was stopped by SIGUSR1";

constexpr int kUsage = 2;

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
      return 1;
    case ErrorKind::bad_setting:
      return 3;
    case ErrorKind::bad_file:
      return 4;
    case ErrorKind::not_found:
      return 5;
    case ErrorKind::too_large:
      return 6;
    case ErrorKind::internal:
      break;
  }
  return 7;
}

void add_commands(CLI::App& app) {
  add_recipes(app);
  add_train(app);
  add_run(app);
  add_eval(app);
  add_look(app);
  add_import(app);
  add_export(app);
  add_serve(app);
  add_data(app);
  add_tokenizer(app);
  add_doctor(app);
  add_completion(app);
}

/// Help that was asked for goes to stdout, complaints to stderr.
int answer(const CLI::App& app, const CLI::ParseError& error, std::span<const std::string> words) {
  if (error.get_exit_code() == 0) return app.exit(error);
  std::fputs((words.empty() ? app.help() : complaint(app, error, words)).c_str(), stderr);
  return kUsage;
}

/// What was typed after the program's name. `fovea help data get` is `fovea data get --help`.
std::vector<std::string> words_of(int count, char** values) {
  std::vector<std::string> words(values + 1, values + count);
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

/// CLI11 takes the word "[a, b]" apart as a list, and "++" for the end of a command. To people both
/// are texts: a byte that no word has keeps them whole until an option has them.
constexpr char kWhole = '\0';

std::vector<std::string> kept_whole(std::vector<std::string> words) {
  for (std::string& word : words) {
    if (word == "++" || (word.starts_with('[') && word.ends_with(']'))) word += kWhole;
  }
  return words;
}

void take_whole(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    option->transform([](std::string word) {
      if (word.ends_with(kWhole)) word.pop_back();
      return word;
    });
  }
  for (CLI::App* command : app.get_subcommands({})) take_whole(*command);
}

/// By default the best instruction set of this CPU.
void choose_instruction_set() {
  const char* name = std::getenv(kernels::instructions_variable);
  if (name != nullptr && *name != '\0') kernels::use_instruction_set(name);
}

int run(int count, char** values) {
  const std::vector<std::string> words = words_of(count, values);
  CLI::App app(kAbout, "fovea");
  app.require_subcommand(1);
  app.fallthrough();  // what all commands know may also stand after them
  app.set_version_flag("--version", FOVEA_VERSION);
  app.get_formatter()->column_width(34);
  int threads = 0;
  app.add_option("--threads", threads,
                 "Threads to compute on; 0: all cores that this process may use")
      ->check(CLI::Range(0, 1024));
  app.parse_complete_callback([&] {
    if (threads > 0) set_thread_count(threads);
  });
  add_commands(app);
  app.footer(kExitCodes);  // commands made after it would have it too
  take_whole(app);
  try {
    choose_instruction_set();
    std::vector<std::string> typed = kept_whole(words);
    std::reverse(typed.begin(), typed.end());  // it takes the last first
    app.parse(std::move(typed));
    return EXIT_SUCCESS;
  } catch (const CLI::ParseError& error) {
    return answer(app, error, words);
  } catch (const Exit& exit) {
    return exit.code;
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "fovea: %s\n", message_of(error).c_str());
    return exit_code(error_kind(error));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fovea: %s\n", error.what());
    return exit_code(error_kind(error));
  }
}

}  // namespace
}  // namespace fovea::app

int main(int count, char** values) {
  const int code = fovea::app::run(count, values);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  // A reader that went away, as `| head` does where SIGPIPE is ignored, has seen enough.
  if (errno != EPIPE) std::fprintf(stderr, "fovea: stdout: %s\n", std::strerror(errno));
  return code != 0 ? code : fovea::app::exit_code(fovea::ErrorKind::bad_file);
}
