#include "fovea/data/store.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "fovea/base/check.h"

namespace fovea {
namespace {

constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::uint64_t alignment = 8;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// "No space left on device" and its cousins, with what to do.
[[noreturn]] void fail_to_write(const std::filesystem::path& folder, std::uint64_t written) {
  const int error = errno;
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  fail(ErrorKind::bad_file, folder.string(), ": temporary data cannot be written after ", written,
       " bytes: ", std::generic_category().message(error),
       full ? "; make room there, or choose a folder on another disk" : "");
}

}  // namespace

ScratchFile::ScratchFile(const std::filesystem::path& folder) : folder_(folder) {
  std::string name = (folder / "fovea-XXXXXX").string();
  fd_ = ::mkostemp(name.data(), O_CLOEXEC);
  FOVEA_CHECK(fd_ >= 0, ErrorKind::bad_file, folder.string(),
              ": no temporary file can be made there: ", std::generic_category().message(errno));
  ::unlink(name.c_str());
}

ScratchFile::~ScratchFile() {
  if (fd_ >= 0) ::close(fd_);
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      fd_(std::exchange(other.fd_, -1)),
      written_(other.written_),
      buffer_(std::move(other.buffer_)) {}

void ScratchFile::append(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  buffer_.insert(buffer_.end(), from, from + bytes);
  if (buffer_.size() >= buffer_bytes) flush();
}

void ScratchFile::flush() {
  std::span<const std::byte> rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(fd_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_write(folder_, written_);
    written_ += static_cast<std::uint64_t>(count);
    rest = rest.subspan(static_cast<std::size_t>(count));
  }
  buffer_.clear();
}

std::shared_ptr<const std::byte> ScratchFile::map(Access access) {
  flush();
  buffer_.shrink_to_fit();
  const std::size_t size = written_;
  if (size == 0) return nullptr;  // nothing cannot be mapped
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd_, 0);
  FOVEA_CHECK(data != MAP_FAILED, ErrorKind::bad_file, folder_.string(), ": temporary data of ",
              size, " bytes cannot be mapped: ", std::generic_category().message(errno));
  if (access == Access::random) ::madvise(data, size, MADV_RANDOM);
  return {static_cast<const std::byte*>(data),
          [size](const std::byte* at) { ::munmap(const_cast<std::byte*>(at), size); }};
}

void RecordWriter::add(std::span<const std::byte> record) {
  static constexpr std::array<std::byte, alignment> zeros = {};
  data_.append(record.data(), record.size());
  const std::uint64_t end = data_.size();
  data_.append(zeros.data(), aligned(end) - end);
  ends_.append(&end, sizeof(end));
}

RecordStore RecordWriter::finish() {
  RecordStore store;
  store.size_ = static_cast<std::int64_t>(ends_.size() / sizeof(std::uint64_t));
  store.data_ = data_.map(ScratchFile::Access::random);
  store.ends_ = ends_.map(ScratchFile::Access::ordered);
  return store;
}

std::span<const std::byte> RecordStore::operator[](std::int64_t record) const {
  const auto* ends = reinterpret_cast<const std::uint64_t*>(ends_.get());
  const std::uint64_t begin = record == 0 ? 0 : aligned(ends[record - 1]);
  return {data_.get() + begin, ends[record] - begin};
}

}  // namespace fovea
