/// What text is made of in the models of others: tokens of a tokenizer of Hugging Face's, whose
/// ids are the tokenizer's own.
#include "fovea/base/check.h"
#include "fovea/text/units.h"
#include "fovea/unicode/utf8.h"

namespace fovea::text {
namespace {

constexpr HubEncodeOptions bare = {.special = false, .spelled = SpelledSpecial::plain};

class HubUnits final : public Units {
 public:
  HubUnits(HubTokenizer tokenizer, Dim size) : tokenizer_(std::move(tokenizer)), size_(size) {
    for (Dim id = size; id < tokenizer_.size(); ++id) {
      const auto beyond = static_cast<std::int32_t>(id);
      const std::string_view token = tokenizer_.token(beyond);
      FOVEA_CHECK(token.empty() || tokenizer_.is_special(beyond), ErrorKind::bad_file,
                  "the tokenizer has '", token, "' with the id ", id, ", but the model knows only ",
                  size, " ids: they do not belong together");
    }
  }

  Dim size() const override { return size_; }
  Ids encode(std::string_view text) const override { return plain(text).ids; }

  /// In their surroundings, as models are trained to see them: a word after a space may have other
  /// tokens than one by itself.
  std::vector<Ids> encode_words(std::span<const std::string> words) const override {
    std::string line;
    std::vector<std::size_t> ends;
    for (const std::string& word : words) {
      if (!ends.empty()) line += ' ';
      line += word;
      ends.push_back(line.size());
    }
    const HubEncoding all = plain(line);
    std::vector<Ids> ids(words.size());
    std::size_t word = 0;
    for (std::size_t i = 0; i < all.ids.size(); ++i) {
      std::size_t begin = all.offsets[i].begin;
      while (begin + 1 < all.offsets[i].end && line[begin] == ' ') ++begin;  // "Ġthe" is of "the"
      while (word + 1 < words.size() && begin >= ends[word]) ++word;
      ids[word].push_back(all.ids[i]);
    }
    return ids;
  }

  std::optional<PlacedIds> encode_placed(std::string_view text) const override {
    HubEncoding all = plain(text);
    PlacedIds placed{.ids = std::move(all.ids), .places = {}};
    for (const auto& [begin, end] : all.offsets) placed.places.push_back({begin, end});
    return placed;
  }

  std::string decode(std::span<const std::int32_t> units) const override {
    return tokenizer_.decode(units);
  }
  std::string piece(std::int32_t unit) const override { return tokenizer_.shown(unit); }
  Edge edge(std::int32_t unit) const override {
    switch (tokenizer_.edge(unit)) {
      case HubTokenizer::Edge::inside:
        return Edge::inside;
      case HubTokenizer::Edge::opens:
        return Edge::opens;
      case HubTokenizer::Edge::blank:
        return Edge::blank;
    }
    fail(ErrorKind::internal, "no such edge");
  }
  bool is_control(std::int32_t unit) const override {
    return tokenizer_.is_special(unit) || tokenizer_.token(unit).empty();
  }

 private:
  /// A Unigram model may have "</s>" among its pieces and find it in a text.
  HubEncoding plain(std::string_view text) const {
    HubEncoding all = tokenizer_.encode(text, bare);
    for (std::int32_t& id : all.ids) {
      if (tokenizer_.is_special(id)) id = unknown_;
    }
    return all;
  }

  HubTokenizer tokenizer_;
  Dim size_;
  std::int32_t unknown_ = special_ids(tokenizer_).unknown;
};

}  // namespace

std::unique_ptr<Units> hub_units(HubTokenizer tokenizer, Dim size) {
  return std::make_unique<HubUnits>(std::move(tokenizer), size);
}

SpecialIds special_ids(const HubTokenizer& tokenizer) {
  const HubSpecialIds& has = tokenizer.special_ids();
  const auto first_of = [](std::initializer_list<std::int32_t> ids) {
    for (const std::int32_t id : ids) {
      if (id >= 0) return id;
    }
    return -1;
  };
  SpecialIds ids;
  ids.end = first_of({has.sep, has.end, has.pad});
  FOVEA_CHECK(ids.end >= 0, ErrorKind::bad_file,
              "the tokenizer has no token that ends a text (sep_token, eos_token)");
  ids.begin = first_of({has.cls, has.begin, ids.end});
  ids.unknown = first_of({has.unknown, ids.end});
  return ids;
}

}  // namespace fovea::text
