#include "fovea/inspect/document_heat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "fovea/base/check.h"
#include "fovea/inspect/terminal_shades.h"
#include "fovea/picture/colour.h"
#include "fovea/picture/display_text.h"
#include "fovea/picture/svg.h"

namespace fovea {
namespace {

constexpr Dim bar_width = 8;  // in columns of a terminal

std::string number(double value) {
  std::array<char, 32> out;
  std::snprintf(out.data(), out.size(), "%.3f", value);
  return out.data();
}

/// A row of words that is broken where the line is full.
class TerminalText {
 public:
  TerminalText(const TerminalStyle& style, Dim margin)
      : style_(style),
        charset_(style.shades == Shades::ascii ? Charset::ascii : Charset::unicode),
        margin_(margin) {}

  /// `head` stands before the first line, and is as wide as the margin.
  void begin(const std::string& head) {
    out_ += head;
    used_ = margin_;
  }
  void word(const std::string& word, float shade) {
    const std::string shown = displayable(word, charset_);
    const std::string mark = style_.shades == Shades::colour ? "" : shaded_mark(shade);
    const Dim width = display_width(shown) + display_width(mark) + 1;
    if (used_ + width > style_.width && used_ > margin_) {
      out_ += '\n';
      out_.append(static_cast<std::size_t>(margin_), ' ');
      used_ = margin_;
    }
    out_ += style_.shades == Shades::colour ? on_shade(shade, shown) : shown + mark;
    out_ += " ";
    used_ += width;
  }
  void end() { out_ += "\n"; }
  std::string text() && { return std::move(out_); }

 private:
  /// Nothing where the shade is the weakest.
  std::string shaded_mark(float shade) const {
    const std::string mark = shade_cell(shade, 1, style_.shades);
    return mark == " " ? "" : mark;
  }

  const TerminalStyle& style_;
  Charset charset_;
  Dim margin_;
  Dim used_ = 0;
  std::string out_;
};

/// A bar of so many columns, filled from the left.
std::string bar(float part, const TerminalStyle& style) {
  const auto filled = static_cast<Dim>(std::lround(part * static_cast<float>(bar_width)));
  const std::string full = style.shades == Shades::ascii ? "#" : "\u2588";
  std::string out;
  for (Dim i = 0; i < bar_width; ++i) out += i < filled ? full : " ";
  return out + "  ";
}

/// Where the words of a picture stand, in pixels.
struct Placed {
  double x, y, width;
  std::string word;
  std::size_t sentence, index;
};

constexpr double svg_width = 760, svg_line = 24, svg_letter = 7.4, svg_pad = 4, svg_top = 52;

std::vector<Placed> placed(const DocumentHeat& heat, double left) {
  std::vector<Placed> all;
  double y = svg_top;
  for (std::size_t s = 0; s < heat.sentences.size(); ++s) {
    double x = left;
    for (std::size_t w = 0; w < heat.sentences[s].words.size(); ++w) {
      const std::string word = displayable(heat.sentences[s].words[w]);
      const double width = svg_letter * static_cast<double>(display_width(word)) + 2 * svg_pad;
      if (x + width > svg_width - svg_pad && x > left) x = left, y += svg_line;
      all.push_back({x, y, width, word, s, w});
      x += width + 2;
    }
    y += svg_line + 6;
  }
  return all;
}

}  // namespace

void DocumentHeat::check() const {
  for (const Sentence& sentence : sentences) {
    FOVEA_CHECK(sentence.words.size() == sentence.weights.size(), "document '", title,
                "': ", sentence.words.size(), " words, but ", sentence.weights.size(), " weights");
  }
}

float DocumentHeat::largest_sentence() const {
  float most = 0;
  for (const Sentence& sentence : sentences) most = std::max(most, sentence.weight);
  return most;
}

std::vector<std::vector<float>> DocumentHeat::shades() const {
  check();
  std::vector<std::vector<float>> all;
  float most = 0;
  for (const Sentence& sentence : sentences) {
    all.emplace_back();
    for (const float weight : sentence.weights) {
      all.back().push_back(std::sqrt(std::max(sentence.weight, 0.0F)) * weight);
      most = std::max(most, all.back().back());
    }
  }
  for (auto& row : all) {
    for (float& shade : row) shade = most > 0 ? shade / most : 0;
  }
  return all;
}

std::string terminal_document(const DocumentHeat& heat, const TerminalStyle& style) {
  const auto shades = heat.shades();
  const bool bars = heat.sentences.size() > 1;
  const Charset charset = style.shades == Shades::ascii ? Charset::ascii : Charset::unicode;
  TerminalText text(style, bars ? bar_width + 2 : 0);
  const float most = std::max(heat.largest_sentence(), 1e-9F);
  for (std::size_t s = 0; s < heat.sentences.size(); ++s) {
    const DocumentHeat::Sentence& sentence = heat.sentences[s];
    text.begin(bars ? bar(sentence.weight / most, style) : "");
    for (std::size_t w = 0; w < sentence.words.size(); ++w) {
      text.word(sentence.words[w], shades[s][w]);
    }
    text.end();
  }
  return cut_to_width(displayable(heat.title, charset), style.width, charset) + "\n" +
         std::move(text).text();
}

std::string svg_document(const DocumentHeat& heat) {
  const auto shades = heat.shades();
  const bool bars = heat.sentences.size() > 1;
  constexpr double bar_room = 60;
  const std::vector<Placed> words = placed(heat, bars ? bar_room + 24 : 12);
  const double height = (words.empty() ? svg_top : words.back().y) + svg_line + 12;
  Svg svg(svg_width, height, displayable(heat.title));
  svg.text(12, 26, displayable(heat.title), {.size = 15, .bold = true});
  const float most = std::max(heat.largest_sentence(), 1e-9F);
  for (const Placed& at : words) {
    const DocumentHeat::Sentence& sentence = heat.sentences[at.sentence];
    if (bars && at.index == 0) {
      const double length = bar_room * static_cast<double>(sentence.weight / most);
      svg.rect(12 + bar_room - length, at.y + 3, length, svg_line - 10, heat_colour(0.7),
               concat("sentence ", at.sentence + 1, ": ", number(sentence.weight)));
    }
    const float shade = shades[at.sentence][at.index];
    svg.rect(at.x, at.y, at.width, svg_line - 4, heat_colour(shade),
             concat(at.word, ": ", number(sentence.weights[at.index])));
    svg.text(at.x + at.width / 2, at.y + 14, at.word,
             {.size = 12, .anchor = Anchor::middle, .fill = shade > 0.6F ? "#ffffff" : "#222222"});
  }
  return std::move(svg).finish();
}

}  // namespace fovea
