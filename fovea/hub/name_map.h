/// Which tensors of a checkpoint each of our parameters is made of. One table serves reading and
/// writing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fovea/hub/weights.h"

namespace fovea {

struct TheirTensors {
  std::vector<std::string> names;  // stacked on one another by rows
  std::vector<Dim> rows = {};      // of each, if there are several
  bool transposed = false;         // theirs is (in, out): GPT-2
  Dim skipped = 0;                 // first rows of theirs that stand for nothing
  bool one_row = false;            // theirs is a matrix of one row, ours a vector
};

/// By the names of our parameters.
using NameMap = std::map<std::string, TheirTensors>;

/// Parameters that the table does not have are undefined. A tensor that stands alone and as it is
/// stays in the mapped file.
Params::Source source_of(HubWeights weights, NameMap names);

/// Our parameters as they name and lay them out; those that the table does not have are left out.
std::vector<NamedTensor> theirs(const Params& params, const NameMap& names);

}  // namespace fovea
