#include "fovea/models/recurrent_sources.h"

#include "fovea/attention/cache.h"

namespace fovea {

RecurrentSources sources_of(const Mechanism& attention, const std::string& name,
                            const Encoded& source, const Pass& pass) {
  RecurrentSources sources;
  if (!pass.cache) {
    sources.at = attention.prepare(source.rows);
    for (Dim s = 0; s < source.segments.count(); ++s) {
      sources.begin.push_back(source.segments.begin(s));
      sources.length.push_back(source.segments.length(s));
    }
    return sources;
  }
  const auto once = [&](const char* part, auto&& make) {
    return pass.cache->memory(name + part, source.segments, [&] { return make().value(); });
  };
  const CachedKeys keys = once(".keys", [&] { return attention.prepare(source.rows).keys; });
  const CachedKeys values = once(".values", [&] { return source.rows; });
  sources.at = {keys.kv, values.kv};
  for (Dim s = 0; s < keys.sequences.count(); ++s) {
    sources.begin.push_back(keys.rows.data<Dim>()[s]);
    sources.length.push_back(keys.sequences.length(s));
  }
  return sources;
}

std::vector<Dim> places_before(const std::string& name, Dim sequences, const Pass& pass) {
  const Tensor places = pass.cache ? pass.cache->state(name + ".place") : Tensor();
  if (!places.defined()) return std::vector<Dim>(static_cast<std::size_t>(sequences), 0);
  return {places.data<Dim>(), places.data<Dim>() + sequences};
}

void keep_places(const std::string& name, std::vector<Dim> before, const Segments& targets,
                 const Pass& pass) {
  if (!pass.cache) return;
  for (std::size_t s = 0; s < before.size(); ++s) before[s] += targets.length(static_cast<Dim>(s));
  pass.cache->set_state(name + ".place",
                        Tensor::from<Dim>({static_cast<Dim>(before.size()), 1}, before));
}

}  // namespace fovea
