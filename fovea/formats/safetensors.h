/// Safetensors, the file format of weights: 8 bytes n (little-endian), n bytes of JSON that name
/// the dtype, shape and place of each tensor, then the bytes of all tensors without gaps.
/// https://github.com/huggingface/safetensors#format
///
///   SafeTensors file = SafeTensors::open("model.safetensors");
///   Params params(file.source());
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/nn/named_tensor.h"
#include "fovea/nn/params.h"

namespace fovea {

class MappedFile;

/// A file that was opened. It comes from outside: everything in its header is checked before any
/// tensor is made. Copying copies a handle.
class SafeTensors {
 public:
  using Metadata = std::map<std::string, std::string>;

  static SafeTensors open(const std::filesystem::path& path);

  /// Sorted.
  std::vector<std::string> names() const;
  /// As it stands in the file: memory of the mapping, which lives as long as the tensor does.
  /// Undefined if there is none of that name.
  Tensor find(const std::string& name) const;
  const Metadata& metadata() const { return contents_->metadata; }
  /// For Params: halves and bfloats become floats.
  Params::Source source() const;

 private:
  struct Entry {
    std::string dtype;
    std::vector<Dim> shape;
    std::size_t begin = 0, end = 0;  // of the bytes after the header
  };
  struct Contents {
    std::string path;
    std::shared_ptr<const MappedFile> file;
    std::size_t data_begin = 0;
    std::map<std::string, Entry> entries;
    Metadata metadata;
  };
  friend class SafeTensorsReader;
  explicit SafeTensors(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

  std::shared_ptr<const Contents> contents_;
};

/// The bytes of a file, one after the other, for those who do more than write them. Tensors of
/// single bytes come last, in the order given. `name` is for errors.
using ByteSink = std::function<void(const void* data, std::size_t bytes)>;
void write_safetensors(const std::string& name, const ByteSink& sink,
                       std::span<const NamedTensor> tensors,
                       const SafeTensors::Metadata& metadata = {});

/// Written beside, synced and renamed: the file is whole or not there.
void write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                       const SafeTensors::Metadata& metadata = {});

}  // namespace fovea
