#include <nlohmann/json.hpp>

#include "fovea/base/atomic_file.h"
#include "fovea/inspect/run_json.h"
#include "fovea/inspect/viewer_page.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

/// JSON that may stand in a script: nothing in it can end the script or begin a comment.
std::string in_script(const nlohmann::json& data) {
  std::string out;
  for (const char c : data.dump()) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string page_of(std::span<const RunRecord> runs, const std::string& title) {
  constexpr std::string_view place = "<!-- fovea-data -->";
  const std::string_view page = viewer_page();
  const std::size_t at = page.find(place);
  FOVEA_CHECK(at != page.npos, ErrorKind::internal, "page: the viewer has no place for data");
  nlohmann::json data = {{"title", repaired_utf8(title)}, {"runs", nlohmann::json::array()}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    data["runs"].push_back(run_json_with_weights(runs[i], concat("r", i + 1)));
  }
  std::string out(page.substr(0, at));
  out += "<script type=\"application/json\" id=\"fovea-data\">" + in_script(data) + "</script>";
  return out += page.substr(at + place.size());
}

void write_html(const std::filesystem::path& path, std::span<const RunRecord> runs,
                const std::string& title) {
  write_output(path, page_of(runs, title));
}

}  // namespace fovea
