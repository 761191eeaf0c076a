/// A drawing in the making: a stand-alone SVG file on white ground.
#pragma once

#include <string>
#include <string_view>

namespace fovea {

/// Text between tags or inside a quoted attribute of XML and HTML.
std::string escape_markup(std::string_view text);

/// Two decimals at most: "12", "12.5", "-0.25".
std::string coordinate(double value);

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::start;
  double turn = 0;  // degrees, clockwise, about the anchor
  bool bold = false;
  std::string fill = "#222222";
};

class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  /// A tip is shown when the mouse rests on it.
  void rect(double x, double y, double width, double height, std::string_view fill,
            std::string_view tip = {}, double opacity = 1);
  /// The bytes of a PNG file, stretched without smoothing.
  void image(double x, double y, double width, double height, std::string_view png);
  void line(double x1, double y1, double x2, double y2, std::string_view stroke, double width = 1);
  void circle(double x, double y, double radius, std::string_view fill);
  void text(double x, double y, std::string_view text, const TextStyle& style = {});
  /// A path of straight lines; `data` is of SVG: "M0 0L10 5".
  void path(std::string_view data, std::string_view stroke, double width);

  std::string finish() &&;

 private:
  std::string out_;
};

}  // namespace fovea
