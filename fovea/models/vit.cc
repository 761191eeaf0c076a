#include "fovea/models/vit.h"

#include "fovea/base/table_check.h"
#include "fovea/ops/dropout.h"
#include "fovea/ops/rows.h"

namespace fovea {
namespace {

TransformerLayerConfig layer_of(const VitConfig& c) {
  return {.attention = {.width = c.width, .heads = c.heads},
          .hidden = c.hidden,
          .feed_forward = {.activation = Activation::gelu},
          .norm = NormPlace::pre,
          .dropout = c.dropout};
}

}  // namespace

void check(const VitConfig& c) {
  const TableCheck model("model");
  model.layers("layers", 1, c.layers);
  model.sizes({{"patch", c.patch}, {"width", c.width}, {"hidden", c.hidden}});
  model.heads("heads", c.heads, c.width);
  model.shares({{"dropout", c.dropout}});
}

Vit::Vit(Scope s, const VitConfig& c)
    : config(c),
      patches(s / "patches", c.patch * c.patch * c.channels, c.width),
      class_row(s.param("class", {1, c.width}, init::normal(0.02))),
      places(s / "places", Positions::learned, c.rows() * c.columns() + 1, c.width),
      stack(s / "encoder", c.layers, layer_of(c)),
      head(s / "head", c.width, c.classes) {
  FOVEA_CHECK(c.height % c.patch == 0 && c.image_width % c.patch == 0, ErrorKind::bad_setting,
              "model.patch: images of ", c.height, " x ", c.image_width,
              " pixels are not cut into whole patches of ", c.patch, " x ", c.patch);
}

Var Vit::operator()(const Tensor& pixels, const Pass& pass) const {
  const Dim count = config.rows() * config.columns(), images = pixels.rows() / count;
  Tensor rows = Tensor::empty({images * (count + 1)}, DType::i32);  // row 0: the class vector
  Tensor firsts = Tensor::empty({images}, DType::i32);
  for (Dim i = 0, out = 0; i < images; ++i) {
    firsts.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(out);
    rows.mutable_data<std::int32_t>()[out++] = 0;
    for (Dim p = 0; p < count; ++p) {
      rows.mutable_data<std::int32_t>()[out++] = static_cast<std::int32_t>(1 + i * count + p);
    }
  }
  const Segments segments = Segments::uniform(images, count + 1);
  Var x = gather_rows(concat_rows({class_row, patches(Var(pixels))}), rows);  // (N, W)
  x = places(x, segments, std::vector<Dim>(static_cast<std::size_t>(images), 0));
  const Var h = stack(dropout(x, config.dropout, pass.rng), segments, pass);
  return head(gather_rows(h, firsts));
}

}  // namespace fovea
