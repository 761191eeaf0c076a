#include "fovea/data/find_data.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "fovea/base/check.h"
#include "fovea/config/nearest.h"
#include "fovea/data/fetch.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// All folders in which a set may lie, in order.
std::vector<std::filesystem::path> folders_of(const DataSet& set) {
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& named : named_folders()) folders.push_back(named / set.folder);
  folders.push_back(cache_folder(set));
  return folders;
}

/// Empty if it is nowhere.
std::filesystem::path look_for(const DataSet& set, std::string_view file) {
  for (const std::filesystem::path& folder : folders_of(set)) {
    for (const char* packed : {"", ".gz", ".xz"}) {
      std::filesystem::path path = folder / concat(file, packed);
      if (std::filesystem::is_regular_file(path)) return path;
    }
  }
  return {};
}

}  // namespace

std::vector<std::filesystem::path> named_folders() {
  std::vector<std::filesystem::path> folders;
  const std::string list = environment("FOVEA_DATA");
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) folders.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return folders;
}

std::filesystem::path cache_folder() {
  if (const std::string own = environment("FOVEA_CACHE"); !own.empty()) return own;
  if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) {
    return std::filesystem::path(xdg) / "fovea";
  }
  const std::string home = environment("HOME");
  FOVEA_CHECK(!home.empty(), ErrorKind::bad_setting,
              "neither FOVEA_CACHE nor HOME is set: no place to keep data in");
  return std::filesystem::path(home) / ".cache" / "fovea";
}

std::filesystem::path cache_folder(const DataSet& set) {
  return cache_folder() / "data" / set.name;
}

std::string how_to_get(const DataSet& set) {
  const std::string command = concat("`fovea data get ", set.name, "`");
  if (!set.made_from.empty()) {
    const DataSet& source = find_set(set.made_from);
    return concat(command, " makes it from ", source.name,
                  status(source).complete() ? "" : concat(", and of that: ", how_to_get(source)));
  }
  if (set.extract && set.packages.empty()) return concat(command, " makes it");
  if (set.extract) return concat("`apt-get install ", set.packages, "` and then ", command);
  if (!set.url.empty()) return concat(command, " fetches it");
  std::string files;
  for (const DataFile& file : set.files) files += concat(files.empty() ? "" : ", ", file.name);
  return concat("it cannot be fetched automatically (", set.source, "): put ", files, " into ",
                cache_folder(set).string(), ", or into ", set.folder,
                "/ of a folder that FOVEA_DATA names");
}

std::filesystem::path find_data(std::string_view name, std::string_view file) {
  const DataSet& set = find_set(name);
  std::vector<std::string> names;
  for (const DataFile& one : set.files) names.emplace_back(one.name);
  FOVEA_CHECK(std::find(names.begin(), names.end(), file) != names.end(), ErrorKind::not_found,
              name, " has no file called '", file, "'", suggestion(file, names));
  std::filesystem::path path = look_for(set, file);
  if (path.empty()) {
    std::string looked;
    for (const auto& folder : folders_of(set)) {
      looked += concat(looked.empty() ? "" : " nor in ", folder.string());
    }
    fail(ErrorKind::not_found, name, ":", file, " is not in ", looked, "; ", how_to_get(set));
  }
  return path;
}

TextFile resolve(std::string_view spec, const std::filesystem::path& base) {
  TextFile file = parse_text_file(spec);
  const std::string path = file.path.string();
  const std::size_t colon = path.find(':');
  if (colon != std::string::npos) {
    if (const DataSet* set = find_set_if(path.substr(0, colon))) {
      return {find_data(set->name, path.substr(colon + 1)), file.column, set->encoding};
    }
    if (!std::filesystem::exists(base / path) && !std::filesystem::exists(path)) {
      find_set(path.substr(0, colon));  // names the nearest
    }
  }
  if (std::filesystem::exists(base / path)) return {base / path, file.column};
  FOVEA_CHECK(std::filesystem::exists(path), ErrorKind::not_found, path,
              ": no such file, neither seen from ", base.empty() ? "." : base.string(),
              " nor from the current folder");
  return file;
}

std::string located(const std::string& spec, const std::filesystem::path& base) {
  if (spec.empty() || find_set_if(spec.substr(0, spec.find(':')))) return spec;
  TextFile file = resolve(spec, base);
  file.path = std::filesystem::absolute(file.path).lexically_normal();
  FOVEA_CHECK(valid_utf8(file.path.string()), ErrorKind::bad_setting, file.path.string(),
              ": the path is not UTF-8, so that ",
              "config.json cannot name it; rename the folder, or link to it from another");
  return spec_of(file);
}

bool Presence::complete() const {
  return std::all_of(files.begin(), files.end(), [](const File& f) { return !f.path.empty(); });
}

Presence status(const DataSet& set) {
  Presence presence;
  for (const DataFile& file : set.files) {
    presence.files.push_back({&file, look_for(set, file.name)});
  }
  return presence;
}

void get(const DataSet& set, const GetProgress& progress) {
  const Presence presence = status(set);
  if (presence.complete()) return;
  const std::filesystem::path folder = cache_folder(set);
  if (set.extract) {
    const bool derived = !set.made_from.empty();
    set.extract(derived ? find_data(set.made_from, find_set(set.made_from).files[0].name) : "/",
                folder);
    return;
  }
  FOVEA_CHECK(!set.url.empty(), ErrorKind::not_found, set.name, ": ", how_to_get(set));
  for (const auto& [file, path] : presence.files) {
    if (!path.empty()) continue;
    FetchOptions options{.sha256 = std::string(file->sha256), .size = file->size};
    if (progress) {
      options.progress = [&, name = file->name](std::int64_t done, std::int64_t total) {
        progress(name, done, total);
      };
    }
    fetch(concat(set.url, file->name), folder / file->name, options);
  }
}

}  // namespace fovea
