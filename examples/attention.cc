// Attention over two sequences of unequal length, and who looked at whom. The weights are drawn at
// random: nothing was trained here.
#include "fovea/attention/multi_head.h"
#include "fovea/attention/probe.h"
#include "fovea/autograd/backward.h"
#include "fovea/nn/embedding.h"
#include "fovea/ops/reduce.h"

#include <cstdio>
#include <string>
#include <vector>

int main() {
  using namespace fovea;
  const std::vector<std::string> tokens = {"she", "saw", "it",   "the",
                                           "cat", "sat", "down", "again"};
  const Segments segments = Segments::of_lengths({3, 5});  // no padding: 8 rows in all

  // The parameters are drawn from a seed, each by its name.
  Params params(/*seed=*/1);
  const Embedding embed(params.scope() / "embed", 8, 32, {.scaled = true});
  const SelfAttention attention(params.scope() / "attention",
                                {.width = 32, .heads = 2, .causal = true});

  // A pass with a probe: the same numbers come out, and the weights are kept.
  Probe probe({.where = "attention"});
  const Tensor ids = Tensor::of<std::int32_t>({8}, {0, 1, 2, 3, 4, 5, 6, 7});
  const Var y = attention(embed(ids), segments, {.probe = &probe});  // (8, 32)
  std::printf("%lld rows of %lld numbers\n", static_cast<long long>(y.rows()),
              static_cast<long long>(y.cols()));

  const AttentionRecord& record = *probe.find("attention");
  for (Dim s = 0; s < record.sequences(); ++s) {
    for (Dim h = 0; h < 2; ++h) {
      const Tensor weights = record.matrix(s, h);  // (queries, keys)
      const std::string* words = &tokens[static_cast<std::size_t>(segments.begin(s))];
      std::printf("\nsequence %d, head %d\n%8s", static_cast<int>(s), static_cast<int>(h), "");
      for (Dim k = 0; k < weights.cols(); ++k) std::printf("%8s", words[k].c_str());
      for (Dim q = 0; q < weights.rows(); ++q) {
        std::printf("\n%8s", words[q].c_str());
        for (Dim k = 0; k < weights.cols(); ++k) {
          std::printf("%8.2f", static_cast<double>(weights.view<float>()[q][k]));
        }
      }
      std::printf("\n");
    }
  }

  // Gradients are a value: nothing to zero.
  const Gradients gradients = backward(mean(y));
  std::printf("\n%zu parameters have a gradient\n", gradients.size());
}
