#include "fovea/data/extract_help.h"

#include <lzma.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

using Paths = std::vector<std::filesystem::path>;

std::string read_page(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  FOVEA_CHECK(file && valid_utf8(text), ErrorKind::bad_file, path.string(),
              ": is not a page of help");
  return text;
}

/// Pages of one language, relative to its folder, in an order that does not depend on the disk.
Paths pages_in(const std::filesystem::path& folder) {
  Paths pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".html") {
      pages.push_back(entry.path().lexically_relative(folder));
    }
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

using ById = std::unordered_map<std::string, std::string>;

/// The text of each id. Pages embed parts of others, so that an id may stand for two texts: it then
/// has none, for nobody knows which belongs to which.
ById by_id_of(const std::vector<HelpParagraph>& paragraphs) {
  ById by_id;
  for (const auto& [id, text] : paragraphs) {
    const auto [at, is_new] = by_id.emplace(id, text);
    if (!is_new && at->second != text) at->second.clear();
  }
  return by_id;
}

bool is_worth_learning(const std::string& source, const std::string& target) {
  return !target.empty() && source != target &&
         std::count(source.begin(), source.end(), ' ') >= 2;  // three words
}

std::string pairs_of(const std::filesystem::path& english, const std::filesystem::path& other) {
  std::string lines;
  std::unordered_set<std::string> seen;  // pages embed each other
  for (const std::filesystem::path& page : pages_in(english)) {
    if (!std::filesystem::exists(other / page)) continue;
    const auto sources = help_paragraphs(read_page(english / page));
    const ById by_id = by_id_of(sources);
    const ById translations = by_id_of(help_paragraphs(read_page(other / page)));
    for (const auto& [id, text] : sources) {
      const auto found = translations.find(id);
      if (found == translations.end() || by_id.at(id) != text) continue;
      if (!is_worth_learning(text, found->second)) continue;
      const std::string line = concat(text, "\t", found->second, "\n");
      if (seen.insert(line).second) lines += line;
    }
  }
  return lines;
}

void write_xz(const std::filesystem::path& path, const std::string& text) {
  std::vector<std::uint8_t> packed(lzma_stream_buffer_bound(text.size()));
  std::size_t size = 0;
  const lzma_ret result = lzma_easy_buffer_encode(
      6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
      packed.data(), &size, packed.size());
  FOVEA_CHECK(result == LZMA_OK, ErrorKind::internal, path.string(), ": liblzma cannot pack it (",
              result, ")");
  AtomicFile file(path);
  file.write(packed.data(), size);
  file.commit();
}

}  // namespace

void extract_help(const std::filesystem::path& root, const std::filesystem::path& folder) {
  const std::filesystem::path help = root / "usr/share/libreoffice/help";
  const std::filesystem::path english = help / "en-US" / "text";
  bool any = false;
  for (const auto& [installed, name] :
       {std::pair("de", "en-de.tsv.xz"), {"fr", "en-fr.tsv.xz"}, {"zh-CN", "en-zh-cn.tsv.xz"}}) {
    const std::filesystem::path other = help / installed / "text";
    if (!std::filesystem::exists(english) || !std::filesystem::exists(other)) continue;
    std::filesystem::create_directories(folder);
    write_xz(folder / name, pairs_of(english, other));
    any = true;
  }
  FOVEA_CHECK(any, ErrorKind::not_found, help.string(),
              " holds no English help with another language; ",
              "`apt-get install libreoffice-help-en-us libreoffice-help-de` (or -fr, -zh-cn)");
}

}  // namespace fovea
