#include <charconv>
#include <cstdint>
#include <optional>

#include "fovea/data/extract_help.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

struct Tag {
  std::string_view name, id, kind;  // kind: the attribute `class`
  bool closing = false;
  std::size_t end = 0;  // just behind '>'
};

/// The tag that begins at the '<' at `begin`; nothing if the page ends in it.
std::optional<Tag> tag_at(std::string_view html, std::size_t begin) {
  Tag tag;
  if (html.substr(begin).starts_with("<!--")) {
    tag.end = html.find("-->", begin);
    if (tag.end == std::string_view::npos) return {};
    tag.end += 3;
    return tag;
  }
  std::size_t at = begin + 1;
  tag.closing = at < html.size() && html[at] == '/';
  if (tag.closing) ++at;
  const std::size_t name_end = html.find_first_of(" \t\r\n/>", at);
  if (name_end == std::string_view::npos) return {};
  tag.name = html.substr(at, name_end - at);
  at = name_end;
  while (true) {  // name="value" ... >
    const std::size_t next = html.find_first_of("\">", at);
    if (next == std::string_view::npos) return {};
    if (html[next] == '>') {
      tag.end = next + 1;
      return tag;
    }
    const std::size_t quote = html.find('"', next + 1);
    if (quote == std::string_view::npos) return {};
    const std::string_view attribute = html.substr(at, next - at);
    const std::string_view value = html.substr(next + 1, quote - next - 1);
    if (attribute.ends_with(" id=")) tag.id = value;
    if (attribute.ends_with(" class=")) tag.kind = value;
    at = quote + 1;
  }
}

bool is_paragraph(std::string_view name) {
  return name == "p" || (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6');
}

/// "&amp;", "&#8230;", "&#x2026;"; one that is not known stays as it is.
void append_entity(std::string& out, std::string_view entity) {
  const std::string_view name = entity.substr(1, entity.size() - 2);
  if (name.starts_with('#')) {
    const bool hexadecimal = name.substr(1).starts_with('x');
    const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
    const char* end = digits.data() + digits.size();
    std::uint32_t code = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, code, hexadecimal ? 16 : 10);
    if (stop == end && error == std::errc()) return append_utf8(out, code);
  }
  if (name == "amp")
    out += '&';
  else if (name == "lt")
    out += '<';
  else if (name == "gt")
    out += '>';
  else if (name == "quot")
    out += '"';
  else if (name == "apos")
    out += '\'';
  else if (name == "nbsp")
    out += ' ';
  else
    out += entity;
}

void append_decoded(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = text.find('&');
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin);
    const std::size_t end = text.substr(0, 12).find(';');
    const std::size_t size = end == std::string_view::npos ? 1 : end + 1;
    if (size == 1)
      out += '&';
    else
      append_entity(out, text.substr(0, size));
    text.remove_prefix(size);
  }
}

std::string collapsed(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space && gap && !out.empty()) out += ' ';
    if (!space) out += c;
    gap = space;
  }
  return out;
}

/// The text of one paragraph, built while going through its tags.
class Paragraph {
 public:
  explicit Paragraph(std::string_view id) : id_(id) {}

  void add(std::string_view text) {
    if (!skipping_) append_decoded(text_, text);
  }

  void open(const Tag& tag) {
    if (tag.name == "br" && !skipping_) text_ += ' ';
    if (tag.name != "span") return;
    if (!skipping_ && !spans_.empty() && spans_.back().is_switch) choose(tag, spans_.back());
    spans_.push_back({tag.kind == "switchinline", text_.size(), 0});
  }

  void close(const Tag& tag) {
    if (tag.name != "span" || spans_.empty()) return;
    spans_.pop_back();
    if (skipping_ && spans_.size() == *skipping_) skipping_.reset();
  }

  HelpParagraph done() const { return {id_, collapsed(text_)}; }

 private:
  struct Span {
    bool is_switch;
    std::size_t begin;  // in the text
    int alternatives;
  };

  /// The first alternative is taken until the default one comes.
  void choose(const Tag& tag, Span& parent) {
    if (parent.alternatives++ == 0) return;
    if (tag.id.starts_with("default"))
      text_.resize(parent.begin);
    else
      skipping_ = spans_.size();
  }

  std::string id_, text_;
  std::vector<Span> spans_;
  std::optional<std::size_t> skipping_;  // until so few spans are open
};

}  // namespace

std::vector<HelpParagraph> help_paragraphs(std::string_view html) {
  std::vector<HelpParagraph> all;
  std::optional<Paragraph> current;
  const auto finish = [&] {
    if (current) all.push_back(current->done());
    current.reset();
  };
  for (std::size_t at = 0; at < html.size();) {
    const std::size_t begin = html.find('<', at);
    if (current) current->add(html.substr(at, begin - at));
    const auto tag = begin == std::string_view::npos ? std::nullopt : tag_at(html, begin);
    if (!tag) break;
    at = tag->end;
    if (tag->name == "script" && !tag->closing)
      at = std::min(html.find("</script>", at), html.size());
    if (is_paragraph(tag->name)) {
      finish();
      if (!tag->closing && !tag->id.empty()) current.emplace(tag->id);
    } else if (current) {
      tag->closing ? current->close(*tag) : current->open(*tag);
    }
  }
  finish();
  return all;
}

}  // namespace fovea
