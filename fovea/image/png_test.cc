#include "fovea/image/png.h"

#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <fstream>
#include <optional>

#include "fovea/base/error_testing.h"
#include "fovea/base/rng.h"

namespace fovea {
namespace {

/// A file by libpng, from samples of any depth: what `decode_png` is compared with.
struct PngFile {
  int colour_type = PNG_COLOR_TYPE_GRAY, depth = 8, interlace = PNG_INTERLACE_NONE;
  Dim width = 1, height = 1;
  std::vector<int> samples = {};  // (height, width, samples of a pixel)
  std::vector<png_color> palette = {};
  std::vector<png_byte> alphas = {};              // of the palette
  std::optional<int> transparent = std::nullopt;  // the grey that is

  Dim count() const {
    if (colour_type == PNG_COLOR_TYPE_GRAY_ALPHA) return 2;
    if (colour_type == PNG_COLOR_TYPE_RGB) return 3;
    return colour_type == PNG_COLOR_TYPE_RGB_ALPHA ? 4 : 1;
  }

  std::vector<std::uint8_t> packed(Dim row) const {
    std::vector<std::uint8_t> bytes;
    int bits = 0, used = 0;
    for (Dim i = 0; i < width * count(); ++i) {
      bits = bits << depth | samples[static_cast<std::size_t>(row * width * count() + i)];
      used += depth;
      for (; used >= 8; used -= 8) bytes.push_back(static_cast<std::uint8_t>(bits >> (used - 8)));
    }
    if (used > 0) bytes.push_back(static_cast<std::uint8_t>(bits << (8 - used)));
    return bytes;
  }

