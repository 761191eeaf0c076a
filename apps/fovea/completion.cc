#include <cstdio>
#include <functional>

#include "commands.h"
#include "fovea/base/check.h"
#include "usage.h"

namespace fovea::app {
namespace {

/// "data get"; "" for the program itself.
std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  if (!parent) return "";
  const std::string above = path_of(*parent);
  return above.empty() ? command.get_name() : above + " " + command.get_name();
}

void for_each_command(const CLI::App& command, const std::function<void(const CLI::App&)>& body) {
  body(command);
  for (const CLI::App* one : commands_of(command)) for_each_command(*one, body);
}

std::string command_names(const CLI::App& command) {
  std::string names;
  for (const CLI::App* one : commands_of(command)) names += one->get_name() + " ";
  return names;
}

std::string options_of(const CLI::App& command) {
  std::string names;
  for (const std::string& name : option_names(command)) names += name + " ";
  return names;
}

/// Both shells: walks along the words before the cursor as far as they are commands, then knows
/// which commands and which options may stand here.
std::string walk(const CLI::App& app, const std::string& words) {
  std::string known, cases;
  for_each_command(app, [&](const CLI::App& command) {
    const std::string path = path_of(command);
    if (!path.empty()) known += concat(known.empty() ? "" : "|", "'", path, "'");
    cases += concat("    '", path, "') commands='", command_names(command), "'; options='",
                    options_of(command), "' ;;\n");
  });
  return concat("  local at='' step commands='' options='' word\n  for word in ", words,
                "; do\n    step=\"${at:+$at }$word\"\n    case $step in\n      ", known,
                ") at=$step ;;\n    esac\n  done\n  case $at in\n", cases, "  esac\n");
}

/// Where neither a command nor an option fits, files and folders do.
std::string bash(const CLI::App& app) {
  return concat("_fovea() {\n", walk(app, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\""),
                "  word=${COMP_WORDS[COMP_CWORD]}\n"
                "  [[ $word == -* ]] && commands=$options\n"
                "  COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
                "}\n"
                "complete -o default -F _fovea fovea\n");
}

std::string zsh(const CLI::App& app) {
  return concat("#compdef fovea\n_fovea() {\n", walk(app, "\"${(@)words[2,CURRENT-1]}\""),
                "  [[ $words[CURRENT] == -* ]] && commands=$options\n"
                "  if [[ -n $commands ]]; then compadd -- ${=commands}; else _files; fi\n"
                "}\n"
                "if [[ $funcstack[1] == _fovea ]]; then _fovea; else compdef _fovea fovea; fi\n");
}

std::string quoted(const std::string& text) {
  std::string with = "'";
  for (const char c : text) {
    if (c == '\'') with += '\\';
    with += c;
  }
  return with += '\'';
}

/// fish asks for each candidate under which condition it may stand.
std::string fish(const CLI::App& app) {
  std::string script;
  for_each_command(app, [&](const CLI::App& command) {
    std::string here = "__fish_use_subcommand";
    const CLI::App* parent = command.get_parent();
    if (parent) here = concat("__fish_seen_subcommand_from ", command.get_name());
    if (parent && parent->get_parent()) {
      here = concat("__fish_seen_subcommand_from ", parent->get_name(), "; and ", here);
    }
    const std::string names = command_names(command);
    const std::string before = parent && !names.empty()
                                   ? concat(here, "; and not __fish_seen_subcommand_from ", names)
                                   : here;
    for (const CLI::App* one : commands_of(command)) {
      script += concat("complete -c fovea -f -n ", quoted(before), " -a ", one->get_name(), " -d ",
                       quoted(one->get_description()), "\n");
    }
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script += concat("complete -c fovea -n ", quoted(here), " -l ", name,
                         option->get_type_size() == 0 ? "" : " -r", " -d ",
                         quoted(option->get_description()), "\n");
      }
    }
  });
  return script;
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "Completion of commands for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "  fovea completion bash > ~/.local/share/bash-completion/completions/fovea\n"
      "  fovea completion zsh > ~/.zfunc/_fovea         with ~/.zfunc in fpath\n"
      "  fovea completion fish > ~/.config/fish/completions/fovea.fish");
  command->callback([shell, &app] {
    const std::string script = *shell == "bash"  ? bash(app)
                               : *shell == "zsh" ? zsh(app)
                                                 : fish(app);
    std::fputs(script.c_str(), stdout);
  });
}

}  // namespace fovea::app
