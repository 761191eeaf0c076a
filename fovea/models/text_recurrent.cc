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
      mix(c.known_layers == 0
              ? std::nullopt
              : std::optional<ElmoMix>(std::in_place, s / "mix", c.known_layers - 1)),
      stack(s / "layers", c.cell, c.width + (letters ? letters->width() : 0) + c.known_width,
            c.hidden, {.layers = c.layers, .bidirectional = !c.causal, .dropout = c.dropout}) {}

std::vector<std::string> TextRecurrent::states() const {
  std::vector<std::string> names;
  const Dim directions = config.causal ? 1 : 2;
  for (Dim i = 0; i < config.layers * directions * stack.parts(); ++i) {
    names.push_back(concat(name, ".", i));
  }
  return names;
}

Var TextRecurrent::operator()(const TextRows& rows, const Pass& pass) const {
  Var x = vectors(rows.tokens.ids);  // (N, W)
  if (letters) x = concat_columns({x, (*letters)(rows.letters)});
  if (mix) x = concat_columns({x, (*mix)(rows.known)});
  x = dropout(x, config.dropout, pass.rng);
  RecurrentStack::States initial;
  const std::vector<std::string> names = states();
  for (std::size_t i = 0; pass.cache && i < names.size(); ++i) {
    const Tensor kept = pass.cache->state(names[i]);
    if (!kept.defined()) break;
    initial.emplace_back(kept);
  }
  const RecurrentStack::Output out = stack(x, rows.tokens.segments, pass, initial);
  for (std::size_t i = 0; pass.cache && i < names.size(); ++i) {
    pass.cache->set_state(names[i], out.states[i].value());
  }
  return dropout(out.rows, config.dropout, pass.rng);
}

}  // namespace fovea
