/// The folder of a run:
///
///   config.json, tokenizers ...            what running the model needs beside its weights
///   model.safetensors                      the best model so far
///   checkpoints/step-00001200.safetensors  all that going on needs: weights, optimizer, trainer
///   metrics.jsonl, events.out.tfevents..., curve.svg, figure.svg
///
/// A checkpoint is a safetensors file whose last tensor, the last four bytes of the file, is the
/// CRC-32 of all bytes before it. It is written beside, synced and renamed; older ones go only when
/// the new one is safely there.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "fovea/formats/safetensors.h"

namespace fovea {

void write_checkpoint(const std::filesystem::path& path, std::vector<NamedTensor> tensors,
                      const SafeTensors::Metadata& metadata);
/// An Error if a single bit of the file is not as it was written.
SafeTensors open_checkpoint(const std::filesystem::path& path);

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path model() const { return path_ / "model.safetensors"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path events() const { return path_ / "events.out.tfevents.fovea"; }
  std::filesystem::path curve() const { return path_ / "curve.svg"; }
  std::filesystem::path figure() const { return path_ / "figure.svg"; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path checkpoint(Dim step) const;

  /// The steps that there are checkpoints of, rising.
  std::vector<Dim> steps() const;
  /// Whether somebody trained here before.
  bool used() const;

  /// Makes the folders, and removes what a process that was killed had half written.
  void prepare() const;
  /// Removes all that an earlier run left.
  void clear() const;
  /// Removes the checkpoints of other steps.
  void keep_only(const std::set<Dim>& steps) const;

 private:
  std::filesystem::path path_;
};

}  // namespace fovea
