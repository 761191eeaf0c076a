/// What is said to somebody who used the program in a way that it does not know.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

namespace fovea::app {

/// The command that was asked for, down to the last word of it that is known: `fovea data get`.
const CLI::App& command_of(const CLI::App& app);
/// "fovea data get"
std::string full_name(const CLI::App& command);
/// All commands of a command, and all options: "--json".
std::vector<const CLI::App*> commands_of(const CLI::App& command);
std::vector<std::string> option_names(const CLI::App& command);

/// What was wrong with the words of a command line, and whose help to ask; an unknown command or
/// option is told with the nearest there is.
std::string complaint(const CLI::App& app, const CLI::ParseError& error,
                      std::span<const std::string> words);

}  // namespace fovea::app
