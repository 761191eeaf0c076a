/// How many equally likely tokens a model is as unsure as.
#pragma once

#include <cmath>
#include <numbers>

#include "fovea/base/view.h"

namespace fovea {

/// exp(mean over all tokens of -log p(token)), summed up batch by batch.
struct Perplexity {
  double nats = 0;  // sum of -log p
  Dim tokens = 0;

  void add(double batch_nats, Dim batch_tokens) {
    nats += batch_nats;
    tokens += batch_tokens;
  }

  double nats_per_token() const { return tokens == 0 ? 0 : nats / static_cast<double>(tokens); }
  double bits_per_token() const { return nats_per_token() / std::numbers::ln2; }
  double value() const { return std::exp(nats_per_token()); }
};

}  // namespace fovea
