#include "fovea/models/encoder_stack.h"

#include <gtest/gtest.h>

#include "fovea/ops/op_samples.h"

namespace fovea {
namespace {

TransformerLayerConfig layers_of(NormPlace norm) {
  return {.attention = {.width = 4, .heads = 2}, .hidden = 6, .norm = norm, .dropout = 0};
}

// y = layer 1(layer 0(x)), with pre-norm norm(y). The names of parameters are those of old models.
TEST(EncoderStack, RunsItsLayersInOrder) {
  const Tensor x = normal_sample({5, 4}, 1).to(DType::f32);
  const Segments segments = Segments::of_lengths({3, 2});
  for (const NormPlace place : {NormPlace::post, NormPlace::pre}) {
    Params params(1);
    const EncoderStack stack(params.scope() / "encoder", 2, layers_of(place), "last");
    EXPECT_NE(params.find("encoder.1.self.qkv.weight"), nullptr);
    EXPECT_EQ(params.find("encoder.last.weight") != nullptr, place == NormPlace::pre);
    Var y = stack.layers[1](stack.layers[0](x, segments, {}), segments, {});
    if (place == NormPlace::pre) y = (*stack.norm)(y);
    EXPECT_TRUE(identical(stack(x, segments, {}).value(), y.value()));
  }
}

TEST(EncoderStack, WithoutLayersPassesRowsThrough) {
  Params params(1);
  const Tensor x = normal_sample({2, 4}, 1).to(DType::f32);
  const EncoderStack none(params.scope(), 0, layers_of(NormPlace::post));
  EXPECT_EQ(params.all().size(), 0U);
  EXPECT_TRUE(identical(none(x, Segments::of_lengths({2}), {}).value(), x));
}

}  // namespace
}  // namespace fovea
