#include "fovea/models/text_convolution.h"

#include "fovea/ops/dropout.h"
#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"

namespace fovea {

NeighbourFilters::NeighbourFilters(Scope s, Dim width, Dim filters,
                                   const std::vector<Dim>& windows) {
  for (const Dim window : windows) {
    of_window.emplace_back(s / window, width, filters, Window::same(window));
  }
}

Var NeighbourFilters::operator()(const Var& x, const Segments& texts) const {
  std::vector<Var> found;
  for (const Conv1d& filter : of_window) found.push_back(relu(filter(x, texts)));
  return found.size() == 1 ? found.front() : concat_columns(found);
}

TextConvolution::TextConvolution(Scope s, const TextEncoderConfig& c)
    : config(c),
      vectors(s / "tokens", c.vocabulary, c.width),
      filters(s / "filters", c.width, c.hidden, c.windows) {
  FOVEA_CHECK(!c.windows.empty(), ErrorKind::bad_setting,
              "encoder.windows: a convolution without a window; give one");
  FOVEA_CHECK(c.kinds == 0 && c.letters == 0 && !c.causal, ErrorKind::bad_setting,
              "family = \"convolution\" reads whole texts, one at a time, by their tokens alone; ",
              "leave out kinds, letters and causal");
}

Var TextConvolution::operator()(const TextRows& rows, const Pass& pass) const {
  const Var x = dropout(vectors(rows.tokens.ids), config.dropout, pass.rng);  // (N, W)
  return filters(x, rows.tokens.segments);
}

}  // namespace fovea
