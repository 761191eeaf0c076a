/// Where data sets lie on this machine, and how recipes name files.
///
/// A set is looked for in the folders of FOVEA_DATA (separated by colons; a set is a folder of
/// these) and then in the cache: $FOVEA_CACHE, else $XDG_CACHE_HOME/fovea, else ~/.cache/fovea.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/data/catalogue.h"
#include "fovea/data/lines.h"

namespace fovea {

/// The folders that FOVEA_DATA names, in order.
std::vector<std::filesystem::path> named_folders();
/// What is fetched is kept here.
std::filesystem::path cache_folder();
/// Where `get` puts a set: <cache>/data/<name>.
std::filesystem::path cache_folder(const DataSet& set);

/// The path of a file of a set. "train.txt" is also found as "train.txt.gz" or "train.txt.xz".
/// An absent file is an Error that tells how to get it.
std::filesystem::path find_data(std::string_view name, std::string_view file);

/// What recipes name files by: "multi30k:train.en.gz", "anki-en-fr:fra.txt.xz#1", or a path, which
/// is seen from the recipe's folder `base` or else from the current one; "#2" is the second column.
TextFile resolve(std::string_view spec, const std::filesystem::path& base);

/// A name that means the same file from everywhere: a path is made absolute; a file of a known set
/// keeps its name, and so does nothing ("").
std::string located(const std::string& spec, const std::filesystem::path& base);

struct Presence {
  struct File {
    const DataFile* file;
    std::filesystem::path path;  // empty if it is not here
  };
  std::vector<File> files;

  bool complete() const;
};
Presence status(const DataSet& set);

/// How to come by a set, for a message: "`fovea data get ptb` fetches it".
std::string how_to_get(const DataSet& set);

/// Called with the name of the file that is being fetched, its bytes that are here, and all (0: not
/// known).
using GetProgress =
    std::function<void(std::string_view file, std::int64_t done, std::int64_t total)>;

/// Fetches what is missing of a set into the cache, or makes it from the Debian packages that hold
/// it, the set that it is a part of, or a seed. An Error says what to do if neither can be done.
void get(const DataSet& set, const GetProgress& progress = {});

}  // namespace fovea
