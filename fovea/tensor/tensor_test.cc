#include "fovea/tensor/tensor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fovea/base/arena.h"

namespace fovea {
namespace {

TEST(Shape, CountsElementsRowsAndColumns) {
  const Shape s = {2, 3, 4};
  EXPECT_EQ(s.size(), 24);
  EXPECT_EQ(s.rows(), 6);
  EXPECT_EQ(s.cols(), 4);
  EXPECT_EQ(s[-1], 4);
  EXPECT_EQ(Shape().size(), 1);
  EXPECT_EQ(concat(s), "(2, 3, 4)");
  EXPECT_NE(s, (Shape{2, 12}));
}

TEST(Shape, RefusesWhatIsNoShape) {
  EXPECT_THROW(Shape({2, -1}), Error);
  EXPECT_THROW(Shape({1, 1, 1, 1, 1, 1}), Error);
  EXPECT_THROW(Shape({Dim(1) << 40, Dim(1) << 40}), Error);
  EXPECT_THROW((Shape{2}[1]), Error);
}

TEST(Tensor, HandlesShareMemoryAndGiveItBack) {
  const std::size_t before = Arena::shared().stats().blocks;
  {
    Tensor a = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
    EXPECT_TRUE(a.unique());
    Tensor b = a;
    EXPECT_FALSE(a.unique());
    EXPECT_TRUE(a.same_memory(b));
    Tensor c = a.clone();
    EXPECT_FALSE(a.same_memory(c));
    EXPECT_TRUE(identical(a, c));
    c.mutable_data<float>()[3] = 5;
    EXPECT_FALSE(identical(a, c));
    EXPECT_EQ(Arena::shared().stats().blocks, before + 2);
  }
  EXPECT_EQ(Arena::shared().stats().blocks, before);
}

TEST(Tensor, SlicesAndReshapesShareMemory) {
  const Tensor a = Tensor::of<std::int32_t>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor s = a.slice(1, 3);
  EXPECT_EQ(s.shape(), (Shape{2, 2}));
  EXPECT_EQ(s.data<std::int32_t>()[0], 3);
  EXPECT_EQ(a.reshape({6}).shape(), Shape{6});
  EXPECT_THROW(a.reshape({5}), Error);
  EXPECT_THROW(a.slice(2, 4), Error);
  EXPECT_EQ(a.slice(3, 3).size(), 0);
}

TEST(Tensor, ConvertsNumbers) {
  const Tensor a = Tensor::of<float>({3}, {1.5F, -2, 3});
  EXPECT_EQ(a.to(DType::f64).data<double>()[0], 1.5);
  EXPECT_EQ(a.to(DType::i32).data<std::int32_t>()[1], -2);
  EXPECT_THROW(a.to(DType::f16), Error);
  EXPECT_EQ(Tensor::full({}, 7).item(), 7);
  EXPECT_THROW(a.item(), Error);
}

TEST(Tensor, RefusesToBeReadAsAnotherType) {
  const Tensor a = Tensor::zeros({2});
  try {
    a.data<double>();
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "tensor: holds f32, read as f64");
  }
  EXPECT_THROW(Tensor::of<float>({3}, {1, 2}), Error);
}

TEST(Tensor, WrapsMemoryOfOthersAndKeepsItsOwner) {
  auto owner = std::make_shared<std::vector<float>>(4, 2.5F);
  std::weak_ptr<std::vector<float>> watch = owner;
  Tensor a = Tensor::wrap(owner->data(), {4}, DType::f32, owner);
  owner.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_FALSE(a.unique()) << "somebody else's memory must not be written over";
  EXPECT_EQ(a.data<float>()[3], 2.5F);
  a = Tensor();
  EXPECT_TRUE(watch.expired());
}

TEST(Tensor, AddsInPlace) {
  Tensor a = Tensor::of<double>({2}, {1, 2});
  add_to(a, Tensor::of<double>({2}, {10, 20}));
  EXPECT_EQ(a.data<double>()[1], 22);
  EXPECT_THROW(add_to(a, Tensor::zeros({3}, DType::f64)), Error);
  EXPECT_THROW(add_to(a, Tensor::zeros({2})), Error);
}

}  // namespace
}  // namespace fovea
