#include <cstdio>

#include "commands.h"
#include "fovea/base/progress.h"
#include "fovea/config/config.h"
#include "fovea/data/find_data.h"

namespace fovea::app {
namespace {

/// The folder in which a set's files lie, or will.
std::filesystem::path folder_of(const DataSet& set) {
  for (const auto& [file, path] : status(set).files) {
    if (!path.empty()) return path.parent_path();
  }
  return cache_folder(set);
}

std::size_t files_here(const DataSet& set) {
  std::size_t here = 0;
  for (const auto& [file, path] : status(set).files) here += !path.empty();
  return here;
}

Json as_json(const DataSet& set) {
  Json files = Json::array();
  for (const auto& [file, path] : status(set).files) {
    files.push_back({{"name", file->name},
                     {"path", path.empty() ? Json() : Json(path.string())},
                     {"size", file->size == 0 ? Json() : Json(file->size)}});
  }
  return {{"name", set.name},
          {"what", set.what},
          {"licence", set.licence},
          {"source", set.source},
          {"here", status(set).complete()},
          {"get", how_to_get(set)},
          {"files", std::move(files)}};
}

void list_command(bool json) {
  Json all = Json::array();
  for (const DataSet& set : catalogue()) {
    if (json) {
      all.push_back(as_json(set));
      continue;
    }
    const std::size_t here = files_here(set);
    std::string state = here == 0 ? "not here" : concat("here, in ", folder_of(set).string());
    if (here > 0 && here < set.files.size()) {
      state = concat(here, " of ", set.files.size(), " files ", state);
    }
    std::printf("%.*s: %s\n", static_cast<int>(set.name.size()), set.name.data(), state.c_str());
    const auto line = [](const char* what, std::string_view text) {
      std::printf("    %-8s %.*s\n", what, static_cast<int>(text.size()), text.data());
    };
    line("what", set.what);
    line("licence", set.licence);
    line("source", set.source);
    if (here < set.files.size()) line("to get", how_to_get(set));
  }
  if (json) std::printf("%s\n", all.dump(2).c_str());
}

void get_command(const std::vector<std::string>& names) {
  std::vector<const DataSet*> sets;
  for (const std::string& name : names) sets.push_back(&find_set(name));  // all, before any
  for (const DataSet* set : sets) {
    if (status(*set).complete()) {
      std::printf("%s is here already, in %s\n", std::string(set->name).c_str(),
                  folder_of(*set).c_str());
      continue;
    }
    {
      Progress progress;
      get(*set, [&](std::string_view file, std::int64_t done, std::int64_t total) {
        if (!progress.due()) return;
        progress.show(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : -1,
                      concat(file, "  ", show_count(static_cast<double>(done)), "B"));
      });
    }
    std::printf("%s went to %s\n", std::string(set->name).c_str(), cache_folder(*set).c_str());
  }
}

void add_list(CLI::App& data) {
  CLI::App* command = data.add_subcommand("list", "All data sets that Fovea knows by name");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON, with the path of each file");
  command->callback([json] { list_command(*json); });
}

void add_get(CLI::App& data) {
  CLI::App* command =
      data.add_subcommand("get", "Fetch data sets, or make them from packages or other sets");
  auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("name", *names, "Of data sets")->required();
  command->footer(
      "What breaks off goes on from there the next time; checksums are checked.\n"
      "\n"
      "  fovea data get multi30k ptb");
  command->callback([names] { get_command(*names); });
}

void add_path(CLI::App& data) {
  CLI::App* command = data.add_subcommand("path", "Where a file of a data set lies");
  auto name = std::make_shared<std::string>(), file = std::make_shared<std::string>();
  command->add_option("name", *name, "Of a data set")->required();
  command->add_option("file", *file, "Of the set")->required();
  command->footer("  zcat \"$(fovea data path multi30k train.en.gz)\" | head");
  command->callback([name, file] { std::printf("%s\n", find_data(*name, *file).c_str()); });
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* command = app.add_subcommand("data", "Data sets: which there are, and where");
  command->require_subcommand(1);
  command->footer(
      "Data is looked for in the folders that FOVEA_DATA names (separated by colons), then in the\n"
      "cache: $FOVEA_CACHE, else $XDG_CACHE_HOME/fovea, else ~/.cache/fovea.\n"
      "\n"
      "  fovea data list\n"
      "  fovea data get multi30k");
  add_list(*command);
  add_get(*command);
  add_path(*command);
}

}  // namespace fovea::app
