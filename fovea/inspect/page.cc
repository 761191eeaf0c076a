#include "fovea/inspect/page.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "fovea/inspect/page_template.h"
#include "fovea/picture/display_text.h"
#include "fovea/picture/svg.h"

namespace fovea {
namespace {

using nlohmann::json;

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> unsigned {
      return i + k < bytes.size() ? bytes[i + k] : 0;
    };
    const unsigned three = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (const unsigned shift : {18u, 12u, 6u, 0u}) out += digits[three >> shift & 63];
  }
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  return out.replace(out.size() - padding, padding, padding, '=');
}

/// In 65535ths, low byte first.
std::string packed(const Tensor& weights) {
  std::vector<std::uint8_t> bytes;
  for (const float weight : weights.span<float>()) {
    const float safe = weight > 0 ? std::min(weight, 1.0f) : 0;  // also of NaN
    const auto part = static_cast<unsigned>(std::lround(safe * 65535));
    bytes.push_back(static_cast<std::uint8_t>(part & 255));
    bytes.push_back(static_cast<std::uint8_t>(part >> 8));
  }
  return base64(bytes);
}

/// JSON that may stand in a script: nothing in it can end the script or begin a comment.
std::string in_script(const json& data) {
  const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

/// Lists of names are written once, however many maps share them.
json as_json(const AttentionPage::Example& example) {
  std::map<std::vector<std::string>, std::size_t> known;
  json names = json::array(), maps = json::array();
  const auto list = [&](const std::vector<std::string>& labels) {
    const auto [at, is_new] = known.emplace(labels, known.size());
    if (is_new) {
      json shown = json::array();
      for (const std::string& label : labels) shown.push_back(displayable(label));
      names.push_back(std::move(shown));
    }
    return at->second;
  };
  for (const AttentionMap& map : example.maps) {
    map.check();
    maps.push_back({{"title", displayable(map.title)},
                    {"queries", list(map.queries)},
                    {"keys", list(map.keys)},
                    {"weights", packed(map.weights)}});
  }
  std::string documents;
  for (const DocumentHeat& heat : example.documents) documents += html_document(heat);
  return {{"heading", displayable(example.heading)},
          {"names", names},
          {"maps", maps},
          {"documents", documents}};
}

}  // namespace

void write_html(const std::filesystem::path& path, const AttentionPage& page) {
  const std::string title = escape_markup(displayable(page.title));
  std::ofstream out(path, std::ios::binary);
  out << page_head << "<title>" << title << "</title>\n"
      << page_style << "<h1>" << title << "</h1>\n"
      << page_body << "<script type=\"application/json\" id=\"data\">[";
  for (std::size_t i = 0; i < page.examples.size(); ++i) {
    out << (i == 0 ? "\n" : ",\n") << in_script(as_json(page.examples[i]));
  }
  out << "]</script>\n" << page_script << "</html>\n";
  out.close();
  FOVEA_CHECK(out, path.string(), ": cannot be written");
}

}  // namespace fovea
