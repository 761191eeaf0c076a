#include "fovea/data/unpack.h"

#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/base/file_error.h"

namespace fovea {

using std::string_view_literals::operator""sv;

/// A file as a stream: what has been read and not yet been taken.
class PackedFile {
 public:
  explicit PackedFile(const std::filesystem::path& path)
      : name_(path.string()), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    FOVEA_CHECK(fd_ >= 0, file_error_kind(errno), name_,
                ": cannot be opened: ", std::generic_category().message(errno));
    try {
      struct stat status = {};
      FOVEA_CHECK(::fstat(fd_, &status) == 0 && !S_ISDIR(status.st_mode), ErrorKind::bad_file,
                  name_, ": is a folder; name a file in it");
      while (!ended_ && bytes_.size() < 16) more();  // a pipe may give one byte at a time
    } catch (...) {
      ::close(fd_);
      throw;
    }
  }
  ~PackedFile() { ::close(fd_); }
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  const std::string& name() const { return name_; }
  std::string_view waiting() const { return bytes_; }
  bool ended() const { return ended_; }
  void take(std::size_t count) { bytes_.remove_prefix(count); }

  /// Reads on if nothing waits.
  void fill() {
    if (bytes_.empty() && !ended_) more();
  }

 private:
  void more() {
    std::memmove(buffer_.data(), bytes_.data(), bytes_.size());
    ssize_t got;
    do {
      got = ::read(fd_, buffer_.data() + bytes_.size(), buffer_.size() - bytes_.size());
    } while (got < 0 && errno == EINTR);
    FOVEA_CHECK(got >= 0, ErrorKind::bad_file, name_,
                ": cannot be read: ", std::generic_category().message(errno));
    ended_ = got == 0;
    bytes_ = {buffer_.data(), bytes_.size() + static_cast<std::size_t>(got)};
  }

  std::string name_;
  int fd_;
  bool ended_ = false;
  std::vector<char> buffer_ = std::vector<char>(1 << 16);
  std::string_view bytes_{buffer_.data(), 0};
};

struct Unpacked::Decoder {
  explicit Decoder(std::unique_ptr<PackedFile> from) : input(std::move(from)) {}
  virtual ~Decoder() = default;
  /// Some bytes; none at the end.
  virtual std::size_t some(std::span<char> buffer) = 0;
  virtual bool packed() const { return true; }

  [[noreturn]] void cut_off(std::string_view format) const {
    fail(ErrorKind::bad_file, input->name(), ": is cut off: the ", format,
         " data ends in the middle; fetch it again");
  }
  [[noreturn]] void damaged(std::string_view format, std::string_view why) const {
    fail(ErrorKind::bad_file, input->name(), ": is damaged: ", format, " says '", why,
         "'; fetch it again");
  }

  std::unique_ptr<PackedFile> input;
};

namespace {

struct Plain final : Unpacked::Decoder {
  using Decoder::Decoder;

  std::size_t some(std::span<char> buffer) override {
    input->fill();
    const std::size_t count = std::min(buffer.size(), input->waiting().size());
    std::copy_n(input->waiting().data(), count, buffer.data());
    input->take(count);
    return count;
  }
  bool packed() const override { return false; }
};

/// RFC 1952: a file is one member after the other.
struct Gzip final : Unpacked::Decoder {
  explicit Gzip(std::unique_ptr<PackedFile> from) : Decoder(std::move(from)) {
    FOVEA_CHECK(inflateInit2(&stream, 15 + 16) == Z_OK, ErrorKind::too_large, "zlib: no memory");
  }
  ~Gzip() override { inflateEnd(&stream); }

