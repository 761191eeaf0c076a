/// What the recurrent decoder looks at, whether its rows were just made or stand in a cache.
#pragma once

#include <string>
#include <vector>

#include "fovea/attention/mechanism.h"
#include "fovea/models/encoder_decoder.h"

namespace fovea {

struct RecurrentSources {
  LookedAt at;
  std::vector<Dim> begin, length;  // of the source of each target
};

/// `name`: of the attention. With a cache its keys are computed once; hypotheses of one source
/// share them.
RecurrentSources sources_of(const Mechanism& attention, const std::string& name,
                            const Encoded& source, const Pass& pass);

/// How many rows of each target came before.
std::vector<Dim> places_before(const std::string& name, Dim sequences, const Pass& pass);
/// For the next call: with these rows.
void keep_places(const std::string& name, std::vector<Dim> before, const Segments& targets,
                 const Pass& pass);

}  // namespace fovea
