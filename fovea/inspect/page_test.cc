#include "fovea/inspect/page.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace fovea {
namespace {

class Page : public testing::Test {
 protected:
  ~Page() override { std::filesystem::remove(path_); }

  std::string written(const AttentionPage& page) const {
    write_html(path_, page);
    std::ifstream in(path_);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

  static nlohmann::json data_of(const std::string& html) {
    const std::string tag = "id=\"data\">";
    const std::size_t begin = html.find(tag) + tag.size();
    return nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  }

  std::filesystem::path path_ = std::filesystem::path(testing::TempDir()) / "attention_page.html";
};

AttentionMap map_of(const std::string& title) {
  return {.title = title,
          .queries = {"</script><b>", "<!--"},
          .keys = {"\"x\"", "\xff", "z\n"},
          .weights = Tensor::of<float>({2, 3}, {1, 0, 0, 0.5f, 0.25f, 0.25f})};
}

TEST_F(Page, HoldsTheDataAndNoMarkupOfTheirs) {
  const std::string html =
      written({.title = "a <i> & b",
               .examples = {{"first </script>", {map_of("self head 0"), map_of("self head 1")}},
                            {"", {}}}});
  EXPECT_NE(html.find("<title>a &lt;i&gt; &amp; b</title>"), html.npos);
  EXPECT_EQ(html.find("<b>"), html.npos);
  EXPECT_EQ(html.find("<!--"), html.npos);
  const nlohmann::json data = data_of(html);
  ASSERT_EQ(data.size(), 2u);
  EXPECT_EQ(data[0]["heading"], "first </script>");
  EXPECT_EQ(data[0]["names"].size(), 2u) << "names that maps share are written once";
  EXPECT_EQ(data[0]["names"][0][0], "</script><b>");
  EXPECT_EQ(data[0]["names"][1][1], "\ufffd");
  EXPECT_EQ(data[0]["maps"][1]["title"], "self head 1");
  // 65535, 0, 0, 32768, 16384, 16384, low byte first
  EXPECT_EQ(data[0]["maps"][1]["weights"], "//8AAAAAAIAAQABA");
}

TEST_F(Page, AsksNothingOfTheNetwork) {
  const std::string html = written({.title = "t", .examples = {}});
  for (std::size_t at = 0; (at = html.find("http", at)) != html.npos; ++at) {
    EXPECT_EQ(html.substr(at, 26), "http://www.w3.org/2000/svg") << "the name of a format is all";
  }
  EXPECT_EQ(html.find(" src="), html.npos);
  EXPECT_EQ(html.find("@import"), html.npos);
}

TEST_F(Page, TakesHundredsOfExamples) {
  AttentionPage page{.title = "many", .examples = {}};
  for (int i = 0; i < 300; ++i) page.examples.push_back({concat(i), {map_of("cross head 0")}});
  EXPECT_EQ(data_of(written(page)).size(), 300u);
}

TEST_F(Page, SaysWhatIsWrong) {
  EXPECT_THROW(write_html("/missing/folder/page.html", {}), Error);
  AttentionMap map = map_of("bad");
  map.keys.clear();
  EXPECT_THROW(written({.title = "", .examples = {{"", {map}}}}), Error);
}

}  // namespace
}  // namespace fovea
