/// Searches in which each hypothesis goes its own way: at each step one token is picked for it.
#pragma once

#include "fovea/decode/searching.h"

namespace fovea {

/// The id to write after `open`, whose sample number is `sample`; -1 if nothing may follow.
using Pick =
    std::function<std::int32_t(const Open& open, Dim sample, std::span<const float> logits)>;

/// x / theta of what was written already, forced text included, so that it is less likely to come
/// again: Keskar et al. 2019, "CTRL", 4.1. Where x < 0 it is x theta, which makes it less likely
/// too.
Pick with_repetition_penalty(double theta, Pick pick);

/// `samples` hypotheses. Picks are made on any threads.
std::unique_ptr<Searching> walk(DecodeJob job, Constraints constraints, Dim samples, Pick pick);

/// The id of the largest logit, the lowest of equals; -1 if all are -inf.
std::int32_t likeliest(std::span<const float> logits);

}  // namespace fovea
