/// An image in memory: what readers of image files give and what models and pictures are made from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

struct Image {
  Dim height = 0, width = 0;
  Dim channels = 0;                       // 1: grey; 3: red, green, blue
  std::vector<std::uint8_t> pixels = {};  // (height, width, channels)

  bool operator==(const Image&) const = default;
  /// Throws unless there is at least one pixel and `pixels` fits the extents. `what` begins the
  /// message.
  void check(std::string_view what) const;
};

/// The same image in grey (1 channel) or in colour (3). Grey is ITU-R BT.601's luma,
/// 0.299 R + 0.587 G + 0.114 B, rounded as PIL does.
Image with_channels(Image image, Dim channels);

}  // namespace fovea
