#include "fovea/inspect/image_heat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "fovea/image/png.h"
#include "fovea/image/resize.h"
#include "fovea/inspect/terminal_shades.h"
#include "fovea/picture/colour.h"
#include "fovea/picture/display_text.h"
#include "fovea/picture/svg.h"

namespace fovea {
namespace {

/// The colour of the veil over patches, and how opaque it is over one without weight. Grey, because
/// it hides black pixels and white ones alike; not quite opaque, so that the image can be made out.
/// The viewer of web/ draws the same.
constexpr std::uint8_t veil_grey = 128;
constexpr float most_veil = 210.0F / 255;

std::string weight_text(float weight) {
  std::array<char, 32> out;
  std::snprintf(out.data(), out.size(), "%.3f", static_cast<double>(weight));
  return out.data();
}

Image enlarged(const Image& image, Dim factor) {
  Image out{.height = factor * image.height, .width = factor * image.width, .channels = 3};
  out.pixels.reserve(static_cast<std::size_t>(out.height * out.width * 3));
  for (Dim y = 0; y < out.height; ++y) {
    for (Dim x = 0; x < out.width; ++x) {
      const auto from = image.pixels.begin() + 3 * (y / factor * image.width + x / factor);
      out.pixels.insert(out.pixels.end(), from, from + 3);
    }
  }
  return out;
}

/// On an image in colour of any size.
void veil_patches(const ImageHeat& heat, Image& to) {
  const std::vector<float> shades = heat.shades();
  if (shades.empty()) return;
  std::uint8_t* value = to.pixels.data();
  for (Dim y = 0; y < to.height; ++y) {
    for (Dim x = 0; x < to.width; ++x) {
      const Dim row = y * heat.grid.rows / to.height, column = x * heat.grid.columns / to.width;
      const auto cell = static_cast<std::size_t>(row * heat.grid.columns + column);
      const float veil = most_veil * (1 - shades[cell]);
      for (Dim c = 0; c < 3; ++c, ++value) {
        *value = static_cast<std::uint8_t>(std::lround(*value + veil * (veil_grey - *value)));
      }
    }
  }
}

/// On an image in colour of any size.
void outline_boxes(const ImageHeat& heat, Image& to) {
  const float down = static_cast<float>(to.height) / static_cast<float>(heat.image.height);
  const float across = static_cast<float>(to.width) / static_cast<float>(heat.image.width);
  const Dim thickness = std::max<Dim>(1, std::max(to.height, to.width) / 200);
  const auto within = [](float at, Dim size) {
    return static_cast<Dim>(std::clamp(at, 0.0F, static_cast<float>(size)));
  };
  for (std::size_t i = 0; i < heat.boxes.size(); ++i) {
    const RunRecord::Box& box = heat.boxes[i];
    const Dim left = within(across * box.x, to.width), top = within(down * box.y, to.height);
    const Dim right = within(across * (box.x + box.width), to.width);
    const Dim bottom = within(down * (box.y + box.height), to.height);
    const Rgb colour = line_rgb(i);
    for (Dim y = top; y < bottom; ++y) {
      for (Dim x = left; x < right; ++x) {
        if (std::min({y - top, bottom - 1 - y, x - left, right - 1 - x}) >= thickness) continue;
        std::uint8_t* pixel = to.pixels.data() + 3 * (y * to.width + x);
        pixel[0] = colour.red, pixel[1] = colour.green, pixel[2] = colour.blue;
      }
    }
  }
}

/// Enlarged by a whole factor to about 1,000 pixels on the longer side, and veiled.
Image large_veiled(const ImageHeat& heat) {
  constexpr Dim room = 1000, largest = 24;
  heat.check();
  const Dim longer = std::max(heat.image.height, heat.image.width);
  Image image = enlarged(with_channels(heat.image, 3), std::clamp<Dim>(room / longer, 1, largest));
  veil_patches(heat, image);
  return image;
}

/// The weights as cells of two columns.
std::string grid_text(const ImageHeat& heat, Shades how) {
  const std::vector<float> shades = heat.shades();
  std::string out;
  for (Dim row = 0; row < heat.grid.rows; ++row) {
    std::string line;
    for (Dim column = 0; column < heat.grid.columns; ++column) {
      line +=
          shade_cell(shades[static_cast<std::size_t>(row * heat.grid.columns + column)], 2, how);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

const RunRecord::Places* grid_of(const RunRecord& record, std::string_view sequence) {
  for (const RunRecord::Places& places : record.places) {
    if (places.sequence == sequence && std::holds_alternative<RunRecord::Grid>(places.at)) {
      return &places;
    }
  }
  return nullptr;
}

std::vector<RunRecord::Box> boxes_of(const RunRecord& record, std::string_view medium) {
  for (const RunRecord::Places& places : record.places) {
    const auto* boxes = std::get_if<std::vector<RunRecord::Box>>(&places.at);
    if (boxes && places.medium == medium) return *boxes;
  }
  return {};
}

}  // namespace

void ImageHeat::check() const {
  image.check("image '" + title + "'");
  FOVEA_CHECK(grid.rows * grid.columns == std::ssize(weights), "image '", title, "': a grid of ",
              grid.rows, " x ", grid.columns, ", but ", weights.size(), " weights");
}

std::vector<float> ImageHeat::shades() const {
  check();
  const float most = largest();
  std::vector<float> all;
  for (const float weight : weights) all.push_back(most > 0 ? weight / most : 0);
  return all;
}

float ImageHeat::largest() const {
  float most = 0;
  for (const float weight : weights) most = std::max(most, weight);
  return most;
}

ImageHeat shaded_image(const RunRecord& record, std::string_view name, Dim head, Dim begin,
                       Dim end) {
  const AttentionMap map = map_of(record, name, head);
  const RunRecord::Layer& layer = record.layer(name);
  const RunRecord::Places* places = grid_of(record, layer.keys);
  FOVEA_CHECK(places, "run: '", layer.keys, "', which layer '", name,
              "' looks at, has no grid of places in an image");
  FOVEA_CHECK(begin >= 0 && begin < end && end <= layer.rows, "run: layer '", name, "' has ",
              layer.rows, " rows; asked for ", begin, " to ", end - 1);
  ImageHeat heat{.title = {},
                 .image = record.medium(places->medium).image,
                 .grid = std::get<RunRecord::Grid>(places->at),
                 .boxes = boxes_of(record, places->medium)};
  for (Dim i = 0; i < places->count(); ++i) {
    float sum = 0;
    for (Dim row = begin; row < end; ++row) sum += map.weight(row, places->first + i);
    heat.weights.push_back(sum / static_cast<float>(end - begin));
  }
  const std::string who = end - begin == 1 ? map.queries[static_cast<std::size_t>(begin)]
                                           : concat("mean of ", end - begin, " queries");
  heat.title = concat(map.title, ", ", who, " (largest weight ", weight_text(heat.largest()), ")");
  return heat;
}

std::optional<ImageHeat> main_image(const RunRecord& record) {
  if (record.media.empty()) return std::nullopt;
  const RunRecord::Medium& first = record.media.front();
  const ImageHeat plain{
      .title = first.name, .image = first.image, .boxes = boxes_of(record, first.name)};
  if (record.layers.empty()) return plain;
  const auto shown = record.alignment.value_or(RunRecord::Alignment{record.layers.back().name});
  const RunRecord::Layer& layer = record.layer(shown.layer);
  const RunRecord::Places* patches = grid_of(record, layer.keys);
  if (!patches) return plain;
  Dim begin = 0, end = layer.rows;
  const Dim after = patches->first + patches->count();
  if (layer.queries == layer.keys && patches->first > 0) {
    end = patches->first;
  } else if (layer.queries == layer.keys && after < layer.rows) {
    begin = after;
  }
  return shaded_image(record, layer.name, shown.head, begin, end);
}

std::string terminal_image(const ImageHeat& heat, const TerminalStyle& style) {
  constexpr Dim tallest = 64;  // pixels: two a line
  heat.check();
  const Charset charset = style.shades == Shades::ascii ? Charset::ascii : Charset::unicode;
  std::string out = cut_to_width(displayable(heat.title, charset), style.width, charset) + "\n";
  if (style.shades != Shades::colour) return out + grid_text(heat, style.shades);
  const Image colour = with_channels(heat.image, 3);
  const double fit = std::min(static_cast<double>(style.width) / static_cast<double>(colour.width),
                              static_cast<double>(tallest) / static_cast<double>(colour.height));
  const auto fitted = [&](Dim side) {
    return std::max<Dim>(1, static_cast<Dim>(fit * static_cast<double>(side)));
  };
  Image image = fit >= 1 ? enlarged(colour, static_cast<Dim>(fit))
                         : resize(colour, fitted(colour.height), fitted(colour.width));
  veil_patches(heat, image);
  outline_boxes(heat, image);
  const auto rgb = [&](Dim y, Dim x) {
    const auto at = image.pixels.begin() + 3 * (std::min(y, image.height - 1) * image.width + x);
    return Rgb{at[0], at[1], at[2]};
  };
  for (Dim y = 0; y < image.height; y += 2) {
    for (Dim x = 0; x < image.width; ++x) out += pixel_cell(rgb(y, x), rgb(y + 1, x));
    out += "\x1b[0m\n";
  }
  return out;
}

std::string svg_image(const ImageHeat& heat) {
  constexpr double room = 640, left = 12, top = 44, bottom = 12, least_width = 320;
  const Image image = large_veiled(heat);
  const auto image_width = static_cast<double>(heat.image.width);
  const auto image_height = static_cast<double>(heat.image.height);
  const double scale = room / std::max(image_width, image_height);
  const double width = scale * image_width, height = scale * image_height;
  const double title = 9 * static_cast<double>(display_width(heat.title));
  Svg svg(2 * left + std::max({width, title, least_width}), top + height + bottom, heat.title);
  svg.text(left, 26, heat.title, {.size = 15, .bold = true});
  svg.image(left, top, width, height, encode_png(image));
  const double cell_width = width / static_cast<double>(std::max<Dim>(heat.grid.columns, 1));
  const double cell_height = height / static_cast<double>(std::max<Dim>(heat.grid.rows, 1));
  for (std::size_t i = 0; i < heat.weights.size(); ++i) {
    const Dim row = static_cast<Dim>(i) / heat.grid.columns;
    const Dim column = static_cast<Dim>(i) % heat.grid.columns;
    svg.rect(left + cell_width * static_cast<double>(column),
             top + cell_height * static_cast<double>(row), cell_width, cell_height, "#ffffff",
             weight_text(heat.weights[i]), 0);
  }
  for (std::size_t i = 0; i < heat.boxes.size(); ++i) {
    const RunRecord::Box& box = heat.boxes[i];
    const double x = left + scale * static_cast<double>(box.x);
    const double y = top + scale * static_cast<double>(box.y);
    const double wide = scale * static_cast<double>(box.width);
    const double high = scale * static_cast<double>(box.height);
    svg.path(concat("M", coordinate(x), " ", coordinate(y), "h", coordinate(wide), "v",
                    coordinate(high), "h", coordinate(-wide), "z"),
             line_colour(i), 3);
    svg.text(x + 4, y + 16, concat(i + 1), {.size = 14, .bold = true, .fill = line_colour(i)});
  }
  return std::move(svg).finish();
}

std::string png_image(const ImageHeat& heat) {
  Image image = large_veiled(heat);
  outline_boxes(heat, image);
  return encode_png(image);
}

}  // namespace fovea
