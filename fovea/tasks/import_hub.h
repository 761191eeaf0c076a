/// A model of Hugging Face's made a model's folder: config.json as a recipe of the task that its
/// head is for, model.safetensors with our names, and its tokenizer. From there on it is a model as
/// any other: it runs, is measured, looked into, and begins other tasks (`model.from`).
///
///   import_hub({.folder = "all-MiniLM-L6-v2", .out = "runs/minilm"});
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/view.h"
#include "fovea/nn/params.h"

namespace fovea {

struct HubImport {
  std::filesystem::path folder, out;   // `out` must not be there yet
  std::filesystem::path weights = {};  // a file, instead of those of the folder
  std::string task = {};               // its name; none: what the model's head is for
  std::function<void(double part, const std::string& what)> progress = {};
};

struct Imported {
  std::string_view task;
  std::string type;                // "bert"
  Dim parameters = 0;              // numbers in all
  std::vector<std::string> notes;  // what a person should know
};

/// Writes model.safetensors; gives how many numbers it has.
Dim write_weights(const Params& params, const std::filesystem::path& folder);

/// `out` is whole or not there. Errors name the file and the tensor or setting that is missing,
/// damaged or does not fit.
Imported import_hub(const HubImport& from);

}  // namespace fovea
