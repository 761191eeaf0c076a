#include "fovea/hub/head.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "fovea/hub/settings.h"

namespace fovea {
namespace {

/// Our layers and theirs: "norm" is "cls.predictions.transform.LayerNorm".
struct HeadTable {
  HubHeadNames& head;

  void layer(const std::string& ours, const std::string& theirs) const {
    one(ours + ".weight", theirs + ".weight");
    one(ours + ".bias", theirs + ".bias");
  }
  void one(const std::string& ours, const std::string& theirs) const {
    head.names[ours] = {{theirs}};
  }
};

/// The tokens' vectors are also the weight of the last layer.
void tie(HubHeadNames& head, const HubTextModel& model, const HubWeights& weights,
         const std::string& last) {
  if (!weights.has(last)) return;
  head.repeated.emplace_back(last, model.names.at("encoder.tokens.weight").names.front());
}

void masks(HubHeadNames& head, const HubTextModel& model, const HubWeights& weights) {
  const HeadTable table{head};
  FOVEA_CHECK(model.encoder.activation == Activation::gelu, ErrorKind::bad_file,
              "config.json: a head that fills in masks has the activation gelu here");
  if (model.type == "bert") {
    table.layer("transform", "cls.predictions.transform.dense");
    table.layer("norm", "cls.predictions.transform.LayerNorm");
    table.one("bias", "cls.predictions.bias");
    tie(head, model, weights, "cls.predictions.decoder.weight");
    if (weights.has("cls.predictions.decoder.bias")) {
      head.repeated.emplace_back("cls.predictions.decoder.bias", "cls.predictions.bias");
    }
  } else if (model.type == "roberta") {
    table.layer("transform", "lm_head.dense");
    table.layer("norm", "lm_head.layer_norm");
    table.one("bias", "lm_head.bias");
    tie(head, model, weights, "lm_head.decoder.weight");
    if (weights.has("lm_head.decoder.bias")) {
      head.repeated.emplace_back("lm_head.decoder.bias", "lm_head.bias");
    }
  } else {
    table.layer("transform", "vocab_transform");
    table.layer("norm", "vocab_layer_norm");
    table.one("bias", "vocab_projector.bias");
    tie(head, model, weights, "vocab_projector.weight");
  }
}

void classes(HubHeadNames& head, const HubTextModel& model) {
  const HeadTable table{head};
  if (model.type == "bert") table.layer("pooler", model.prefix + "pooler.dense");
  if (model.type == "roberta") table.layer("pooler", "classifier.dense");
  if (model.type == "distilbert") table.layer("pooler", "pre_classifier");
  table.layer("out", model.type == "roberta" ? "classifier.out_proj" : "classifier");
}

/// Buffers that are computed, and layers that nobody asks.
bool harmless(const HubTextModel& model, const std::string& name) {
  static constexpr std::array<std::string_view, 5> endings = {
      ".position_ids", ".attn.bias", ".attn.masked_bias", ".rotary_emb.inv_freq",
      ".token_type_ids"};
  return name.starts_with(model.prefix + "pooler.") || name == "position_ids" ||
         std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

/// What a model without a head, whose tensors have no prefix, is made of.
bool of_encoder(const HubTextModel& model, const std::string& name) {
  if (!model.prefix.empty()) return name.starts_with(model.prefix);
  static constexpr std::array<std::string_view, 8> beginnings = {
      "embeddings.", "encoder.", "transformer.", "h.", "wte.", "wpe.", "layers.", "embed_tokens."};
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace

HubHead hub_head(const Json& config) {
  const auto at = config.find("architectures");
  if (at == config.end() || !at->is_array() || at->empty() || !at->front().is_string()) {
    return HubHead::none;
  }
  const std::string name = at->front().get<std::string>();
  if (name.ends_with("ForMaskedLM")) return HubHead::masks;
  if (name.ends_with("ForSequenceClassification")) return HubHead::classes;
  if (name.ends_with("ForTokenClassification")) return HubHead::tags;
  if (name.ends_with("ForQuestionAnswering")) return HubHead::spans;
  if (name.ends_with("ForCausalLM") || name.ends_with("LMHeadModel")) return HubHead::next;
  return HubHead::none;
}

HubHeadNames hub_head_names(const HubTextModel& model, HubHead head, const Json& config,
                            const HubWeights& weights) {
  HubHeadNames names;
  const HeadTable table{names};
  const bool causal = model.encoder.causal;
  FOVEA_CHECK(head == HubHead::none || causal == (head == HubHead::next), ErrorKind::bad_file,
              "config.json: a ", model.type, " with a head of ", name_of(head),
              " is not supported");
  switch (head) {
    case HubHead::none:
      break;
    case HubHead::masks:
      masks(names, model, weights);
      break;
    case HubHead::classes:
      classes(names, model);
      break;
    case HubHead::tags:
      table.layer("out", "classifier");
      break;
    case HubHead::spans:
      table.layer("out", "qa_outputs");
      break;
    case HubHead::next:
      if (HubSettings{config}.flag("tie_word_embeddings", model.type == "gpt2")) {
        tie(names, model, weights, "lm_head.weight");
      } else {
        table.one("out.weight", "lm_head.weight");
      }
      break;
  }
  return names;
}

std::vector<std::string> hub_labels(const Json& config) {
  const auto at = config.find("id2label");
  if (at == config.end() || at->is_null()) return {"LABEL_0", "LABEL_1"};  // as transformers has it
  FOVEA_CHECK(at->is_object() && !at->empty(), ErrorKind::bad_file,
              "config.json: id2label: expected an object of numbers and names");
  std::vector<std::string> labels;
  for (std::size_t id = 0; id < at->size(); ++id) {
    const auto label = at->find(std::to_string(id));
    FOVEA_CHECK(label != at->end() && label->is_string(), ErrorKind::bad_file,
                "config.json: id2label: expected a name ", "for each number below ", at->size(),
                ", found none for ", id);
    labels.push_back(label->get<std::string>());
  }
  return labels;
}

std::vector<std::string> hub_unused(const HubTextModel& model, const HubHeadNames& head,
                                    const HubWeights& weights) {
  std::set<std::string> used;
  for (const NameMap* names : {&model.names, &head.names}) {
    for (const auto& [ours, their] : *names) used.insert(their.names.begin(), their.names.end());
  }
  for (const auto& [one, other] : head.repeated) {
    const Tensor a = weights(one), b = weights(other);
    FOVEA_CHECK(a.shape() == b.shape() &&
                    std::equal(a.data<float>(), a.data<float>() + a.size(), b.data<float>()),
                ErrorKind::bad_file, one, ": expected the same numbers as ", other,
                ", which it is tied to");
    used.insert(one);
  }
  std::vector<std::string> unused;
  for (const std::string& name : weights.names()) {
    if (used.contains(name) || harmless(model, name)) continue;
    FOVEA_CHECK(!of_encoder(model, name), ErrorKind::bad_file, name, ": a tensor that a ",
                model.type,
                " of config.json's sizes does not have; does config.json belong to the weights?");
    unused.push_back(name);
  }
  return unused;
}

}  // namespace fovea
