/// What PyTorch calls the parameters of our attention and layers.
#pragma once

#include <string>

#include "tests/parity/fixture.h"

namespace fovea {

/// Our name of a parameter as PyTorch's, and which of its rows: `first`, `rows` (all if 0).
struct Theirs {
  std::string name;
  Dim first = 0, rows = 0;
};

/// PyTorch holds queries, keys and values of an attention in one matrix of 3 W rows.
inline Theirs theirs(std::string name, Dim width) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    const auto at = name.find(from);
    if (at == std::string::npos) return false;
    name.replace(at, from.size(), to);
    return true;
  };
  replace("feed_forward.", "");
  replace("self.", "self_attn.");
  replace("cross.", "multihead_attn.");
  if (replace("out.", "out_proj.")) return {name};
  if (replace("qkv.", "in_proj_")) return {name};
  if (replace("query.", "in_proj_")) return {name, 0, width};
  if (replace("memory.", "in_proj_")) return {name, width, 2 * width};
  return {name};
}

inline Tensor part(const Tensor& t, const Theirs& which) {
  return which.rows == 0 ? t : t.slice(which.first, which.first + which.rows).clone();
}

}  // namespace fovea
