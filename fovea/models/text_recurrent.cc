#include "fovea/models/text_recurrent.h"

#include "fovea/attention/cache.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/rows.h"

namespace fovea {

TextRecurrent::TextRecurrent(Scope s, const TextEncoderConfig& c)
    : name(s.name()),
      config(c),
      vectors(s / "tokens", c.vocabulary, c.width),
      letters(c.letters == 0 ? std::nullopt
                             : std::optional<LetterFeatures>(std::in_place, s / "letters",
                                                             c.letters, c.letter_width,
                                                             c.letter_windows, c.letter_filters)),
      stack(s / "layers", c.cell, c.width + (letters ? letters->width() : 0), c.hidden,
            {.layers = c.layers, .bidirectional = !c.causal, .dropout = c.dropout}) {}

Var TextRecurrent::operator()(const TextRows& rows, const Pass& pass) const {
  Var x = vectors(rows.tokens.ids);  // (N, W)
  if (letters) x = concat_columns({x, (*letters)(rows.letters)});
  x = dropout(x, config.dropout, pass.rng);
  RecurrentStack::States states;
  for (Dim i = 0; pass.cache; ++i) {
    const Tensor kept = pass.cache->state(concat(name, ".", i));
    if (!kept.defined()) break;
    states.emplace_back(kept);
  }
  const RecurrentStack::Output out = stack(x, rows.tokens.segments, pass, states);
  for (std::size_t i = 0; pass.cache && i < out.states.size(); ++i) {
    pass.cache->set_state(concat(name, ".", i), out.states[i].value());
  }
  return dropout(out.rows, config.dropout, pass.rng);
}

}  // namespace fovea
