// source.spm of a MarianMT: SentencePiece reads it, and cuts some text by it.
#include "folder.h"
#include "fovea/text/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fovea;
  return fuzz::expect_read_or_error([&] {
    const Tokenizer tokenizer =
        Tokenizer::of_marian(std::string(fuzz::text_of(data, size)), {"</s>", "<unk>",
                                                                      "\xE2\x96\x81"
                                                                      "a",
                                                                      "<pad>"});
    tokenizer.decode(tokenizer.encode("a Two dogs' \xC3\x84pfel \xF0\x9F\x98\x80 \xFF 42"));
  });
}
