#include "fovea/tokenizers/char_class.h"
#include "fovea/tokenizers/normalizer.h"

namespace fovea::hub {
namespace {

/// What goes: control characters but for the three that count as space.
bool stays(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c != 0xFFFD && !is_other(c));
}

class BertNormalizer : public Normalizer {
 public:
  explicit BertNormalizer(const JsonPart& json)
      : clean_(json.flag("clean_text")),
        ideographs_(json.flag("handle_chinese_chars")),
        lowercase_(json.flag("lowercase")),
        accents_go_(json.flag("strip_accents", lowercase_)) {}

  void operator()(AlignedText& text) const override {
    if (clean_) clean(text);
    if (!is_ascii(text.text())) {
      if (ideographs_) set_ideographs_apart(text);
      if (accents_go_) {
        put_normal_form(text, {.compatible = false, .composed = false});
        filter(text, [](char32_t c) { return !is_nonspacing(c); });
      }
    }
    if (lowercase_) put_lowercase(text);
  }

 private:
  static void clean(AlignedText& text) {
    filter(text, stays);
    bool wide_spaces = false;
    for_each_character(text.text(), [&](char32_t c, std::size_t, std::size_t) {
      wide_spaces |= c >= 0x80 && is_white(c);
    });
    if (!wide_spaces) {
      for (char& c : text.bytes()) c = c >= '\t' && c <= '\r' ? ' ' : c;
      return;
    }
    Rewrite rewrite(text);
    for_each_character(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
      if (is_white(c)) {
        rewrite.put(U' ', begin);
      } else {
        rewrite.keep(begin, end);
      }
    });
    text = rewrite.done();
  }

  static void set_ideographs_apart(AlignedText& text) {
    bool any = false;
    for_each_character(text.text(),
                       [&](char32_t c, std::size_t, std::size_t) { any |= is_ideograph(c); });
    if (!any) return;
    Rewrite rewrite(text);
    for_each_character(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
      const bool apart = is_ideograph(c);
      if (apart) rewrite.put(U' ', begin);
      rewrite.keep(begin, end);
      if (apart) rewrite.put(U' ', begin);
    });
    text = rewrite.done();
  }

  bool clean_, ideographs_, lowercase_, accents_go_;
};

}  // namespace

std::unique_ptr<Normalizer> read_bert_normalizer(const JsonPart& json) {
  return std::make_unique<BertNormalizer>(json);
}

}  // namespace fovea::hub
