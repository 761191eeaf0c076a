/// idx files: arrays of bytes, as MNIST and its relatives are distributed.
/// Format: LeCun, Cortes and Burges, "The MNIST database", http://yann.lecun.com/exdb/mnist
///
///   const IdxFile images = IdxFile::read("train-images-idx3-ubyte.gz");  // (60000, 28, 28)
///   const IdxFile labels = IdxFile::read("train-labels-idx1-ubyte.gz");  // (60000)
///   const Image first = images.image(0);
///   const int digit = labels[0][0];
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/image/image.h"
#include "fovea/tensor/shape.h"

namespace fovea {

class IdxFile {
 public:
  /// Plain or gzip, recognised by content. Throws an Error that begins with the file's name unless
  /// it holds bytes, exactly as many as its header says and at most 4 GiB.
  static IdxFile read(const std::filesystem::path& path);
  /// The same of bytes that a source gives: it fills a buffer, less only at the end.
  using Source = std::function<std::size_t(std::span<std::uint8_t>)>;
  static IdxFile read(const Source& source, std::string name);

  const Shape& shape() const { return shape_; }
  /// Items: the first extent.
  Dim size() const { return shape_[0]; }
  /// The bytes of an item: one of a file of labels, height * width of a file of images.
  std::span<const std::uint8_t> operator[](Dim item) const;
  /// An item of a file of images (items, height, width): in grey.
  Image image(Dim item) const;

 private:
  IdxFile(std::string name, Shape shape, std::vector<std::uint8_t> bytes)
      : name_(std::move(name)), shape_(shape), bytes_(std::move(bytes)) {}

  std::string name_;
  Shape shape_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace fovea
