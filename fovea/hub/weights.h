/// The tensors of a folder as Hugging Face lays it out: model.safetensors, or the shards that
/// model.safetensors.index.json names. Norms that have their names from TensorFlow, as in
/// bert-base-uncased, are known by those of today.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "fovea/formats/safetensors.h"

namespace fovea {

class HubWeights {
 public:
  /// The index comes from outside: shards must stand in the folder itself and have what it says. A
  /// folder with neither file may have one other .safetensors, such as model.fp16.safetensors.
  static HubWeights open(const std::filesystem::path& folder);
  /// One file, whatever its name.
  static HubWeights open_file(const std::filesystem::path& path);

  bool has(const std::string& name) const { return places_.contains(name); }
  /// Memory of the mapped file where it holds floats; halves and bfloats are converted. An Error
  /// names what is missing.
  Tensor operator()(const std::string& name) const;
  /// Sorted.
  std::vector<std::string> names() const;

 private:
  void add(const std::filesystem::path& path);

  std::filesystem::path folder_;
  struct Place {
    SafeTensors file;
    std::string name;  // there
  };
  std::map<std::string, Place> places_;  // of each tensor
};

}  // namespace fovea
