#include "usage.h"

#include <algorithm>

#include "fovea/base/check.h"
#include "fovea/config/nearest.h"

namespace fovea::app {

namespace {

/// The command that the unknown word was meant for: `fovea tokenzier train` is not about `train`.
const CLI::App& asked_of(const CLI::App& app, std::span<const std::string> words,
                         const std::vector<std::string>& unknown) {
  const CLI::App& command = command_of(app);
  if (unknown.empty() || unknown.front().starts_with("-")) return command;
  const auto word = std::find(words.begin(), words.end(), unknown.front());
  for (const CLI::App* at = &command; at != &app; at = at->get_parent()) {
    if (word < std::find(words.begin(), words.end(), at->get_name())) return *at->get_parent();
  }
  return command;
}

}  // namespace

const CLI::App& command_of(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : command_of(*parsed.front());
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? full_name(*parent) + " " + command.get_name() : command.get_name();
}

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

namespace {

std::string what_was_wrong(const CLI::App& app, const CLI::App& command,
                           const std::vector<std::string>& unknown, const CLI::ParseError& error) {
  std::vector<std::string> commands;
  for (const CLI::App* one : commands_of(command)) commands.push_back(one->get_name());
  if (unknown.empty()) {
    const bool bare = !commands.empty() && dynamic_cast<const CLI::RequiredError*>(&error);
    return bare ? concat("no command", suggestion("", commands)) : error.what();
  }
  const std::string& word = unknown.front();
  if (word.starts_with("-")) {
    std::vector<std::string> names = option_names(command);
    for (const std::string& name : option_names(app)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return concat("no option '", word, "'", suggestion(word.substr(0, word.find('=')), names));
  }
  if (commands.empty()) return concat("'", word, "' is one argument too many");
  return concat("no command '", word, "'", suggestion(word, commands));
}

}  // namespace

std::string complaint(const CLI::App& app, const CLI::ParseError& error,
                      std::span<const std::string> words) {
  const std::vector<std::string> unknown = app.remaining(true);
  const CLI::App& command = asked_of(app, words, unknown);
  return concat("fovea: ", what_was_wrong(app, command, unknown, error), "\nfovea: `",
                full_name(command), " --help` shows how it is used\n");
}

}  // namespace fovea::app
