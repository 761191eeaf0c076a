/// The bytes of a file, unpacked as they are read: plain, gzip or xz, told apart by the first
/// bytes, whatever the name. Several packed parts one after the other are read as one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace fovea {

class Unpacked {
 public:
  /// Throws an Error if there is no such file, or it is packed in a way that is not known here.
  explicit Unpacked(const std::filesystem::path& path);
  ~Unpacked();
  Unpacked(Unpacked&&) noexcept;
  Unpacked& operator=(Unpacked&&) noexcept;

  /// Fills the buffer as far as there is something: fewer bytes than it holds are the last ones.
  /// Throws an Error if the file is cut off or damaged.
  std::size_t read(std::span<char> buffer);
  /// False: the bytes are those of the file.
  bool packed() const;

  struct Decoder;

 private:
  std::unique_ptr<Decoder> decoder_;
};

}  // namespace fovea
