/// An image shaded by the weights of its patches: the less weight, the greyer. What document_heat.h
/// is for text.
///
///   if (const auto heat = main_image(record)) std::cout << terminal_image(*heat);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/image/image.h"
#include "fovea/inspect/run_record.h"
#include "fovea/inspect/terminal.h"

namespace fovea {

struct ImageHeat {
  std::string title;
  Image image;
  RunRecord::Grid grid = {};               // of the weights; empty: nothing is shaded
  std::vector<float> weights = {};         // (rows, columns)
  std::vector<RunRecord::Box> boxes = {};  // outlined

  /// How much of an image is left in each cell of the grid: weights, the largest by 1.
  std::vector<float> shades() const;
  float largest() const;  // weight
  /// Throws unless each cell has a weight.
  void check() const;
};

/// The image whose grid of patches a layer's keys are, shaded by what rows [begin, end) gave them,
/// on average over rows, of one head or (-1) of the mean of heads.
ImageHeat shaded_image(const RunRecord& record, std::string_view layer, Dim head, Dim begin,
                       Dim end);

/// What to show of a record with an image, if it has one: the image with its boxes, shaded by the
/// layer that the record shows first (the last layer if it says none) if that layer's keys are
/// patches. Of self-attention only rows of tokens that are no patches count, such as the class
/// token's; all rows, if there are none.
std::optional<ImageHeat> main_image(const RunRecord& record);

/// Two pixels a character, at most as wide as the terminal and 32 lines high. Without colours: the
/// weights of the grid alone.
std::string terminal_image(const ImageHeat& heat, const TerminalStyle& style = {});
/// A stand-alone SVG, with the weight of each patch as its tip.
std::string svg_image(const ImageHeat& heat);
/// Without the title; small images are enlarged by a whole factor, to about 1,000 pixels.
std::string png_image(const ImageHeat& heat);

}  // namespace fovea
