#include "fovea/models/letter_features.h"

#include "fovea/ops/elementwise.h"
#include "fovea/ops/rows.h"
#include "fovea/ops/segment.h"

namespace fovea {

LetterFeatures::LetterFeatures(Scope s, Dim letters, Dim width, const std::vector<Dim>& windows,
                               Dim filters)
    : vectors(s / "vectors", letters, width) {
  FOVEA_CHECK(!windows.empty(), ErrorKind::bad_setting,
              "letter_windows: no window, though letters are read; give one");
  for (const Dim window : windows) {
    this->filters.emplace_back(s / "filters" / window, width, filters, Window::same(window));
  }
}

Var LetterFeatures::operator()(const Sequences& letters) const {
  const Var x = vectors(letters.ids);  // (L, width)
  std::vector<Var> features;
  for (const Conv1d& filter : filters) {
    const Segments places = windowed(letters.segments, filter.window);
    features.push_back(
        tanh(segment_pool(filter(x, letters.segments), places, Pooling::max)));  // (N, filters)
  }
  return features.size() == 1 ? features.front() : concat_columns(features);
}

Dim LetterFeatures::width() const {
  Dim width = 0;
  for (const Conv1d& filter : filters) width += filter.weight.shape()[0];
  return width;
}

}  // namespace fovea
