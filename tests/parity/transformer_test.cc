/// The whole Transformer against PyTorch's: the loss, all gradients, ten losses of training, and
/// what a greedy search writes.
#include "fovea/models/transformer.h"

#include "fovea/decode/search.h"
#include "fovea/ops/loss.h"
#include "fovea/tasks/cached_stepper.h"
#include "fovea/train/optimizers.h"
#include "tests/parity/torch_names.h"

namespace fovea {
namespace {

constexpr std::int32_t begin_id = 1, end_id = 2;

/// Of class Translator in make_fixtures.py.
TransformerConfig config_of(NormPlace norm) {
  TransformerConfig c;
  c.source_vocabulary = c.target_vocabulary = 11;
  c.encoder_layers = c.decoder_layers = 2;
  c.width = 16, c.heads = 4, c.hidden = 32;
  c.norm = norm;
  c.activation = norm == NormPlace::pre ? Activation::gelu : Activation::relu;
  c.tied = norm == NormPlace::pre ? Tied::none : Tied::all;
  c.dropout = 0;
  return c;
}

/// encoder.tokens.weight is source.weight, encoder.1.norm1.bias is encoder.layers.1.norm1.bias.
Theirs theirs_in_stack(const std::string& name) {
  const auto dot = name.find('.');
  const std::string stack = name.substr(0, dot), rest = name.substr(dot + 1);
  if (rest == "tokens.weight") return {stack == "encoder" ? "source.weight" : "target.weight"};
  if (rest.starts_with("out.")) return {rest};
  if (rest.starts_with("norm.")) return {name};
  Theirs of_layer = theirs(rest, 16);
  of_layer.name = stack + ".layers." + of_layer.name;
  return of_layer;
}

std::vector<Ids> rows_of(const Fixture& fixture, const std::string& name) {
  const Tensor ids = fixture[name], lengths = fixture[name + ".lengths"];
  const std::int32_t* at = ids.data<std::int32_t>();
  std::vector<Ids> rows;
  for (const Dim length : lengths.span<Dim>()) {
    rows.emplace_back(at, at + length);
    at += length;
  }
  return rows;
}

class TransformerParity : public ::testing::TestWithParam<std::tuple<DType, NormPlace>> {
 protected:
  DType dtype() const { return std::get<0>(GetParam()); }
  NormPlace norm() const { return std::get<1>(GetParam()); }
  bool single() const { return dtype() == DType::f32; }

  Var loss() const {
    std::vector<Ids> read = rows_of(fixture, "input.targets"), wanted = read;
    for (Ids& ids : read) ids.pop_back();
    for (Ids& ids : wanted) ids.erase(ids.begin());
    const Var h = model.decoder(joined(read), model.encoder(sources, {}), {});
    const OutputLayer& out = model.decoder.out();
    return linear_cross_entropy(h, out.weight, out.bias, joined(wanted).ids, {.smoothing = 0.1});
  }

  Fixture fixture{concat("transformer_", names_of(norm())[static_cast<std::size_t>(norm())]),
                  dtype()};
  Params params{[this](const std::string& name) {
                  const Theirs which = theirs_in_stack(name);
                  return part(fixture[which.name], which);
                },
                dtype()};
  Transformer model{params.scope(), config_of(norm())};
  Sequences sources = joined(rows_of(fixture, "input.sources"));
};

std::string name_of_case(const ::testing::TestParamInfo<std::tuple<DType, NormPlace>>& info) {
  const auto [dtype, norm] = info.param;
  return concat(name_of(dtype), "_", names_of(norm)[static_cast<std::size_t>(norm)]);
}

INSTANTIATE_TEST_SUITE_P(Both, TransformerParity,
                         ::testing::Combine(::testing::Values(DType::f32, DType::f64),
                                            ::testing::Values(NormPlace::post, NormPlace::pre)),
                         name_of_case);

TEST_P(TransformerParity, LossAndGradients) {
  const Var y = loss();
  expect_close(y.value().reshape({1}), fixture["output.losses"].slice(0, 1), 1e-6);
  const Gradients gradients = backward(y);
  for (const Parameter& p : params.all()) {
    SCOPED_TRACE(p.name);
    const Theirs which = theirs_in_stack(p.name);
    expect_close(gradients[p.var], part(fixture["grad." + which.name], which),
                 single() ? 1e-4 : 1e-6);  // some are small differences of large numbers
  }
}

TEST_P(TransformerParity, TenLosses) {
  Adam adam(params, {.beta2 = 0.98, .eps = 1e-9});
  std::vector<double> losses;
  for (int step = 0; step < 10; ++step) {
    const Var y = loss();
    losses.push_back(y.item());
    adam.step(backward(y), 0.005);
  }
  expect_close(Tensor::from<double>({10}, losses), fixture["output.losses"],
               single() ? 1e-4 : 1e-6);
}

/// Searches read logits in single precision.
class TransformerSearchParity : public TransformerParity {};

INSTANTIATE_TEST_SUITE_P(Single, TransformerSearchParity,
                         ::testing::Combine(::testing::Values(DType::f32),
                                            ::testing::Values(NormPlace::post, NormPlace::pre)),
                         name_of_case);

TEST_P(TransformerSearchParity, Greedy) {
  CachedStepper stepper(model.decoder, encode(model.encoder, sources));
  const std::vector<DecodeRequest> requests(4, {.prefix = {begin_id}});
  const auto found =
      decode(stepper, requests, end_id, {.search = Search::greedy, .max_length = 10});
  const std::vector<Ids> written = rows_of(fixture, "output.written");
  for (std::size_t s = 0; s < requests.size(); ++s) EXPECT_EQ(found[s].at(0).ids, written[s]);
}

}  // namespace
}  // namespace fovea
