// tokenizer.json, and some text that is then taken apart and put together again. What follows the
// last zero byte is the text.
#include "folder.h"
#include "fovea/tokenizers/hub_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea;
  const std::string_view bytes = fuzz::text_of(data, size);
  const std::size_t cut = bytes.rfind('\0');
  const std::string_view json = bytes.substr(0, cut);
  const std::string_view text = cut == bytes.npos
                                    ? "Two dogs' \xC3\x84pfel \xF0\x9F\x98\x80 <s>\xFF 42"
                                    : bytes.substr(cut + 1);
  return fuzz::expect_read_or_error([&] {
    const HubTokenizer tokenizer = HubTokenizer::parse(json);
    const HubEncoding encoded = tokenizer.encode_pair(text, "dogs");
    tokenizer.decode(encoded.ids, false);
    for (const std::int32_t id : encoded.ids) tokenizer.token(id);
  });
}
