#include "fovea/tokenizers/pre_tokenizer.h"

namespace fovea::hub {
namespace {

class Metaspace : public PreTokenizer {
 public:
  explicit Metaspace(const JsonPart& json)
      : mark_(json.text("replacement")),
        scheme_(read_prepend_scheme(json)),
        split_(json.flag("split", true)) {
    if (mark_.empty() || mark_.size() != character_size(mark_[0])) {
      json.at("replacement").wrong("expected one character, found '", mark_, "'");
    }
  }

  void operator()(Pieces& all) const override {
    std::vector<Piece> pieces;
    pieces.reserve(all.text.text().size() / 4 + 4);
    Rewrite rewrite(all.text);
    for (const Piece& piece : all.pieces) {
      if (piece.added == no_id) {
        put_word(all, piece.span, rewrite, pieces);
        continue;
      }
      const auto begin = static_cast<std::uint32_t>(rewrite.size());
      rewrite.keep(piece.span.begin, piece.span.end);
      pieces.push_back({{begin, static_cast<std::uint32_t>(rewrite.size())}, piece.added});
    }
    all.text = rewrite.done();
    all.pieces = std::move(pieces);
  }

 private:
  void put_word(const Pieces& all, Span span, Rewrite& rewrite, std::vector<Piece>& pieces) const {
    const std::string_view text = all.text.text();
    auto begin = static_cast<std::uint32_t>(rewrite.size());  // of the piece that is being written
    const auto end_piece = [&] {
      const auto end = static_cast<std::uint32_t>(rewrite.size());
      if (begin < end) pieces.push_back({{begin, end}});
      begin = end;
    };
    if (is_prepended(all, span)) rewrite.put(mark_, span.begin);
    for (std::size_t at = span.begin; at < span.end;) {
      std::size_t next = at;
      while (next < span.end && !is_mark(text, next)) ++next;
      rewrite.keep(at, next);
      if (next == span.end) break;
      if (split_) end_piece();
      rewrite.put(mark_, next);
      at = next + (text[next] == ' ' ? 1 : mark_.size());
    }
    end_piece();
  }

  bool is_mark(std::string_view text, std::size_t at) const {
    return text[at] == ' ' || (text[at] == mark_[0] && text.substr(at, mark_.size()) == mark_);
  }

  bool is_prepended(const Pieces& all, Span span) const {
    if (is_mark(all.text.text(), span.begin)) return false;
    return scheme_ == PrependScheme::always ||
           (scheme_ == PrependScheme::first &&
            all.text.origin(span.begin, span.begin + 1).begin == 0);
  }

  std::string mark_;
  PrependScheme scheme_;
  bool split_;
};

}  // namespace

PrependScheme read_prepend_scheme(const JsonPart& json) {
  if (!json.has("prepend_scheme")) {  // files before 0.15 knew two of the three
    return json.flag("add_prefix_space", true) ? PrependScheme::always : PrependScheme::never;
  }
  const std::string name = json.text("prepend_scheme");
  if (name == "always") return PrependScheme::always;
  if (name == "first") return PrependScheme::first;
  if (name == "never") return PrependScheme::never;
  json.at("prepend_scheme").wrong("expected always, first or never, found '", name, "'");
}

std::unique_ptr<PreTokenizer> read_metaspace(const JsonPart& json) {
  return std::make_unique<Metaspace>(json);
}

}  // namespace fovea::hub
