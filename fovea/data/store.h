/// Records of bytes on disk, for data larger than memory: written once, then mapped, so that what
/// is used stays in the system's page cache and the rest costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace fovea {

/// A file without a name: it is removed from its folder as soon as it is open, so that nothing is
/// left behind however the program ends.
class ScratchFile {
 public:
  explicit ScratchFile(const std::filesystem::path& folder);
  ~ScratchFile();
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&&) = delete;

  /// Throws an Error if the disk is full.
  void append(const void* data, std::size_t bytes);
  std::uint64_t size() const { return written_ + buffer_.size(); }

  enum class Access { ordered, random };  // what the system should read ahead for
  /// All that was appended. The memory belongs to the result; nothing may be appended any more.
  std::shared_ptr<const std::byte> map(Access access);

 private:
  void flush();

  std::filesystem::path folder_;
  int fd_ = -1;
  std::uint64_t written_ = 0;
  std::vector<std::byte> buffer_;
};

/// Records that can be read in any order.
class RecordStore {
 public:
  RecordStore() = default;

  std::int64_t size() const { return size_; }
  /// Begins at a multiple of 8 bytes.
  std::span<const std::byte> operator[](std::int64_t record) const;

 private:
  friend class RecordWriter;

  std::shared_ptr<const std::byte> data_, ends_;
  std::int64_t size_ = 0;
};

class RecordWriter {
 public:
  explicit RecordWriter(const std::filesystem::path& folder) : data_(folder), ends_(folder) {}

  void add(std::span<const std::byte> record);
  RecordStore finish();

 private:
  ScratchFile data_;
  ScratchFile ends_;  // where each record ends: u64
};

}  // namespace fovea
