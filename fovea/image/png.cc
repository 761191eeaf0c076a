#include "fovea/image/png.h"

#include <png.h>

#include <csetjmp>
#include <fstream>
#include <istream>
#include <streambuf>
#include <utility>

#include "fovea/base/check.h"
#include "fovea/base/file_error.h"

namespace fovea {
namespace {

/// Bytes in memory as a stream.
struct MemoryBuffer : std::streambuf {
  explicit MemoryBuffer(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());  // a stream of input does not write
    setg(begin, begin, begin + bytes.size());
  }
};

/// libpng reports an error by longjmp, which runs no destructors. Between setjmp and the end of
/// its function there are therefore only calls of libpng and members; memory is allocated, and
/// Errors are thrown, outside.
class PngReader {
 public:
  PngReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    if (png_) info_ = png_create_info_struct(png_);
    if (info_) return;
    destroy();
    fail(ErrorKind::too_large, name_, ": libpng has no memory");
  }
  ~PngReader() { destroy(); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Image read(Dim max_pixels) {
    FOVEA_CHECK(has_signature(), ErrorKind::bad_file, name_,
                ": is not a PNG file; convert it, for example: convert picture.jpg picture.png");
    FOVEA_CHECK(read_header(), ErrorKind::bad_file, name_,
                ": is not a PNG file that can be read: ", problem_);
    // Each is below 2^31.
    FOVEA_CHECK(image_.width * image_.height <= max_pixels, ErrorKind::too_large, name_, ": has ",
                image_.width, " x ", image_.height, " pixels; at most ", max_pixels,
                " are read. Scale it down");
    const Dim stride = image_.width * image_.channels;
    image_.pixels.resize(static_cast<std::size_t>(image_.height * stride));
    for (Dim y = 0; y < image_.height; ++y) rows_.push_back(image_.pixels.data() + y * stride);
    FOVEA_CHECK(read_pixels(), ErrorKind::bad_file, name_, ": is damaged or cut off: ", problem_);
    if (image_.channels % 2 == 0) blend_with_white();
    return std::move(image_);
  }

 private:
  static constexpr std::size_t signature_size = 8;

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    static_cast<PngReader*>(png_get_error_ptr(png))->problem_ = message;
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp, png_const_charp) {}
  static void on_read(png_structp png, png_bytep to, std::size_t count) {
    auto& in = static_cast<PngReader*>(png_get_io_ptr(png))->in_;
    in.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count));
    if (!in) png_error(png, "the file ends in the middle");
  }
  void destroy() { png_destroy_read_struct(&png_, &info_, nullptr); }

  bool has_signature() {
    char begin[signature_size];
    return in_.read(begin, signature_size) &&
           png_sig_cmp(reinterpret_cast<png_const_bytep>(begin), 0, signature_size) == 0;
  }

  /// Extents, and channels as the rows will come.
  bool read_header() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_read_fn(png_, this, on_read);
    png_set_sig_bytes(png_, signature_size);
    // Texts, profiles and other chunks that no pixel depends on are neither unpacked nor kept.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(png_, info_);
    png_set_expand(png_);    // palettes to colours, few bits to 8, a transparent colour to alpha
    png_set_scale_16(png_);  // round(v * 255 / 65535)
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    image_.width = png_get_image_width(png_, info_);
    image_.height = png_get_image_height(png_, info_);
    image_.channels = png_get_channels(png_, info_);
    return true;
  }

  bool read_pixels() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_image(png_, rows_.data());
    png_read_end(png_, nullptr);
    return true;
  }

  /// Drops alpha, the last channel: round(alpha * v + (1 - alpha) * 255).
  void blend_with_white() {
    const Dim colours = image_.channels - 1;
    const std::uint8_t* from = image_.pixels.data();
    std::uint8_t* to = image_.pixels.data();
    for (Dim i = 0; i < image_.height * image_.width; ++i, from += image_.channels) {
      const unsigned alpha = from[colours];
      for (Dim c = 0; c < colours; ++c) {
        *to++ = static_cast<std::uint8_t>((alpha * from[c] + (255 - alpha) * 255 + 127) / 255);
      }
    }
    image_.channels = colours;
    image_.pixels.resize(static_cast<std::size_t>(image_.height * image_.width * colours));
  }

  std::istream& in_;
  std::string name_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::string problem_;
  Image image_;
  std::vector<png_bytep> rows_;
};

}  // namespace

Image read_png(const std::filesystem::path& path, Dim max_pixels) {
  FOVEA_CHECK(!std::filesystem::is_directory(path), ErrorKind::bad_file, path.string(),
              ": is a folder; name a file in it");
  std::ifstream in(path, std::ios::binary);
  FOVEA_CHECK(in, file_error_kind(path), path.string(),
              ": cannot be opened; is there such a file?");
  return PngReader(in, path.string()).read(max_pixels);
}

Image decode_png(std::string_view bytes, std::string_view name, Dim max_pixels) {
  MemoryBuffer buffer(bytes);
  std::istream in(&buffer);
  return PngReader(in, std::string(name)).read(max_pixels);
}

std::string encode_png(const Image& image) {
  constexpr Dim longest = 32768;
  image.check("png");
  FOVEA_CHECK(image.width <= longest && image.height <= longest, ErrorKind::too_large,
              "png: ", image.width, " x ", image.height, " pixels; at most ", longest,
              " are written on either side");
  png_image header = {};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = image.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string out(size, '\0');
  const int done =
      png_image_write_to_memory(&header, out.data(), &size, 0, image.pixels.data(), 0, nullptr);
  FOVEA_CHECK(done != 0, ErrorKind::internal, "png: ", header.message);
  out.resize(size);
  return out;
}

}  // namespace fovea
