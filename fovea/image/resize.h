/// Another size of an image.
#pragma once

#include "fovea/image/image.h"

namespace fovea {

/// Bilinear with antialiasing, with the bits of PIL's `resize((width, height), BILINEAR)`. With
/// scale s = from / to along an axis, output i is the weighted mean of the inputs about
/// c = (i + 1/2) s; the weight of input j is max(0, 1 - |j + 1/2 - c| / max(s, 1)), so that every
/// input counts when the image shrinks. Columns first, then rows, each rounded to 8 bits.
Image resize(const Image& image, Dim height, Dim width);

}  // namespace fovea
