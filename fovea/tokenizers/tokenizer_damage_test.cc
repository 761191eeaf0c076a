/// Files that are cut off, wrong or made to hurt: an Error that says where, and never more.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "fovea/base/check.h"
#include "fovea/tokenizers/hub_tokenizer.h"
#include "fovea/tokenizers/tokenizer_testing.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

const std::string model =
    R"("model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"a":1,"b":2}})";

std::string error_of(const std::string& json) {
  try {
    HubTokenizer::parse(json).encode("a b");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_file) << error.what();
    return error.what();
  }
  return "";
}

TEST(DamagedTokenizer, MessagesNameThePlace) {
  EXPECT_EQ(error_of("{" + model + "}"), "");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"normalizer":{"type":"Foo"},)" + model + "}",
       "tokenizer.json: normalizer: normalizer of type 'Foo' is not supported; supported are Bert"},
      {R"({"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Bar"}]},)" +
           model + "}",
       "tokenizer.json: normalizer.normalizers[1]: normalizer of type 'Bar'"},
      {R"({"pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated"},)" +
           model + "}",
       "tokenizer.json: pre_tokenizer.pattern.Regex: ICU cannot read the expression '('"},
      {R"({"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel","add_prefix_space":false},{"type":"Whitespace"}]},)" +
           model + "}",
       ".pretokenizers[1]: nothing is supported after ByteLevel"},
      {R"({"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},)" + model + "}",
       "ByteLevel is supported with BPE only, found WordLevel"},
      {R"({"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"a":0}}})",
       "have the same id 0"},
      {R"({"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"a":4000000000}}})",
       "out of range"},
      {R"({"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":-1}}})", "out of range"},
      {R"({"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":"0"}}})",
       ".vocab.u: expected a whole number, found \"0\""},
      {R"({"model":{"type":"WordLevel","unk_token":"x","vocab":{"u":0}}})",
       ".unk_token: 'x' is not in the vocabulary"},
      {R"({"model":{"type":"BPE","vocab":{"a":0,"b":1},"merges":["a b"]}})",
       ".merges[0]: 'ab' is not in the vocabulary"},
      {R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a"]}})", ".merges[0]: expected two"},
      {R"({"model":{"type":"Unigram","unk_id":7,"vocab":[["a",-1]]}})", ".unk_id: 7 is no piece"},
      {R"({"model":{"type":"Unigram","vocab":[["a"]]}})",
       ".vocab[0]: expected a piece and its score"},
      {R"({"added_tokens":[{"id":1,"content":"x"}],)" + model + "}",
       "tokenizer.json: added_tokens[0]: 'x' has the id 1, which is that of 'a'"},
      {R"({"added_tokens":[{"id":2,"content":"a"}],)" + model + "}",
       "but the vocabulary gives it 1"},
      {R"({"added_tokens":[{"id":2000000000,"content":"x"}],)" + model + "}", "out of range"},
      {R"({"post_processor":{"type":"BertProcessing","sep":["s",77],"cls":["a",1]},)" + model + "}",
       "post_processor: puts in the id 77, which no token has"},
      {R"({"decoder":{"type":"Baz"},)" + model + "}", "decoder of type 'Baz' is not supported"},
      {R"({"normalizer":{"type":"Precompiled","precompiled_charsmap":"////fw=="},)" + model + "}",
       ".precompiled_charsmap: is cut off"},
      {"{}", "tokenizer.json: has no member 'model'"},
      {"[]", "expected an object, found array"},
      {"{\"model\":", "tokenizer.json: is no JSON (at byte 10); is the file whole?"}};
  for (const auto& [json, wanted] : cases) {
    EXPECT_NE(error_of(json).find(wanted), std::string::npos) << json << "\n" << error_of(json);
  }
}

TEST(DamagedTokenizer, SequencesDoNotNestWithoutEnd) {
  const auto error_of_depth = [](int depth) {
    std::string deep = R"({"type":"NFC"})";
    for (int i = 0; i < depth; ++i) deep = R"({"type":"Sequence","normalizers":[)" + deep + "]}";
    return error_of(R"({"normalizer":)" + deep + "," + model + "}");
  };
  EXPECT_NE(error_of_depth(100).find("too deep"), std::string::npos) << error_of_depth(100);
  EXPECT_NE(error_of_depth(2000).find("nested more than"), std::string::npos);
  const std::string arrays = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_NE(error_of(R"({"normalizer":)" + arrays + "," + model + "}"), "");
}

