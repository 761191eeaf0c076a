#include "fovea/data/catalogue.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "fovea/data/data_testing.h"
#include "fovea/data/find_data.h"
#include "fovea/data/sha256.h"

namespace fovea {
namespace {

/// With FOVEA_DATA and the cache in the test's folder; the environment is put back.
class CatalogueTest : public FolderTest {
 protected:
  CatalogueTest() {
    set("FOVEA_DATA", (folder_ / "one").string() + "::" + (folder_ / "two").string());
    set("FOVEA_CACHE", (folder_ / "cache").string());
  }
  ~CatalogueTest() override {
    for (const auto& [name, value] : before_) {
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }
  }

  void set(const std::string& name, const std::string& value) {
    const char* old = std::getenv(name.c_str());
    before_.emplace(name, old ? std::optional<std::string>(old) : std::nullopt);
    ::setenv(name.c_str(), value.c_str(), 1);
  }

  std::map<std::string, std::optional<std::string>> before_;
};

TEST(Catalogue, IsWhole) {
  std::set<std::string_view> names;
  for (const DataSet& set : catalogue()) {
    EXPECT_TRUE(names.insert(set.name).second) << set.name;
    EXPECT_FALSE(set.files.empty() || set.what.empty() || set.licence.empty() || set.source.empty())
        << set.name;
    EXPECT_TRUE(set.extract || (set.packages.empty() && set.made_from.empty())) << set.name;
    EXPECT_TRUE(set.made_from.empty() || find_set_if(set.made_from)) << set.name;
    for (const DataFile& file : set.files) {
      EXPECT_TRUE(file.sha256.empty() || file.sha256.size() == 64) << set.name << file.name;
      EXPECT_TRUE(set.url.empty() || file.size > 0) << "is fetched, but cannot be checked";
    }
  }
  for (const char* name :
       {"multi30k", "g2p-cmudict", "anki-en-fr", "anki-en-zh", "libreoffice-help", "cmudict"}) {
    EXPECT_EQ(find_set(name).name, name);
  }
  expect_says(message_of([] { find_set("multi30"); }), {"multi30", "did you mean 'multi30k'"});
}

TEST_F(CatalogueTest, LooksIntoFoldersAndThenTheCache) {
  expect_says(message_of([] { find_data("multi30k", "val.en.gz"); }),
              {"multi30k:val.en.gz is not in", "one/multi30k", "two/multi30k",
               "cache/data/multi30k", "fovea data get multi30k"});
  const auto cached = write("cache/data/multi30k/val.en.gz", "");
  EXPECT_EQ(find_data("multi30k", "val.en.gz"), cached);
  const auto second = write("two/multi30k/val.en.gz", "");
  EXPECT_EQ(find_data("multi30k", "val.en.gz"), second);
  const auto packed = write("one/ptb/ptb.test.txt.gz", "");
  EXPECT_EQ(find_data("ptb", "ptb.test.txt"), packed);
}

TEST_F(CatalogueTest, TellsHowToGetWhatIsMissing) {
  expect_says(message_of([] { find_data("multi30k", "train.em.gz"); }),
              {"no file called 'train.em.gz'", "did you mean"});
  expect_says(message_of([] { find_data("cmudict", "cmudict.test.tsv"); }),
              {"apt-get install pocketsphinx-en-us", "fovea data get cmudict"});
  expect_says(message_of([] { find_data("anki-en-fr", "fra.txt.xz"); }),
              {"cannot be fetched", "cache/data/anki-en-fr", "FOVEA_DATA"});
  expect_says(message_of([] { get(find_set("anki-en-fr")); }), {"cannot be fetched", "Tatoeba"});
}

TEST_F(CatalogueTest, MakesASetFromAnother) {
  const DataSet& cloze = find_set("reuters-cloze");
  expect_says(how_to_get(cloze), {"`fovea data get reuters-cloze` makes it from reuters21578",
                                  "cannot be fetched", "cache/data/reuters21578"});
  expect_says(message_of([&] { get(cloze); }), {"reuters21578:reuters21578.tar is not in"});
  write("two/reuters21578/reuters21578.tar.gz", gzipped("no archive"));
  EXPECT_EQ(how_to_get(cloze), "`fovea data get reuters-cloze` makes it from reuters21578");
  expect_says(message_of([&] { get(cloze); }), {"two/reuters21578/reuters21578.tar.gz"});
}

TEST_F(CatalogueTest, CacheFollowsTheEnvironment) {
  const DataSet& set_of = find_set("ptb");
  EXPECT_EQ(cache_folder(set_of), folder_ / "cache/data/ptb");
  set("FOVEA_CACHE", "");
  set("XDG_CACHE_HOME", "/x");
  EXPECT_EQ(cache_folder(set_of), "/x/fovea/data/ptb");
  set("XDG_CACHE_HOME", "");
  set("HOME", "/home/me");
  EXPECT_EQ(cache_folder(set_of), "/home/me/.cache/fovea/data/ptb");
}

TEST_F(CatalogueTest, ResolvesWhatRecipesSay) {
  const auto in_set = write("one/anki_eng-fra/fra.txt.xz", "");
  EXPECT_EQ(resolve("anki-en-fr:fra.txt.xz#2", folder_), (TextFile{in_set, 2}));
  const auto beside = write("recipe/my.tsv", "");
  EXPECT_EQ(resolve("my.tsv#1", folder_ / "recipe"), (TextFile{beside, 1}));
  EXPECT_EQ(resolve(beside.string(), "/elsewhere"), (TextFile{beside, 0}));
  const auto colon = write("recipe/a:b", "");
  EXPECT_EQ(resolve("a:b", folder_ / "recipe"), (TextFile{colon, 0}));
  expect_says(message_of([&] { resolve("none.txt", folder_); }), {"none.txt: no such file"});
  expect_says(message_of([&] { resolve("mulit30k:train.en.gz", folder_); }),
              {"'mulit30k'", "did you mean 'multi30k'"});
}

TEST_F(CatalogueTest, KnowsWhatIsHere) {
  const DataSet& conll = find_set("conll2003");
  EXPECT_FALSE(status(conll).complete());
  for (const DataFile& file : conll.files) write(concat("two/conll2003/", file.name), "");
  EXPECT_TRUE(status(conll).complete());
  get(conll);  // nothing is to be done
}

TEST(Catalogue, FilesHereAreThoseThatAreKnown) {
  for (const DataSet& set : catalogue()) {
    for (const auto& [file, path] : status(set).files) {
      if (path.empty() || path.filename() != std::filesystem::path(file->name).filename()) continue;
      if (file->sha256.empty()) continue;
      EXPECT_EQ(sha256_of(path), file->sha256) << path;
      EXPECT_EQ(std::filesystem::file_size(path), static_cast<std::uintmax_t>(file->size)) << path;
    }
  }
}

}  // namespace
}  // namespace fovea
