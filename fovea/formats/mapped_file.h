/// A file seen as memory: read by the system when touched, shared by all processes that map it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace fovea {

class MappedFile {
 public:
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  /// The pages that lie in [data, data + bytes), part of some mapped file, leave the process until
  /// they are touched again.
  static void let_go(const void* data, std::size_t bytes);

 private:
  MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  const std::byte* data_;
  std::size_t size_;
};

}  // namespace fovea
