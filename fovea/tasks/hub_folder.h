/// A model that becomes a folder of Hugging Face's: an encoder of texts, its tokenizer and a head.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fovea/formats/safetensors.h"
#include "fovea/hub/head.h"
#include "fovea/models/text_encoder.h"
#include "fovea/tasks/export_hub.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

class HubFolder {
 public:
  HubFolder(const Params& params, const TextEncoderConfig& encoder, const Tokenizer& words,
            HubHead head);

  Json& config() { return config_; }
  /// "bert"
  const std::string& type() const { return type_; }
  /// What a person should know of the export.
  void note(std::string text) { exported_.notes.push_back(std::move(text)); }
  /// Leaves a layer out.
  void leave_out(const std::string& scope) { left_out_.push_back(scope); }
  void label(const std::vector<std::string>& labels);

  HubExported write(const std::filesystem::path& folder);

 private:
  std::vector<NamedTensor> tensors() const;
  void check_known(const Parameter& parameter, const NameMap& names) const;

  const Params& params_;
  const Tokenizer& words_;
  HubHead head_;
  Json config_;
  std::string type_;
  bool told_kinds_ = true;
  Dim longest_ = 0;
  std::vector<std::string> left_out_;
  HubExported exported_;
};

}  // namespace fovea
