#include "pronounce/heat_map.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "fovea/base/check.h"

namespace pronounce {
namespace {

using Shades = std::array<std::string_view, 5>;
constexpr Shades blocks = {"   ", "░░░", "▒▒▒", "▓▓▓", "███"};
constexpr Shades plain = {"   ", " . ", " o ", "ooo", "###"};

/// No locale at all is common in containers, whose terminals show Unicode nevertheless.
bool unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || !*value) continue;
    const std::string_view locale = value;
    return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return true;
}

std::string_view shade(const Shades& shades, float weight) {
  const int index = static_cast<int>(weight * static_cast<float>(shades.size()));
  return shades[static_cast<std::size_t>(std::clamp(index, 0, 4))];
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

void write_map(std::ostream& out, const HeatMap& map) {
  out << "<h2>" << escaped(map.title) << "</h2>\n<table>\n<tr><th></th>";
  for (const std::string& label : map.top) out << "<th>" << escaped(label) << "</th>";
  out << "</tr>\n";
  for (std::size_t i = 0; i < map.left.size(); ++i) {
    out << "<tr><th>" << escaped(map.left[i]) << "</th>";
    for (std::size_t j = 0; j < map.top.size(); ++j) {
      const float weight = map.weights.view<float>()[static_cast<fovea::Dim>(i)][j];
      std::array<char, 96> cell;
      std::snprintf(cell.data(), cell.size(),
                    "<td style=\"background:rgba(200,80,0,%.3f)\" title=\"%.3f\"></td>",
                    static_cast<double>(weight), static_cast<double>(weight));
      out << cell.data();
    }
    out << "</tr>\n";
  }
  out << "</table>\n";
}

}  // namespace

std::string as_text(const HeatMap& map) {
  const Shades& shades = unicode() ? blocks : plain;
  std::size_t margin = 0;
  for (const std::string& label : map.left) margin = std::max(margin, label.size());
  const auto padded = [&](const std::string& label) {
    return "    " + std::string(margin - label.size(), ' ') + label + " ";
  };
  std::string text = padded("");
  for (const std::string& label : map.top) text += " " + label + " ";
  text += "\n";
  for (std::size_t i = 0; i < map.left.size(); ++i) {
    text += padded(map.left[i]);
    for (std::size_t j = 0; j < map.top.size(); ++j) {
      text += shade(shades, map.weights.view<float>()[static_cast<fovea::Dim>(i)][j]);
    }
    text += "\n";
  }
  return text;
}

void write_page(const std::string& path, const std::string& title,
                const std::vector<HeatMap>& maps) {
  std::ofstream out(path);
  out << "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>" << escaped(title)
      << "</title>\n<style>\n"
         "body { font: 16px sans-serif; margin: 2em; color: #222; background: #fff }\n"
         "h2 { font-size: 1em; margin: 2em 0 .5em }\n"
         "table { border-collapse: collapse }\n"
         "th { font: 14px monospace; padding: 2px 6px }\n"
         "td { width: 28px; height: 22px; border: 1px solid #ddd }\n"
         "</style>\n<h1>"
      << escaped(title) << "</h1>\n";
  for (const HeatMap& map : maps) write_map(out, map);
  out << "</html>\n";
  out.close();
  FOVEA_CHECK(out, path, ": cannot be written");
}

}  // namespace pronounce
