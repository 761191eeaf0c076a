#include "fovea/metrics/perplexity.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(Perplexity, IsTheNumberOfEquallyLikelyTokens) {
  Perplexity perplexity;
  perplexity.add(3 * std::log(8), 3);
  perplexity.add(5 * std::log(8), 5);
  EXPECT_NEAR(perplexity.value(), 8, 1e-12);
  EXPECT_NEAR(perplexity.bits_per_token(), 3, 1e-12);
  EXPECT_EQ(Perplexity().value(), 1);
}

// Batches count by their tokens, not each as one.
TEST(Perplexity, WeighsBatchesByTokens) {
  Perplexity perplexity;
  perplexity.add(9, 9);
  perplexity.add(3, 1);
  EXPECT_DOUBLE_EQ(perplexity.nats_per_token(), 1.2);
}

}  // namespace
}  // namespace fovea
