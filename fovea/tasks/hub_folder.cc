#include "fovea/tasks/hub_folder.h"

#include <algorithm>
#include <map>

#include "fovea/base/atomic_file.h"
#include "fovea/hub/text_config.h"

namespace fovea {
namespace {

/// What transformers calls a class with such a head.
std::string architecture_of(const std::string& type, HubHead head) {
  static const std::map<std::string, std::string> families = {{"bert", "Bert"},
                                                              {"roberta", "Roberta"},
                                                              {"distilbert", "DistilBert"},
                                                              {"gpt2", "GPT2"},
                                                              {"llama", "Llama"}};
  const std::string& family = families.at(type);
  switch (head) {
    case HubHead::none:
      return family + "Model";
    case HubHead::masks:
      return family + "ForMaskedLM";
    case HubHead::classes:
      return family + "ForSequenceClassification";
    case HubHead::tags:
      return family + "ForTokenClassification";
    case HubHead::spans:
      return family + "ForQuestionAnswering";
    case HubHead::next:
      return family + (type == "gpt2" ? "LMHeadModel" : "ForCausalLM");
  }
  fail("export: no such head");
}

/// Before the names of the encoder's tensors, where a head stands beside it.
std::string prefix_of(const std::string& type) {
  return type == "gpt2" ? "transformer." : type == "llama" ? "model." : type + ".";
}

bool all_zero(const Tensor& x) {
  const auto values = x.span<float>();
  return std::all_of(values.begin(), values.end(), [](float v) { return v == 0; });
}

}  // namespace

HubFolder::HubFolder(const Params& params, const TextEncoderConfig& encoder, const Tokenizer& words,
                     HubHead head)
    : params_(params), words_(words), head_(head) {
  config_ = hub_text_config(encoder, words.padding());
  type_ = config_.at("model_type").get<std::string>();
  config_["architectures"] = {architecture_of(type_, head)};
  config_["bos_token_id"] = words.special().begin;
  config_["eos_token_id"] = words.special().end;
  told_kinds_ = encoder.kinds > 0;
  longest_ = encoder.longest;
}

void HubFolder::label(const std::vector<std::string>& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    config_["id2label"][std::to_string(i)] = labels[i];
    config_["label2id"][labels[i]] = i;
  }
}

HubExported HubFolder::write(const std::filesystem::path& folder) {
  write_safetensors(folder / "model.safetensors", tensors(), {{"format", "pt"}});
  write_atomically(folder / "config.json", config_.dump(2) + "\n");
  if (!words_.save_for_hub(folder, longest_, head_ != HubHead::next)) {
    note(concat("only the model is written: no tokenizer.json says what a tokenizer of the kind ",
                name_of(words_.config().kind), " does"));
  }
  exported_.architecture = config_["architectures"][0].get<std::string>();
  return std::move(exported_);
}

std::vector<NamedTensor> HubFolder::tensors() const {
  const std::string prefix = head_ == HubHead::none ? "" : prefix_of(type_);
  const HubTextModel model = hub_text_model(config_, prefix, "encoder");
  NameMap names = model.names;
  names.merge(hub_head_names(model, head_, config_, HubWeights()).names);
  for (const Parameter& each : params_.all()) check_known(each, names);
  std::vector<NamedTensor> all = theirs(params_, names);
  if (!told_kinds_ && type_ == "bert") {
    all.push_back({model.names.at("encoder.kinds.weight").names.front(),
                   Tensor::zeros({1, model.encoder.width})});
  }
  return all;
}

void HubFolder::check_known(const Parameter& parameter, const NameMap& names) const {
  const std::string& name = parameter.name;
  if (names.contains(name)) return;
  for (const std::string& scope : left_out_) {
    if (name.starts_with(scope)) return;
  }
  // A last layer there has no bias; what was imported from there by older versions has zeros.
  const bool bias = name == "out.bias";
  FOVEA_CHECK(bias && all_zero(parameter.var.value()), "the parameter ", name,
              " has no place in a ", type_, " of Hugging Face's",
              bias ? "; train with model.out_bias = false" : "");
}

}  // namespace fovea
