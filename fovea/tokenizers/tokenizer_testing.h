/// tests/fixtures/tokenizers: a small tokenizer of each kind, and what Hugging Face's `tokenizers`
/// make of odd lines with it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fovea/config/config.h"

namespace fovea {

inline const std::filesystem::path tokenizer_fixtures = FOVEA_FIXTURES "/tokenizers";

inline const std::vector<std::string> tokenizer_kinds = {
    "bert",   "bert_cased", "gpt2",          "roberta", "llama3",
    "llama2", "t5",         "unigram_bytes", "words",   "bpe_words"};

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path << " is missing";
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::string> odd_lines() {
  return parse_json_file(tokenizer_fixtures / "lines.json").get<std::vector<std::string>>();
}

}  // namespace fovea
