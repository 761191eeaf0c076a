/// The pieces of MarianMT's tokenizers: SentencePiece cuts, and a list that both languages share
/// numbers. ">>fra<<" at the beginning of a text is one token: it tells a model of several
/// languages which to write. (Moses' rules for punctuation, which transformers applies where
/// sacremoses is installed, are left out.)
#include <algorithm>
#include <unordered_map>

#include "fovea/base/check.h"
#include "fovea/text/sentencepiece_model.h"
#include "fovea/text/units.h"

namespace fovea::text {
namespace {

constexpr std::string_view unknown_name = "<unk>", end_name = "</s>", padding_name = "<pad>";

class MarianUnits final : public Units {
 public:
  explicit MarianUnits(const Learned& learned)
      : processor_(open_sentencepiece(learned.model)), names_(learned.symbols) {
    for (std::size_t id = 0; id < names_.size(); ++id) {
      FOVEA_CHECK(ids_.emplace(names_[id], static_cast<std::int32_t>(id)).second,
                  ErrorKind::bad_file, "the piece '", names_[id], "' is there twice");
    }
    special_ = marian_ids(learned.symbols);
  }

  Dim size() const override { return std::ssize(names_); }

  Ids encode(std::string_view text) const override {
    Ids ids;
    const std::size_t code = text.starts_with(">>") ? text.rfind("<<") : std::string_view::npos;
    if (code != std::string_view::npos && code > 2) {
      ids.push_back(id_of(std::string(text.substr(0, code + 2))));
      text.remove_prefix(code + 2);
    }
    std::vector<std::string> pieces;
    const auto status = processor_->Encode(std::string(text), &pieces);
    FOVEA_CHECK(status.ok(), ErrorKind::internal,
                "SentencePiece cannot encode: ", status.ToString());
    for (const std::string& piece : pieces) ids.push_back(id_of(piece));
    return ids;
  }

  std::string decode(std::span<const std::int32_t> units) const override {
    std::string text;
    for (const std::int32_t unit : units) {
      std::string_view name = unit == special_.unknown ? unknown_mark : std::string_view(at(unit));
      for (; name.starts_with(space_mark); name.remove_prefix(space_mark.size())) {
        if (!text.empty()) text += ' ';
      }
      text += name;
    }
    return text;
  }

  std::string piece(std::int32_t unit) const override { return at(unit); }
  Edge edge(std::int32_t unit) const override {
    if (at(unit) == space_mark) return Edge::blank;
    return at(unit).starts_with(space_mark) ? Edge::opens : Edge::inside;
  }
  bool is_control(std::int32_t unit) const override {
    return unit == special_.begin || unit == special_.end;
  }

 private:
  const std::string& at(std::int32_t unit) const { return names_[static_cast<std::size_t>(unit)]; }
  std::int32_t id_of(const std::string& piece) const {
    const auto found = ids_.find(piece);
    return found == ids_.end() ? special_.unknown : found->second;
  }

  std::unique_ptr<const sentencepiece::SentencePieceProcessor> processor_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> ids_;
  SpecialIds special_;
};

}  // namespace

SpecialIds marian_ids(const std::vector<std::string>& names) {
  const auto id_of = [&](std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    FOVEA_CHECK(found != names.end(), ErrorKind::bad_file, "the vocabulary has no '", name, "'");
    return static_cast<std::int32_t>(found - names.begin());
  };
  return {.unknown = id_of(unknown_name), .begin = id_of(padding_name), .end = id_of(end_name)};
}

std::unique_ptr<Units> marian_units(const Learned& learned) {
  return std::make_unique<MarianUnits>(learned);
}

}  // namespace fovea::text
