#include "fovea/models/encoder_decoder.h"

#include "fovea/attention/cache.h"
#include "fovea/ops/linear.h"
#include "fovea/ops/loss.h"

namespace fovea {

OutputLayer::OutputLayer(Scope s, Dim vocabulary, Dim width, bool biased)
    : OutputLayer(s, s.weight("weight", {vocabulary, width}, init::xavier()), biased) {}

OutputLayer::OutputLayer(Scope s, const Var& shared, bool biased)
    : OutputLayer(s, Weight{.plain = shared, .packed = s.packed(shared)}, biased) {}

OutputLayer::OutputLayer(Scope s, const Weight& w, bool biased)
    : weight(w.plain),
      bias(biased ? s.param("bias", {weight.rows()}, init::zeros()) : Var()),
      packed(w.packed) {}

Var OutputLayer::logits(const Var& h) const {
  return linear(h, weight, bias, {.packed = *packed ? &**packed : nullptr});
}

Var OutputLayer::loss_sum(const Var& h, const Tensor& targets, double smoothing) const {
  return linear_cross_entropy(h, weight, bias, targets,
                              {.smoothing = smoothing, .reduction = Reduction::sum},
                              *packed ? &**packed : nullptr);
}

std::vector<std::string> Decoder::cross_attention() const {
  std::vector<std::string> names;
  for (const AttentionLayer& layer : attention_layers()) {
    if (layer.cross()) names.push_back(layer.name);
  }
  return names;
}

void expect_no_lag(const DecoderOptions& options, std::string_view decoder) {
  FOVEA_CHECK(options.lag <= 0, ErrorKind::bad_setting, decoder,
              ": it waits for the whole source; a lag needs ", "model.family = \"transformer\"");
}

void expect_no_guide(const DecoderOptions& options, std::string_view decoder) {
  FOVEA_CHECK(!options.guided, ErrorKind::bad_setting, decoder,
              ": alignments guide models of the families \"transformer\" ",
              "and \"convolutional\" only");
}

std::vector<Dim> seen_by(const Cache* cache, Dim sequences) {
  std::vector<Dim> seen(static_cast<std::size_t>(sequences), 0);
  for (std::size_t s = 0; cache && s < seen.size(); ++s) {
    seen[s] = cache->length(static_cast<Dim>(s));
  }
  return seen;
}

std::vector<Dim> places_after(const std::vector<Dim>& seen, const std::vector<Dim>& begins) {
  std::vector<Dim> places = seen;
  for (std::size_t s = 0; s < begins.size(); ++s) places[s] += begins[s];
  return places;
}

}  // namespace fovea
