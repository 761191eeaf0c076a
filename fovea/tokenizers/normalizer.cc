#include "fovea/tokenizers/normalizer.h"

#include "fovea/tokenizers/char_class.h"
#include "fovea/tokenizers/pattern.h"

namespace fovea::hub {
namespace {

class Sequence : public Normalizer {
 public:
  Sequence(const JsonPart& json, int depth) {
    if (depth >= deepest_part) json.wrong("sequences stand in sequences too deep");
    for (const JsonPart& part : json.at("normalizers").elements()) {
      parts_.push_back(read_normalizer(part, depth + 1));
    }
  }
  void operator()(AlignedText& text) const override {
    for (const auto& part : parts_) (*part)(text);
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> parts_;
};

class Lowercase : public Normalizer {
 public:
  void operator()(AlignedText& text) const override { put_lowercase(text); }
};

class StripAccents : public Normalizer {
 public:
  void operator()(AlignedText& text) const override {
    if (!is_ascii(text.text())) filter(text, [](char32_t c) { return !is_mark(c); });
  }
};

class Strip : public Normalizer {
 public:
  explicit Strip(const JsonPart& json)
      : left_(json.flag("strip_left")), right_(json.flag("strip_right")) {}

  void operator()(AlignedText& text) const override {
    const std::size_t size = text.text().size();
    std::size_t first = size, last = 0;  // of what is no space
    for_each_character(text.text(), [&](char32_t c, std::size_t begin, std::size_t end) {
      if (is_white(c)) return;
      first = std::min(first, begin);
      last = end;
    });
    const std::size_t begin = left_ ? first : 0;
    const std::size_t end = right_ ? std::max(last, begin) : size;
    if (begin == 0 && end == size) return;
    Rewrite rewrite(text);
    rewrite.keep(begin, end);
    text = rewrite.done();
  }

 private:
  bool left_, right_;
};

class Replace : public Normalizer {
 public:
  explicit Replace(const JsonPart& json)
      : pattern_(read_pattern(json.at("pattern"))), content_(json.text("content")) {}

  void operator()(AlignedText& text) const override {
    std::vector<Span> matches;
    pattern_->find(text.text(), matches);
    if (matches.empty()) return;
    Rewrite rewrite(text);
    std::size_t done = 0;
    for (const auto& [begin, end] : matches) {
      rewrite.keep(done, begin);
      rewrite.put(content_, end - 1);  // stands for the last character that it replaces
      done = end;
    }
    rewrite.keep(done, text.text().size());
    text = rewrite.done();
  }

 private:
  std::unique_ptr<Pattern> pattern_;
  std::string content_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(const JsonPart& json) : prefix_(json.text("prepend")) {}

  void operator()(AlignedText& text) const override {
    if (text.text().empty()) return;
    Rewrite rewrite(text);
    rewrite.put(prefix_, 0);
    rewrite.keep(0, text.text().size());
    text = rewrite.done();
  }

 private:
  std::string prefix_;
};

char32_t lower_ascii(char c) {
  return static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

}  // namespace

void put_lowercase(AlignedText& text) {
  if (is_ascii(text.text())) {
    for (char& c : text.bytes()) c = static_cast<char>(lower_ascii(c));
    return;
  }
  Rewrite rewrite(text);
  for_each_character(text.text(), [&](char32_t c, std::size_t begin, std::size_t) {
    constexpr char32_t dotted_capital_i = 0x130, dot_above = 0x307;
    if (c == dotted_capital_i) {  // the one that becomes two
      rewrite.put(U'i', begin);
      rewrite.put(dot_above, begin);
    } else {
      rewrite.put(c < 0x80 ? lower_ascii(static_cast<char>(c)) : lower(c), begin);
    }
  });
  text = rewrite.done();
}

std::unique_ptr<Normalizer> read_normalizer(const JsonPart& json, int depth) {
  const std::string_view type = json.type(
      "normalizer", {"BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Precompiled",
                     "Prepend", "Replace", "Sequence", "Strip", "StripAccents"});
  if (type == "BertNormalizer") return read_bert_normalizer(json);
  if (type == "Lowercase") return std::make_unique<Lowercase>();
  if (type == "NFC") return unicode_form({.compatible = false, .composed = true});
  if (type == "NFD") return unicode_form({.compatible = false, .composed = false});
  if (type == "NFKC") return unicode_form({.compatible = true, .composed = true});
  if (type == "NFKD") return unicode_form({.compatible = true, .composed = false});
  if (type == "Precompiled") return read_precompiled(json);
  if (type == "Prepend") return std::make_unique<Prepend>(json);
  if (type == "Replace") return std::make_unique<Replace>(json);
  if (type == "Strip") return std::make_unique<Strip>(json);
  if (type == "StripAccents") return std::make_unique<StripAccents>();
  return std::make_unique<Sequence>(json, depth);
}

}  // namespace fovea::hub
