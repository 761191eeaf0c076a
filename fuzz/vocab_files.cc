// The vocabularies of older folders: parts between zero bytes are vocab.txt, or vocab.json and
// merges.txt, and last tokenizer_config.json.
#include "folder.h"
#include "fovea/tokenizers/hub_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea;
  static const fuzz::Folder folder;
  std::vector<std::string_view> parts;
  std::string_view rest = fuzz::text_of(data, size);
  for (std::size_t cut = 0; (cut = rest.find('\0')) != rest.npos && parts.size() < 2;) {
    parts.push_back(rest.substr(0, cut));
    rest.remove_prefix(cut + 1);
  }
  parts.push_back(rest);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    std::filesystem::remove(entry);
  }
  if (parts.size() == 3) {
    folder.write("vocab.json", parts[0]);
    folder.write("merges.txt", parts[1]);
  } else {
    folder.write("vocab.txt", parts[0]);
  }
  if (parts.size() > 1) folder.write("tokenizer_config.json", parts.back());
  return fuzz::expect_read_or_error([&] {
    const HubTokenizer tokenizer = HubTokenizer::load(folder.path());
    tokenizer.decode(tokenizer.encode("Two dogs' \xC3\x84pfel \xF0\x9F\x98\x80 \xFF 42").ids);
  });
}
