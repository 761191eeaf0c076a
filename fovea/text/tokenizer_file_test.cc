#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "fovea/base/check.h"
#include "fovea/text/text_testing.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

class TokenizerFiles : public testing::Test {
 protected:
  TokenizerFiles() : folder_(fs::temp_directory_path() / concat("fovea_text_", ::getpid())) {
    fs::create_directories(folder_);
  }
  ~TokenizerFiles() override { fs::remove_all(folder_); }

  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  /// Loading fails with an error that names the file.
  void refuses(const std::string& file) const {
    try {
      Tokenizer::load(folder_, "source");
      FAIL() << "expected an error about " << file;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find((folder_ / file).string()), std::string::npos)
          << error.what();
      EXPECT_EQ(error.kind(),
                fs::exists(folder_ / file) ? ErrorKind::bad_file : ErrorKind::not_found)
          << error.what();
    }
  }

  fs::path folder_;
};

TEST_F(TokenizerFiles, LoadsWhatWasSaved) {
  for (const TokenizerKind kind : all_kinds) {
    const Tokenizer saved = trained({.kind = kind,
                                     .vocabulary = 250,
                                     .form = TextForm::nfc,
                                     .lowercase = true,
                                     .controls = {"<r2l>"}});
    saved.save(folder_, "source");
    const Tokenizer loaded = Tokenizer::load(folder_, "source");
    EXPECT_EQ(loaded.size(), saved.size());
    EXPECT_EQ(loaded.config().kind, kind);
    EXPECT_EQ(loaded.config().form, TextForm::nfc);
    EXPECT_TRUE(loaded.config().lowercase);
    EXPECT_EQ(loaded.control("<r2l>"), 3);
    for (const std::string& sentence : sentences(50, 2)) {
      EXPECT_EQ(loaded.encode(sentence), saved.encode(sentence));
      EXPECT_EQ(loaded.sample(sentence, {1, 2}, 0.2), saved.sample(sentence, {1, 2}, 0.2));
    }
  }
}

TEST_F(TokenizerFiles, RefusesWhatIsCutOff) {
  for (const TokenizerKind kind : {TokenizerKind::bpe, TokenizerKind::words}) {
    trained({.kind = kind, .vocabulary = 250}).save(folder_, "source");
    for (const char* file : {"source.json", "source.model"}) {
      const std::string whole = read(file);
      if (whole.empty() || (kind == TokenizerKind::words && file[7] == 'm')) continue;
      for (std::size_t part = 0; part < 10; ++part) {
        write(file, whole.substr(0, whole.size() * part / 10));
        refuses(file);
      }
      fs::remove(folder_ / file);
      refuses(file);
      write(file, whole);
    }
  }
}

TEST_F(TokenizerFiles, RefusesWhatIsForeign) {
  trained({.vocabulary = 250}).save(folder_, "other");
  trained({.vocabulary = 200}).save(folder_, "source");
  const std::string json = read("source.json"), model = read("source.model");
  write("source.model", read("other.model"));
  refuses("source.model");
  write("source.model", model);
  for (const char* text :
       {"[]", "{}", "7", "{\"format\": 1}", "{\"format\": \"fovea tokenizer 1\"}",
        "{\"format\": \"fovea tokenizer 1\", \"symbols\": {}}"}) {
    write("source.json", text);
    EXPECT_THROW(Tokenizer::load(folder_, "source"), Error) << text;
  }
  const auto with = [&](const std::string& config, const std::string& symbols) {
    write("source.json", "{\"format\": \"fovea tokenizer 1\", \"config\": " + config +
                             ", \"symbols\": " + symbols + "}");
  };
  for (const char* symbols : {"[\"a\", \"a\"]", "[\"\"]", "[1]"}) {
    with("{\"kind\": \"words\"}", symbols);
    refuses("source.json");
  }
  with("{\"kind\": \"words\", \"controls\": [\"<s>\"]}", "[\"a\"]");
  refuses("source.json");
}

TEST_F(TokenizerFiles, NamesAFolderThatIsNotThere) {
  EXPECT_THROW(trained({.kind = TokenizerKind::words}).save(folder_ / "none", "source"), Error);
  EXPECT_THROW(Tokenizer::load(folder_ / "none", "source"), Error);
}

}  // namespace
}  // namespace fovea
