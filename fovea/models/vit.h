/// The Vision Transformer: Dosovitskiy et al. 2021, "An image is worth 16x16 words", 3.1.
///
///   x_0 = class vector,  x_p = E patch_p + b,  h = encoder(x + places),  logits = W h_0 + b
///
/// Shapes: B images of P patches, N = B (P + 1) rows, W width, C classes.
#pragma once

#include "fovea/models/encoder_stack.h"
#include "fovea/models/places.h"
#include "fovea/nn/linear.h"

namespace fovea {

struct VitConfig {
  Dim patch = 4;  // pixels on each side of a patch
  Dim layers = 6;
  Dim width = 64;
  Dim heads = 4;
  Dim hidden = 128;    // of the feed-forward
  double dropout = 0;  // of the rows that enter, and after each sublayer
  // Set by the data:
  Dim height = 0, image_width = 0, channels = 0, classes = 0;

  /// Patches of an image, row by row.
  Dim rows() const { return height / patch; }
  Dim columns() const { return image_width / patch; }

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("patch", patch);
    visit("layers", layers);
    visit("width", width);
    visit("heads", heads);
    visit("hidden", hidden);
    visit("dropout", dropout);
    visit("height", height);
    visit("image_width", image_width);
    visit("channels", channels);
    visit("classes", classes);
  }
};

/// An Error that names the key, if what a recipe says cannot make a model.
void check(const VitConfig& config);

struct Vit {
  VitConfig config;
  Linear patches;  // E, b
  Var class_row;   // (1, W)
  Places places;
  EncoderStack stack;
  Linear head;

  Vit(Scope s, const VitConfig& config);
  /// Pixels of the patches, image after image (B P, patch^2 channels) -> logits (B, C).
  Var operator()(const Tensor& pixels, const Pass& pass) const;
};

}  // namespace fovea
