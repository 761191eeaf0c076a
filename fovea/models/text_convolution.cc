#include "fovea/models/text_convolution.h"

#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"

namespace fovea {

TextConvolution::TextConvolution(Scope s, const TextEncoderConfig& c)
    : config(c), vectors(s / "tokens", c.vocabulary, c.width) {
  FOVEA_CHECK(!c.windows.empty(), "encoder.windows: a convolution without a window; give one");
  FOVEA_CHECK(c.kinds == 0 && c.letters == 0 && !c.causal,
              "family = \"convolution\" reads whole texts, one at a time, by their tokens alone; ",
              "leave out kinds, letters and causal");
  for (const Dim window : c.windows) {
    filters.emplace_back(s / "filters" / window, c.width, c.hidden, Window::same(window));
  }
}

Var TextConvolution::operator()(const TextRows& rows, const Pass& pass) const {
  const Segments& texts = rows.tokens.segments;
  const Var x = dropout(vectors(rows.tokens.ids), config.dropout, pass.rng);  // (N, W)
  std::vector<Var> found;
  for (const Conv1d& filter : filters) found.push_back(relu(filter(x, texts)));
  return found.size() == 1 ? found.front() : concat_columns(found);
}

}  // namespace fovea
