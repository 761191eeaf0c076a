#include "fovea/tasks/recipe.h"

#include <gtest/gtest.h>

#include <fstream>

#include "fovea/tasks/translate/translate_recipe.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

class RecipeTest : public ::testing::Test {
 protected:
  RecipeTest() : before_(fs::current_path()) {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::current_path(folder_);
  }
  ~RecipeTest() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  void write(const fs::path& path, const std::string& text) const {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }

  fs::path before_, folder_;
};

std::string error_of(const std::string& recipe) {
  try {
    find_recipe(recipe);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(RecipeTest, IsFoundByNameFolderOrFile) {
  write("recipes/two-words/recipe.toml", "task = \"translate\"\n");
  write("elsewhere/mine.toml", "task = \"translate\"\n");
  const fs::path expected = fs::path("recipes") / "two-words" / "recipe.toml";
  EXPECT_EQ(find_recipe("two-words"), expected);
  EXPECT_EQ(find_recipe("recipes/two-words"), expected);
  EXPECT_EQ(find_recipe("recipes/two-words/recipe.toml"), expected);
  EXPECT_EQ(find_recipe("elsewhere/mine.toml"), "elsewhere/mine.toml");
}

TEST_F(RecipeTest, TellsTheNearestName) {
  write("recipes/two-words/recipe.toml", "task = \"translate\"\n");
  EXPECT_NE(error_of("two-wrods").find("did you mean 'two-words'?"), std::string::npos);
  EXPECT_NE(error_of("recipes/two-wrods").find("no recipe there"), std::string::npos);
}

TEST_F(RecipeTest, ASettingIsNotBlamedOnTheFile) {
  write("mine.toml", "task = \"translate\"\n[train]\nepoch = 1\n");
  const auto error_with = [](const std::vector<std::string>& settings) -> std::string {
    try {
      RecipeFile::open("mine.toml", settings).read<TranslateRecipe>();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_with({}), "mine.toml: train.epoch: no such key; did you mean 'epochs'?");
  EXPECT_EQ(error_with({"train.epoch=3"}),
            "--set train.epoch=3: no such key; did you mean 'epochs'?");
  EXPECT_EQ(error_with({"task=translat"}).substr(0, 34), "--set task=translat: expected one ");
}

TEST_F(RecipeTest, AListHoldsAlsoThoseThatCannotBeRead) {
  write("some/b/recipe.toml",
        "task = \"translate\"\ntitle = \"B\"\n[[figures]]\nmetric = \"BLEU\"\npublished = 41.02\n"
        "[data]\ntrain = [\"x\", \"y\"]\n");
  write("some/a/recipe.toml", "task = \"translat\"\n");
  write("some/c/recipe.toml", "task = \n");
  write("some/no-recipe/README.md", "");
  write("later/b/recipe.toml", "task = \"translate\"\ntitle = \"the other B\"\n");
  const std::vector<fs::path> folders = {"some", "later"};
  const std::vector<ListedRecipe> all = list_recipes(folders);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_NE(all[0].error.find("translate"), std::string::npos) << all[0].error;
  EXPECT_EQ(all[1].error, "");
  EXPECT_EQ(all[1].header.title, "B");
  ASSERT_EQ(all[1].header.figures.size(), 1U);
  EXPECT_EQ(all[1].header.figures[0].published, 41.02);
  EXPECT_NE(all[2].error.find("recipe.toml"), std::string::npos) << all[2].error;
}

}  // namespace
}  // namespace fovea
