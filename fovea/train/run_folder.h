/// The folder of a run:
///
///   config.json, tokenizers ...            what running the model needs beside its weights
///   files.json                             the names of these: they belong to the run
///   model.safetensors                      the best model so far
///   checkpoints/step-00001200.safetensors  all that going on needs: weights, optimizer, trainer
///   settings.json                          what was set beside the recipe
///   metrics.jsonl, events.out.tfevents..., curve.svg, figure.svg
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "fovea/base/view.h"

namespace fovea {

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.json"; }
  std::filesystem::path model() const { return path_ / "model.safetensors"; }
  std::filesystem::path settings() const { return path_ / "settings.json"; }
  std::filesystem::path files() const { return path_ / "files.json"; }
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
  /// Whether there is a config.json that no run of ours wrote.
  bool foreign() const;

  /// Makes the folders, and removes what a process that was killed had half written.
  void prepare() const;
  /// Removes the checkpoints of other steps.
  void keep_only(const std::set<Dim>& steps) const;
  /// The names of the files and folders that running the model needs: what files.json lists. An
  /// Error if one of them is no plain name, which could lead out of the folder.
  std::set<std::string> model_files() const;
  /// From now on these belong to the run too.
  void add_files(const std::vector<std::string>& names) const;

  /// A run that is overwritten stands aside, in a folder of its own, until the new one has its
  /// first checkpoint: who ends before by an error has it back, who is killed when training begins
  /// there again. What is not of a run stays where it is.
  void set_aside() const;
  void forget_aside() const;
  bool stands_aside() const;
  /// Removes what the new run wrote and brings the old one back, if one stands aside and the new
  /// one has no checkpoint yet. Also when one of these was ended on its way.
  void recover() const;

 private:
  std::filesystem::path aside() const { return path_ / ".overwritten-run"; }
  /// A run on its way aside or back, of which a part may still stand where it stood.
  std::filesystem::path moving() const { return path_ / ".moving-run"; }
  /// The files and folders of the run that are here.
  std::vector<std::filesystem::path> parts() const;

  std::filesystem::path path_;
};

/// While one lives, no other process trains in the folder, which must exist. An Error if one does.
class RunLock {
 public:
  explicit RunLock(const RunFolder& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int fd_;
};

}  // namespace fovea
