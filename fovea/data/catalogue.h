/// The data sets that Fovea knows by name: what they are, whose, and where they come from. None is
/// part of Fovea.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace fovea {

/// Of text. Latin-1 is ISO 8859-1: a byte is a code point.
enum class Encoding { utf8, latin1 };

struct DataFile {
  std::string_view name;
  std::string_view sha256;  // "" if it is not known, or changes
  std::int64_t size = 0;    // in bytes; 0 if it is not known
};

struct DataSet {
  std::string_view name;
  std::string_view folder;  // in which it lies in a folder of FOVEA_DATA
  std::string_view what;
  std::string_view licence;
  std::string_view source;
  std::span<const DataFile> files;
  Encoding encoding = Encoding::utf8;
  std::string_view url = "";  // with a file's name after it; "" if it cannot be fetched as it is
  /// Debian packages that it can be made from, "" if it is not made from any.
  std::string_view packages = "";
  /// Another set whose first file it can be made from, "" if there is none.
  std::string_view made_from = "";
  /// Makes the files in `folder`: of packages from what is installed under `root`, of another set
  /// from the file `root`, of neither from nothing but a seed.
  void (*extract)(const std::filesystem::path& root, const std::filesystem::path& folder) = nullptr;
};

std::span<const DataSet> catalogue();

/// Null if there is none.
const DataSet* find_set_if(std::string_view name);
/// An unknown name is an Error that tells the nearest.
const DataSet& find_set(std::string_view name);

}  // namespace fovea
