/// Pieces of words, encoded by SentencePiece.
#include <algorithm>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/text/segment.h"
#include "fovea/text/sentencepiece_model.h"
#include "fovea/text/split.h"
#include "fovea/text/units.h"

namespace fovea::text {
namespace {

/// SentencePiece's ids of unknown, begin and end come first, as ours do.
constexpr int reserved = 3;

using sentencepiece::SentencePieceProcessor;

std::unique_ptr<SentencePieceProcessor> processor_of(const std::string& model) {
  auto processor = open_sentencepiece(model);
  FOVEA_CHECK(processor->GetPieceSize() > reserved && processor->IsUnknown(0) &&
                  processor->IsControl(1) && processor->IsControl(2),
              ErrorKind::bad_file, "the model's first pieces are not unknown, begin and end");
  return processor;
}

std::vector<PieceTable::Piece> pieces_of(const SentencePieceProcessor& processor) {
  std::vector<PieceTable::Piece> pieces;
  for (int id = reserved; id < processor.GetPieceSize(); ++id) {
    FOVEA_CHECK(!processor.IsControl(id) && !processor.IsUnknown(id) && !processor.IsUnused(id) &&
                    !processor.IsByte(id),
                ErrorKind::bad_file, "piece ", id, " of the model is no piece of text");
    pieces.push_back({processor.IdToPiece(id), processor.GetScore(id)});
  }
  return pieces;
}

class PieceUnits final : public Units {
 public:
  PieceUnits(TokenizerKind kind, const std::string& model)
      : kind_(kind), processor_(processor_of(model)), pieces_(pieces_of(*processor_)) {}

  Dim size() const override { return pieces_.size(); }

  Ids encode(std::string_view text) const override {
    std::string spaced;
    for_each_word_of_pieces(text, [&](std::string_view word) {
      if (!spaced.empty()) spaced += ' ';
      spaced += word;
    });
    Ids units;
    const auto status = processor_->Encode(spaced, &units);
    FOVEA_CHECK(status.ok(), ErrorKind::internal,
                "SentencePiece cannot encode: ", status.ToString());
    for (std::int32_t& unit : units) unit = unit < reserved ? no_unit : unit - reserved;
    return units;
  }

  Ids sample(std::string_view text, Draws draws, double dropout) const override {
    if (dropout == 0) return encode(text);
    Ids units;
    Chance chance{draws};
    std::string marked;
    for_each_word_of_pieces(text, [&](std::string_view word) {
      marked.assign(space_mark).append(word);
      if (kind_ == TokenizerKind::bpe) {
        segment_bpe(pieces_, marked, dropout, chance, units);
      } else {
        segment_unigram(pieces_, marked, (1 - dropout) / dropout, chance, units);
      }
    });
    return units;
  }

  std::string decode(std::span<const std::int32_t> units) const override {
    std::string text;
    for (const std::int32_t unit : units) {
      std::string_view name = unit == no_unit ? unknown_mark : std::string_view(pieces_[unit].name);
      for (; name.starts_with(space_mark); name.remove_prefix(space_mark.size())) {
        if (!text.empty()) text += ' ';
      }
      text += name;
    }
    return text;
  }

  std::string piece(std::int32_t unit) const override {
    return unit == no_unit ? std::string(unknown_mark) : pieces_[unit].name;
  }
  float score(std::int32_t unit) const override { return pieces_[unit].score; }

  Edge edge(std::int32_t unit) const override {
    if (unit == no_unit) return Edge::inside;
    const std::string& name = pieces_[unit].name;
    if (name == space_mark) return Edge::blank;
    return name.starts_with(space_mark) ? Edge::opens : Edge::inside;
  }

 private:
  /// A word begins with a mark of its own: in text, the mark is a space.
  template <class Visit>
  static void for_each_word_of_pieces(std::string_view text, Visit visit) {
    for_each_run(
        text, [](char32_t c) { return c == U'▁' || is_space(c); }, visit);
  }

  TokenizerKind kind_;
  std::unique_ptr<const SentencePieceProcessor> processor_;
  PieceTable pieces_;
};

}  // namespace

std::unique_ptr<Units> piece_units(TokenizerKind kind, const Learned& learned) {
  return std::make_unique<PieceUnits>(kind, learned.model);
}

}  // namespace fovea::text
