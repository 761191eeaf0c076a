/// What stands on an encoder in a checkpoint of Hugging Face's, and what its tensors are called.
///
///   HubTextModel model = hub_text_model(config, weights, "encoder");
///   HubHead head = hub_head(config);                       // "BertForMaskedLM": masks
///   HubHeadNames names = hub_head_names(model, head, config, weights);
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/hub/text_model.h"

namespace fovea {

enum class HubHead {
  none,     // the rows themselves: BertModel, and what carries heads that are not known
  masks,    // ForMaskedLM
  classes,  // ForSequenceClassification
  tags,     // ForTokenClassification
  spans,    // ForQuestionAnswering
  next,     // ForCausalLM, LMHeadModel
};
constexpr std::array<std::string_view, 6> names_of(HubHead) {
  return {"none", "masks", "classes", "tags", "spans", "next"};
}

/// By the ending of the class that "architectures" names.
HubHead hub_head(const Json& config);

struct HubHeadNames {
  NameMap names = {};
  /// Tensors that repeat another: a last layer that is the vectors of tokens. Theirs, of which the
  /// first must equal the second.
  std::vector<std::pair<std::string, std::string>> repeated = {};
};

/// The parameters of our models that take such a head: MaskedModel, EncoderClassifier, Tagger,
/// Answerer and LanguageModel.
HubHeadNames hub_head_names(const HubTextModel& model, HubHead head, const Json& config,
                            const HubWeights& weights);

/// The names of classes or tags, in the order of their numbers.
std::vector<std::string> hub_labels(const Json& config);

/// Checks that tensors which repeat others do, and sorts out those that nothing was made of. An
/// Error if one of them belongs to the encoder: then config.json does not tell what the model is.
/// Gives those of other heads, for people to know.
std::vector<std::string> hub_unused(const HubTextModel& model, const HubHeadNames& head,
                                    const HubWeights& weights);

}  // namespace fovea
