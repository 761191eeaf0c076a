#include "fovea/data/extract_cmudict.h"

#include <string>
#include <string_view>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/data/lines.h"
#include "fovea/data/split.h"

namespace fovea {

void extract_cmudict(const std::filesystem::path& root, const std::filesystem::path& folder) {
  const auto dictionary = root / "usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict";
  FOVEA_CHECK(std::filesystem::exists(dictionary), ErrorKind::not_found, dictionary.string(),
              " is not there; `apt-get install pocketsphinx-en-us`");
  std::filesystem::create_directories(folder);
  std::string train, test;
  LineReader reader(dictionary);
  for (std::string line; reader.next(line);) {
    const std::size_t space = line.find(' ');
    FOVEA_CHECK(space != std::string::npos && space > 0, ErrorKind::bad_file, reader.place(),
                ": expected a word and its sounds, found '", line, "'");
    const std::string_view entry = std::string_view(line).substr(0, space);
    const std::string_view word = entry.substr(0, entry.find('('));  // "read(2)"
    if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz'") != std::string_view::npos) continue;
    const bool held_out = part_of(word, {.dev = 0, .test = 0.05}) == Part::test;
    (held_out ? test : train) += concat(word, "\t", line.substr(space + 1), "\n");
  }
  for (const auto& [name, text] :
       {std::pair("cmudict.train.tsv", &train), {"cmudict.test.tsv", &test}}) {
    AtomicFile file(folder / name);
    file.write(text->data(), text->size());
    file.commit();
  }
}

}  // namespace fovea
