#include "fovea/picture/svg.h"

#include <array>
#include <cstdio>

#include "fovea/base/base64.h"
#include "fovea/base/check.h"
#include "fovea/picture/display_text.h"

namespace fovea {

std::string escape_markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string coordinate(double value) {
  std::array<char, 64> digits;
  std::snprintf(digits.data(), digits.size(), "%.2f", value);
  std::string out = digits.data();
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

namespace {

std::string shown(std::string_view text) { return escape_markup(displayable(text)); }

}  // namespace

Svg::Svg(double width, double height, std::string_view title) {
  const std::string w = coordinate(width), h = coordinate(height);
  out_ =
      concat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", w, "\" height=\"", h,
             "\" viewBox=\"0 0 ", w, " ", h,
             "\" font-family=\"system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif\">\n"
             "<title>",
             shown(title), "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
}

void Svg::rect(double x, double y, double width, double height, std::string_view fill,
               std::string_view tip, double opacity) {
  out_ += concat("<rect x=\"", coordinate(x), "\" y=\"", coordinate(y), "\" width=\"",
                 coordinate(width), "\" height=\"", coordinate(height), "\" fill=\"", fill, "\"");
  if (opacity != 1) out_ += concat(" fill-opacity=\"", coordinate(opacity), "\"");
  out_ += tip.empty() ? "/>\n" : concat("><title>", shown(tip), "</title></rect>\n");
}

void Svg::image(double x, double y, double width, double height, std::string_view png) {
  out_ += concat("<image x=\"", coordinate(x), "\" y=\"", coordinate(y), "\" width=\"",
                 coordinate(width), "\" height=\"", coordinate(height),
                 "\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\""
                 " href=\"data:image/png;base64,",
                 to_base64(png), "\"/>\n");
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke, double width) {
  out_ += concat("<line x1=\"", coordinate(x1), "\" y1=\"", coordinate(y1), "\" x2=\"",
                 coordinate(x2), "\" y2=\"", coordinate(y2), "\" stroke=\"", stroke,
                 "\" stroke-width=\"", coordinate(width), "\"/>\n");
}

void Svg::circle(double x, double y, double radius, std::string_view fill) {
  out_ += concat("<circle cx=\"", coordinate(x), "\" cy=\"", coordinate(y), "\" r=\"",
                 coordinate(radius), "\" fill=\"", fill, "\"/>\n");
}

void Svg::text(double x, double y, std::string_view text, const TextStyle& style) {
  constexpr std::array<const char*, 3> anchors = {"start", "middle", "end"};
  out_ += concat("<text x=\"", coordinate(x), "\" y=\"", coordinate(y), "\" font-size=\"",
                 coordinate(style.size), "\" fill=\"", style.fill, "\" text-anchor=\"",
                 anchors[static_cast<std::size_t>(style.anchor)], "\"");
  if (style.bold) out_ += " font-weight=\"600\"";
  if (style.turn != 0) {
    out_ += concat(" transform=\"rotate(", coordinate(style.turn), " ", coordinate(x), " ",
                   coordinate(y), ")\"");
  }
  out_ += concat(">", shown(text), "</text>\n");
}

void Svg::path(std::string_view data, std::string_view stroke, double width) {
  out_ += concat("<path d=\"", data, "\" fill=\"none\" stroke=\"", stroke, "\" stroke-width=\"",
                 coordinate(width), "\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n");
}

std::string Svg::finish() && { return std::move(out_) + "</svg>\n"; }

}  // namespace fovea
