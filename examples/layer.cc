// One layer of a Transformer is trained by hand for some steps, and then looked into.
#include "fovea/attention/probe.h"
#include "fovea/autograd/backward.h"
#include "fovea/models/transformer_layer.h"
#include "fovea/ops/loss.h"
#include "fovea/train/optimizers.h"

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using namespace fovea;
  Params params(/*seed=*/1);
  const EncoderLayer layer(params.scope() / "encoder" / 0,
                           {.attention = {.width = 64, .heads = 8}, .hidden = 256});
  Adam optimizer(params, {.beta2 = 0.98, .eps = 1e-9});

  const Segments sentences = Segments::of_lengths({17, 4, 33});  // 54 rows in all, no padding
  // What goes in; what should come out is the same, with the other sign.
  std::vector<float> numbers(54 * 64), wanted;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = std::sin(0.7F * static_cast<float>(i));
  for (const float number : numbers) wanted.push_back(-number);
  const Var x = Tensor::from<float>({54, 64}, numbers),
            target = Tensor::from<float>({54, 64}, wanted);

  Rng rng{.seed = 1};
  double first = 0, last = 0;
  for (int step = 0; step < 50; ++step) {
    const Var y = layer(x, sentences, {.rng = &rng});  // (54, 64)
    const Var loss = mse(y, target);
    Gradients gradients = backward(loss);  // a value: nothing to zero
    optimizer.step(gradients, 1e-3);
    last = loss.item();
    if (step == 0) first = last;
  }
  std::printf("the loss fell from %.3f to %.3f\n", first, last);

  Probe probe({.where = "encoder.*", .keep = Keep::top});  // where does it look?
  layer(x, sentences, {.probe = &probe});                  // same kernel, same bits
  const auto [weights, keys] = probe.find("encoder.0.self")->largest(/*sequence=*/2, /*head=*/0);
  std::printf("the first row of the third sentence looked most at row %d (%.2f)\n",
              keys.data<std::int32_t>()[0], static_cast<double>(weights.data<float>()[0]));
  return last < first ? 0 : 1;
}
