#include "fovea/tensor/segments.h"

#include <algorithm>

namespace fovea {

Segments::Segments(Tensor offsets) : offsets_(std::move(offsets)) {
  const auto o = this->offsets();
  FOVEA_CHECK(!o.empty() && o[0] == 0, "segments: offsets begin with 0");
  for (std::size_t i = 1; i < o.size(); ++i) {
    FOVEA_CHECK(o[i] >= o[i - 1], "segments: sequence ", i - 1, " has the length ",
                o[i] - o[i - 1]);
  }
}

Segments Segments::of_offsets(std::span<const Dim> offsets) {
  return Segments(Tensor::from<Dim>({static_cast<Dim>(offsets.size())}, offsets));
}

Segments Segments::of_lengths(std::span<const Dim> lengths) {
  Tensor offsets = Tensor::empty({static_cast<Dim>(lengths.size()) + 1}, DType::i64);
  Dim* next = offsets.mutable_data<Dim>();
  *next = 0;
  for (Dim length : lengths) {
    next[1] = next[0] + length;
    ++next;
  }
  return Segments(std::move(offsets));
}

Segments Segments::uniform(Dim count, Dim length) {
  FOVEA_CHECK(count >= 0 && length >= 0, "segments: ", count, " sequences of length ", length);
  Tensor offsets = Tensor::empty({count + 1}, DType::i64);
  for (Dim i = 0; i <= count; ++i) offsets.mutable_data<Dim>()[i] = i * length;
  return Segments(std::move(offsets));
}

Dim Segments::longest() const {
  Dim longest = 0;
  for (Dim i = 0; i < count(); ++i) longest = std::max(longest, length(i));
  return longest;
}

}  // namespace fovea