/// Each fixture with bytes changed, put in, taken out and cut off: an Error, or a tokenizer that
/// works. FOVEA_MUTATIONS=1000000 makes a long run of it.
TEST(DamagedTokenizer, MutationsNeverCrash) {
  const char* wish = std::getenv("FOVEA_MUTATIONS");
  const int rounds = wish ? std::atoi(wish) : 60;
  std::uint32_t seed = 12345;
  const auto draw = [&](std::size_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (static_cast<std::size_t>(seed) >> 8) % std::max<std::size_t>(below, 1);
  };
  const std::vector<std::string> tokens = {
      "null", "-1",   "1e99",       "\"\"",        "[]",
      "{}",   "true", "4294967296", "\"\\u0000\"", "\"type\":\"Sequence\"",
      ",",    "0.5"};
  int refused = 0, taken = 0;
  for (const std::string& kind : tokenizer_kinds) {
    const std::string whole = file_text(tokenizer_fixtures / kind / "tokenizer.json");
    // Most of a file is vocabulary; what says how to use it stands before.
    const std::size_t head = whole.find("\"model\"") + 200;
    for (int round = 0; round < rounds; ++round) {
      std::string damaged = whole;
      for (std::size_t changes = 1 + draw(3); changes > 0; --changes) {
        const std::size_t at = draw(draw(4) == 0 ? damaged.size() : std::min(head, damaged.size()));
        switch (draw(5)) {
          case 0:
            damaged[at] = static_cast<char>(draw(256));
            break;
          case 1:
            damaged.erase(at, 1 + draw(20));
            break;
          case 2:
            damaged.insert(at, tokens[draw(tokens.size())]);
            break;
          case 3:
            damaged.replace(at, draw(8), tokens[draw(tokens.size())]);
            break;
          default:
            if (draw(20) == 0) damaged.resize(at);
        }
        if (damaged.empty()) damaged.push_back(' ');
      }
      try {
        const HubTokenizer tokenizer = HubTokenizer::parse(damaged);
        const HubEncoding found =
            tokenizer.encode("The dog's café 中文 <mask>\xFF 👩🏽‍🚀 123  x\n");
        (void)tokenizer.decode(found.ids);
        ++taken;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(taken, 0);
}

class Folder {
 public:
  Folder() : path(fs::temp_directory_path() / ("fovea_hub_" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  void write(const char* name, std::string_view text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
  std::string error() const {
    try {
      HubTokenizer::load(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  fs::path path;
};

TEST(VocabularyFiles, BertsTextFileMakesItsTokenizer) {
  const Folder folder;
  EXPECT_NE(folder.error().find("has no tokenizer"), std::string::npos);
  folder.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nplay\n##ing\n.\r\nCafe\ncafe\n");
  const auto uncased = HubTokenizer::load(folder.path);
  EXPECT_EQ(uncased.encode("Playing. Café [MASK]x").ids, (Ids{2, 5, 6, 7, 9, 4, 1, 3}));
  EXPECT_EQ(uncased.decode(uncased.encode("Playing.").ids), "playing.");
  folder.write("tokenizer_config.json", R"({"do_lower_case": false, "model_max_length": 512})");
  const auto cased = HubTokenizer::load(folder.path);
  EXPECT_EQ(cased.encode("Cafe playing").ids, (Ids{2, 8, 5, 6, 3}));
  EXPECT_EQ(cased.max_length(), 512);
  folder.write("tokenizer_config.json", R"({"model_max_length": 1e999})");
  EXPECT_NE(folder.error().find("tokenizer_config.json: cannot be read"), std::string::npos);
  folder.write("tokenizer_config.json", "{}");
  folder.write("vocab.txt", "[CLS]\n[SEP]\n[UNK]\na\na\n");
  EXPECT_NE(folder.error().find("vocab.txt:5: 'a' is there twice"), std::string::npos);
  folder.write("vocab.txt", "a\n");
  EXPECT_NE(folder.error().find("has no '[CLS]'"), std::string::npos);
  folder.write("vocab.txt", "[CLS]\n\xFF\n");
  EXPECT_NE(folder.error().find("vocab.txt:2: is no UTF-8"), std::string::npos);
}

TEST(VocabularyFiles, Gpt2sFilesMakeItsTokenizer) {
  const Folder folder;
  const auto gpt2 = HubTokenizer::load(tokenizer_fixtures / "gpt2");
  const Json json = parse_json_file(tokenizer_fixtures / "gpt2" / "tokenizer.json");
  folder.write("vocab.json", json["model"]["vocab"].dump());
  std::string merges = "#version: 0.2\n";
  for (const Json& merge : json["model"]["merges"]) {
    merges += merge.is_array() ? merge[0].get<std::string>() + " " + merge[1].get<std::string>()
                               : merge.get<std::string>();
    merges += "\n";
  }
  folder.write("merges.txt", merges);
  const auto made = HubTokenizer::load(folder.path);
  for (const char* text : {"the dog's 123  café\n", "<|endoftext|>together again"}) {
    EXPECT_EQ(made.encode(text).ids, gpt2.encode(text).ids);
  }
  folder.write("merges.txt", "#version: 0.2\nt h e\n");
  EXPECT_NE(folder.error().find(".merges[0]: expected two tokens"), std::string::npos);
}

}  // namespace
}  // namespace fovea
