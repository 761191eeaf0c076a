/// The commands of the program. Each adds itself to the command line; there is no logic here that
/// the library does not have.
#pragma once

#include <CLI/CLI.hpp>

namespace fovea::app {

void add_recipes(CLI::App& app);
void add_import(CLI::App& app);
void add_data(CLI::App& app);
void add_tokenizer(CLI::App& app);
void add_doctor(CLI::App& app);
void add_completion(CLI::App& app);
void add_train(CLI::App& app);
void add_run(CLI::App& app);
void add_eval(CLI::App& app);
void add_look(CLI::App& app);
void add_export(CLI::App& app);
void add_serve(CLI::App& app);

/// The exit code of a command that ended without an error but not as planned: 130 after Ctrl-C.
struct Exit {
  int code;
};

}  // namespace fovea::app