  std::size_t some(std::span<char> buffer) override {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(std::min<std::size_t>(buffer.size(), 1U << 30));
    const uInt room = stream.avail_out;
    while (stream.avail_out == room) {
      input->fill();
      const std::string_view waiting = input->waiting();
      if (waiting.empty()) {
        if (!between) cut_off("gzip");
        break;
      }
      const std::size_t zeros = std::min(waiting.find_first_not_of('\0'), waiting.size());
      if (between && zeros > 0) {  // fill up the last block of a tape or a disk
        input->take(zeros);
        continue;
      }
      if (between) inflateReset(&stream);
      between = false;
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(waiting.data()));
      stream.avail_in = static_cast<uInt>(waiting.size());
      const int result = inflate(&stream, Z_NO_FLUSH);
      input->take(waiting.size() - stream.avail_in);
      between = result == Z_STREAM_END;
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        damaged("gzip", stream.msg ? stream.msg : "bad data");
      }
    }
    return room - stream.avail_out;
  }

  z_stream stream = {};
  bool between = true;  // members
};

struct Xz final : Unpacked::Decoder {
  explicit Xz(std::unique_ptr<PackedFile> from) : Decoder(std::move(from)) {
    FOVEA_CHECK(lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) == LZMA_OK,
                ErrorKind::too_large, "liblzma: no memory");
  }
  ~Xz() override { lzma_end(&stream); }

  std::size_t some(std::span<char> buffer) override {
    if (done) return 0;
    stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    stream.avail_out = buffer.size();
    while (!done && stream.avail_out == buffer.size()) {
      input->fill();
      const std::string_view waiting = input->waiting();
      stream.next_in = reinterpret_cast<const std::uint8_t*>(waiting.data());
      stream.avail_in = waiting.size();
      const lzma_ret result = lzma_code(&stream, waiting.empty() ? LZMA_FINISH : LZMA_RUN);
      input->take(waiting.size() - stream.avail_in);
      done = result == LZMA_STREAM_END;
      if (result == LZMA_BUF_ERROR) cut_off("xz");
      if (result != LZMA_OK && !done) damaged("xz", reason(result));
    }
    return buffer.size() - stream.avail_out;
  }

  static std::string_view reason(lzma_ret result) {
    switch (result) {
      case LZMA_FORMAT_ERROR:
        return "not xz data";
      case LZMA_OPTIONS_ERROR:
        return "options that are not known";
      case LZMA_DATA_ERROR:
        return "bad data";
      case LZMA_MEM_ERROR:
        return "no memory";
      default:
        return "an error";
    }
  }

  lzma_stream stream = LZMA_STREAM_INIT;
  bool done = false;
};

struct Format {
  std::string_view magic, what, advice;
};

/// What is not read, but known when seen.
constexpr std::array<Format, 6> others = {{
    {"PK\3\4"sv, "a zip archive", "unpack it, and name the file that was in it"},
    {"BZh"sv, "packed with bzip2", "unpack it, or pack it with gzip or xz"},
    {"\x28\xb5\x2f\xfd"sv, "packed with zstd", "unpack it, or pack it with gzip or xz"},
    {"\xff\xfe"sv, "UTF-16", "convert it: iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff"sv, "UTF-16", "convert it: iconv -f UTF-16 -t UTF-8"},
    {"%PDF"sv, "a PDF", "text is expected"},
}};

std::unique_ptr<Unpacked::Decoder> decoder_for(const std::filesystem::path& path) {
  auto input = std::make_unique<PackedFile>(path);
  const std::string_view begin = input->waiting();
  if (begin.starts_with("\x1f\x8b"sv)) return std::make_unique<Gzip>(std::move(input));
  if (begin.starts_with("\xfd"
                        "7zXZ\0"sv)) {
    return std::make_unique<Xz>(std::move(input));
  }
  for (const Format& other : others) {
    FOVEA_CHECK(!begin.starts_with(other.magic), ErrorKind::bad_file, input->name(), ": is ",
                other.what, ", which is not read here; ", other.advice);
  }
  return std::make_unique<Plain>(std::move(input));
}

}  // namespace

Unpacked::Unpacked(const std::filesystem::path& path) : decoder_(decoder_for(path)) {}
Unpacked::~Unpacked() = default;
Unpacked::Unpacked(Unpacked&&) noexcept = default;
Unpacked& Unpacked::operator=(Unpacked&&) noexcept = default;

bool Unpacked::packed() const { return decoder_->packed(); }

std::size_t Unpacked::read(std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const std::size_t got = decoder_->some(buffer.subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

}  // namespace fovea
