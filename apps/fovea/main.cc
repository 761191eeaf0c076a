// fovea: trains, runs and looks inside attention models on ordinary CPUs.
#include <cstdio>
#include <cstdlib>

#include "commands.h"
#include "fovea/base/check.h"
#include "fovea/base/threads.h"

namespace {

constexpr const char* kAbout =
    "Attention models on ordinary CPUs: trained, run and looked into.\n"
    "\n"
    "  fovea recipes                               what there is to train, and how well it does\n"
    "  fovea train recipes/multi30k-en-de          trains it; Ctrl-C saves, --resume goes on\n"
    "  fovea run runs/multi30k-en-de \"A dog runs.\"  translates; without text, lines of stdin\n"
    "  fovea eval runs/multi30k-en-de              its figure on the test set\n"
    "  fovea look runs/multi30k-en-de \"A dog runs.\" which word looked at which\n";

}  // namespace

int main(int count, char** values) {
  CLI::App app(kAbout, "fovea");
  app.require_subcommand(1);
  app.set_version_flag("--version", FOVEA_VERSION);
  app.get_formatter()->column_width(34);
  int threads = 0;
  app.add_option("--threads", threads, "Threads to compute on; 0: all cores")
      ->check(CLI::NonNegativeNumber);
  app.parse_complete_callback([&] {
    if (threads > 0) fovea::set_thread_count(threads);
  });
  fovea::app::add_recipes(app);
  fovea::app::add_train(app);
  fovea::app::add_run(app);
  fovea::app::add_eval(app);
  try {
    app.parse(count, values);
    return EXIT_SUCCESS;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : 2;
  } catch (const fovea::app::Exit& exit) {
    return exit.code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fovea: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
