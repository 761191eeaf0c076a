/// A MarianMT that transformers drew and saved (tests/fixtures/make_marian.py), imported: the same
/// ids and the same translations.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "fovea/tasks/import_hub.h"
#include "fovea/tasks/translate/translate.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

const fs::path fixture = fs::path(FOVEA_FIXTURES) / "hub" / "marian";

class ImportMarian : public ::testing::Test {
 protected:
  ImportMarian() : folder(fs::path(::testing::TempDir()) / concat("marian.", ::getpid())) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~ImportMarian() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_F(ImportMarian, TranslatesAsTransformersDoes) {
  const Imported imported = import_hub({.folder = fixture, .out = folder / "model"});
  EXPECT_EQ(imported.task, "translate");
  const auto model = TranslationModel::load(folder / "model");
  const Json texts = parse_json_file(fixture / "texts.json");
  TranslateOptions options{.decode = model.recipe.decode};
  options.decode.search = Search::greedy;
  const auto lines = texts["lines"].get<std::vector<std::string>>();
  const auto found = translate(model, lines, options);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(model.encode_source(lines[i]), texts["ids"][i].get<Ids>()) << lines[i];
    const Ids written = texts["written"][i].get<Ids>();
    EXPECT_EQ(model.target.decode(written), texts["answers"][i].get<std::string>());
    if (lines[i].empty()) continue;  // is translated by nothing
    Ids ids = found[i].texts.at(0).ids;
    ASSERT_GE(ids.size(), written.size());  // theirs ends after 12
    ids.resize(written.size());
    EXPECT_EQ(ids, written) << lines[i];
  }
}

TEST_F(ImportMarian, WhatDoesNotFitIsNamed) {
  const auto refused = [&](const char* file, const std::string& contents) -> std::string {
    const fs::path damaged = folder / "damaged";
    fs::remove_all(damaged);
    fs::copy(fixture, damaged);
    std::ofstream(damaged / file, std::ios::binary | std::ios::trunc) << contents;
    try {
      import_hub({.folder = damaged, .out = folder / "no"});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(refused("vocab.json", R"({"a": 0})").find("vocab.json: expected an object of"),
            std::string::npos);
  EXPECT_NE(refused("vocab.json", "[").find("is no JSON"), std::string::npos);
  EXPECT_NE(refused("source.spm", "no model").find("source.spm with vocab.json: SentencePiece"),
            std::string::npos);
  std::ifstream wild(fs::path(FOVEA_FIXTURES) / "fuzz" / "sentencepiece_model" / "wild_charsmap",
                     std::ios::binary);
  ASSERT_TRUE(wild.is_open());
  EXPECT_NE(refused("target.spm", {std::istreambuf_iterator<char>(wild), {}}).find("charsmap"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "no"));
}

}  // namespace
}  // namespace fovea
