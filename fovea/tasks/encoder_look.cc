#include "fovea/tasks/encoder_look.h"

namespace fovea {

DocumentHeat shaded(std::string title, const std::vector<std::string>& words, const Tensor& weights,
                    Dim begin, Dim end) {
  std::vector<float> shades(words.size(), 0);
  for (Dim row = begin; row < end; ++row) {
    for (std::size_t w = 0; w < shades.size(); ++w) {
      shades[w] += weights.view<float>()[row][w] / static_cast<float>(end - begin);
    }
  }
  return {std::move(title), {{1, words, std::move(shades)}}};
}

}  // namespace fovea