  std::string bytes() const {
    std::string out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    const auto append = [](png_structp to, png_bytep data, std::size_t size) {
      static_cast<std::string*>(png_get_io_ptr(to))
          ->append(reinterpret_cast<const char*>(data), size);
    };
    png_set_write_fn(png, &out, append, nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height),
                 depth, colour_type, interlace, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    if (!palette.empty()) {
      png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
    }
    if (!alphas.empty()) {
      png_set_tRNS(png, info, alphas.data(), static_cast<int>(alphas.size()), nullptr);
    }
    if (transparent) {
      png_color_16 colour = {};
      colour.gray = static_cast<png_uint_16>(*transparent);
      png_set_tRNS(png, info, nullptr, 0, &colour);
    }
    std::vector<std::vector<std::uint8_t>> rows;
    std::vector<png_bytep> pointers;
    for (Dim y = 0; y < height; ++y) pointers.push_back(rows.emplace_back(packed(y)).data());
    png_write_info(png, info);
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
  }
};

double over_white(double value, double alpha) { return alpha * value + (1 - alpha) * 255; }

std::string message_of(std::string_view bytes, Dim max_pixels = max_png_pixels) {
  try {
    decode_png(bytes, "x.png", max_pixels);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string small() { return encode_png({1, 2, 3, {255, 0, 0, 1, 2, 3}}); }

TEST(Png, ReadsGreyAndColourOfEveryDepth) {
  struct Kind {
    int colour_type;
    Dim channels;
    bool alpha;
    std::vector<int> depths;
  };
  const std::vector<Kind> kinds = {{PNG_COLOR_TYPE_GRAY, 1, false, {1, 2, 4, 8, 16}},
                                   {PNG_COLOR_TYPE_GRAY_ALPHA, 1, true, {8, 16}},
                                   {PNG_COLOR_TYPE_RGB, 3, false, {8, 16}},
                                   {PNG_COLOR_TYPE_RGB_ALPHA, 3, true, {8, 16}}};
  const Draws draws = Rng{.seed = 1}.next();
  for (const Kind& kind : kinds) {
    for (const int depth : kind.depths) {
      for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
        PngFile file{.colour_type = kind.colour_type,
                     .depth = depth,
                     .interlace = interlace,
                     .width = 13,
                     .height = 9};
        const int largest = (1 << depth) - 1;
        for (Dim i = 0; i < file.width * file.height * file.count(); ++i) {
          const auto at = static_cast<std::uint64_t>(i);
          file.samples.push_back(
              static_cast<int>(draws.below(at, static_cast<std::uint32_t>(largest) + 1)));
        }
        const Image image = decode_png(file.bytes(), "x.png");
        ASSERT_EQ(image.channels, kind.channels);
        ASSERT_EQ(image.height, file.height);
        ASSERT_EQ(image.width, file.width);
        image.check("x");
        for (std::size_t i = 0; i < image.pixels.size(); ++i) {
          const std::size_t channels = static_cast<std::size_t>(kind.channels);
          const std::size_t pixel = i / channels * static_cast<std::size_t>(file.count());
          const auto part = [&](std::size_t at) {
            return static_cast<double>(file.samples[pixel + at]) / largest;
          };
          const double alpha = kind.alpha ? part(channels) : 1;
          // Of 16 bits, colour and alpha are each rounded to 8 first.
          EXPECT_NEAR(image.pixels[i], over_white(255 * part(i % channels), alpha),
                      kind.alpha && depth == 16 ? 1.51 : 0.501)
              << "type " << kind.colour_type << " depth " << depth << " at " << i;
        }
      }
    }
  }
}

TEST(Png, ReadsPalettes) {
  const PngFile file{.colour_type = PNG_COLOR_TYPE_PALETTE,
                     .depth = 2,
                     .width = 3,
                     .samples = {2, 0, 1},
                     .palette = {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}}};
  EXPECT_EQ(decode_png(file.bytes(), "x.png"),
            (Image{1, 3, 3, {70, 80, 90, 10, 20, 30, 40, 50, 60}}));
  PngFile clear = file;
  clear.alphas = {0, 255};
  EXPECT_EQ(decode_png(clear.bytes(), "x.png"),
            (Image{1, 3, 3, {70, 80, 90, 255, 255, 255, 40, 50, 60}}));
}

TEST(Png, ReadsATransparentGreyAsWhite) {
  const PngFile file{.depth = 16, .width = 3, .samples = {0, 257, 65535}, .transparent = 257};
  EXPECT_EQ(decode_png(file.bytes(), "x.png"), (Image{1, 3, 1, {0, 255, 255}}));
}

TEST(Png, GivesThePixelsBack) {
  const Image colour{1, 2, 3, {255, 0, 0, 1, 2, 3}}, grey{2, 1, 1, {9, 200}};
  EXPECT_EQ(decode_png(encode_png(colour), "x.png"), colour);
  EXPECT_EQ(decode_png(encode_png(grey), "x.png"), grey);
}

TEST(Png, ReadsFiles) {
  const auto path = std::filesystem::path(testing::TempDir()) / concat("png_test.", ::getpid());
  std::ofstream(path, std::ios::binary) << small();
  EXPECT_EQ(read_png(path), decode_png(small(), "x.png"));
  std::filesystem::remove(path);
  EXPECT_EQ(kind_thrown_by([&] { read_png(path); }), ErrorKind::not_found);
  EXPECT_EQ(kind_thrown_by([] { read_png(testing::TempDir()); }), ErrorKind::bad_file);
  EXPECT_EQ(kind_thrown_by([] { decode_png("GIF89a", "x.gif"); }), ErrorKind::bad_file);
  EXPECT_EQ(kind_thrown_by([] { decode_png(small(), "x.png", 1); }), ErrorKind::too_large);
}

TEST(Png, SaysWhatIsWrongWithAFile) {
  EXPECT_NE(message_of("").find("x.png: is not a PNG file"), std::string::npos);
  EXPECT_NE(message_of("\xff\xd8\xff\xe0 a JPEG").find("convert"), std::string::npos);
  std::string wrong_sum = small();
  wrong_sum[wrong_sum.find("IHDR") + 14] ^= 1;
  EXPECT_NE(message_of(wrong_sum).find("x.png: "), std::string::npos);
}

TEST(Png, RefusesAFileThatIsCutOffAnywhere) {
  const std::string whole = small();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(message_of(whole.substr(0, size)), "") << size;
  }
}

TEST(Png, CountsPixelsBeforeItAllocates) {
  EXPECT_EQ(message_of(small(), 2), "");
  EXPECT_NE(message_of(small(), 1).find("has 2 x 1 pixels; at most 1"), std::string::npos);
  std::string huge = small().substr(0, 33);                                  // signature and header
  const std::array<std::uint8_t, 8> extents = {0, 0xf, 0, 0, 0, 0xf, 0, 0};  // 983040
  std::copy(extents.begin(), extents.end(), huge.begin() + 16);
  const auto sum =
      static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(huge.data()) + 12, 17));
  for (int i = 0; i < 4; ++i) huge[29 + i] = static_cast<char>(sum >> (24 - 8 * i));
  huge += small().substr(33);
  EXPECT_NE(message_of(huge).find("has 983040 x 983040 pixels"), std::string::npos)
      << message_of(huge);
}

TEST(Png, RefusesToWriteWhatIsNoImage) {
  EXPECT_THROW(encode_png({}), Error);
  EXPECT_THROW(encode_png({2, 2, 3, {1, 2, 3}}), Error);
  EXPECT_THROW(encode_png({1, 40000, 1, std::vector<std::uint8_t>(40000)}), Error);
}

}  // namespace
}  // namespace fovea
