#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fovea/inspect/run_testing.h"
#include "fovea/inspect/viewer_page.h"

namespace fovea {
namespace {

nlohmann::json data_of(const std::string& html) {
  const std::string tag = "id=\"fovea-data\">";
  const std::size_t begin = html.find(tag) + tag.size();
  return nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

TEST(ViewerPage, IsOneFileThatNeedsNothing) {
  const std::string_view page = viewer_page();
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("</html>"), page.npos);
  EXPECT_EQ(page.find("src=\""), page.npos);
  EXPECT_EQ(page.find("<link rel=\"stylesheet"), page.npos);
}

TEST(ViewerPage, HoldsRunsAndNoMarkupOfTheirs) {
  RunRecord run = sample_run();
  run.input = "</script><b>bold</b>\xff";
  run.sequences[0].tokens[0] = "<!--";
  const RunRecord runs[] = {run, sample_run({.keep = Keep::top, .top = 2})};
  const std::string page = page_of(runs, "a <i> & b");
  EXPECT_EQ(page.find("<b>bold"), page.npos);
  const auto data = data_of(page);
  EXPECT_EQ(data["title"], "a <i> & b");
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["runs"][0]["id"], "r1");
  EXPECT_EQ(data["runs"][0]["input"], "</script><b>bold</b>\ufffd");
  EXPECT_EQ(data["runs"][0]["sequences"][0]["tokens"][0], "<!--");
  EXPECT_EQ(data["runs"][1]["layers"][0]["top"]["count"], 2);
  EXPECT_THROW(write_html("/missing/folder/page.html", runs, ""), Error);
}

}  // namespace
}  // namespace fovea
