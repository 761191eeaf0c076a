/// Sentences for the tests of this room.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/base/rng.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

/// Sentences of a small world, in three languages, with numbers and marks: enough repetition to
/// learn pieces from, enough variety that they differ.
inline std::vector<std::string> sentences(int count, std::uint64_t seed = 1) {
  static constexpr std::array<const char*, 12> who = {
      "A young woman",       "Two brown dogs", "An old fisherman",   "Three children",
      "Ein kleines Mädchen", "Zwei Männer",    "Der Straßenmusiker", "Eine Gruppe Fußgänger",
      "Une petite fille",    "Deux garçons",   "L'homme âgé",        "Des élèves"};
  static constexpr std::array<const char*, 12> does = {
      "is running across", "are jumping over", "sits quietly beside",
      "looks at",          "läuft über",       "springen neben",
      "überquert schnell", "spielt vor",       "traverse",
      "courent près de",   "regarde",          "s'assoit devant"};
  static constexpr std::array<const char*, 12> what = {"the snow-covered field",
                                                       "a rushing river",
                                                       "an ice-cream stand (closed)",
                                                       "the 24 benches",
                                                       "die Wiese",
                                                       "dem überfüllten Bahnhof",
                                                       "das Geländer",
                                                       "einer Größe von 1,80 m",
                                                       "la forêt",
                                                       "l'arrêt de bus n° 7",
                                                       "le café d'été",
                                                       "un château de sable"};
  static constexpr std::array<const char*, 4> end = {".", "!", " , while others wait.", "?"};
  std::vector<std::string> out;
  const Draws draws{seed, 0};
  for (int i = 0; i < count; ++i) {
    const auto block = draws.block(static_cast<std::uint64_t>(i));
    out.push_back(concat(who[block[0] % who.size()], " ", does[block[1] % does.size()], " ",
                         what[block[2] % what.size()], end[block[3] % end.size()]));
  }
  return out;
}

inline Tokenizer::Lines lines_of(std::vector<std::string> lines) {
  return [lines = std::move(lines), at = std::size_t{0}](std::string& line) mutable {
    if (at == lines.size()) return false;
    line = lines[at++];
    return true;
  };
}

inline Tokenizer trained(const TokenizerConfig& config, int count = 400) {
  return Tokenizer::train(config, lines_of(sentences(count)));
}

constexpr std::array<TokenizerKind, 5> all_kinds = {TokenizerKind::bpe, TokenizerKind::unigram,
                                                    TokenizerKind::characters, TokenizerKind::words,
                                                    TokenizerKind::bytes};

}  // namespace fovea
