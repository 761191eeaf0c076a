/// Images as rows of numbers, for models that read an image as a sequence of patches.
/// Dosovitskiy et al. 2021, "An image is worth 16x16 words", 3.1.
#pragma once

#include <span>

#include "fovea/image/image.h"
#include "fovea/tensor/tensor.h"

namespace fovea {

/// One row a patch, image after image, the patches of an image row by row: (patches, patch * patch
/// * channels) f32. A row holds the pixels of its patch in the same order (y, x, channel), from 0
/// to
/// 1. Images may differ in size, not in channels; sides must be multiples of `patch`.
Tensor patch_rows(std::span<const Image> images, Dim patch);

}  // namespace fovea
