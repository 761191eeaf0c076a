#include "fovea/tasks/translate/translation_search.h"

#include <algorithm>

#include "fovea/decode/rerank.h"

namespace fovea {
namespace {

const DecoderHead* head_of(const TranslationModel& model, const std::string& name) {
  if (name.empty()) return nullptr;
  std::vector<std::string> names;
  for (const DecoderHead& head : model.heads) {
    if (head.name == name) return &head;
    names.push_back(head.name);
  }
  fail("translate: the model has no head '", name, "'", suggestion(name, names));
}

}  // namespace

TranslationSearch::TranslationSearch(const TranslationModel& model, TranslateDecode decode,
                                     const std::string& head, std::string_view prefix)
    : model_(model),
      decode_(std::move(decode)),
      head_(head_of(model, head)),
      text_(head_ ? head_->text : model.target),
      decoder_(head_ ? *head_->decoder : *model.net.decoder),
      suppressed_(TranslationModel::never_written(text_)),
      reverse_(!head_ && model.recipe.objective.direction == TargetDirection::reverse),
      prefix_(text_.encode(prefix)) {
  check(decode_);
  FOVEA_CHECK(decode_.rerank == 0 || !head_,
              "translate: a head has no right-to-left score to rank by");
  FOVEA_CHECK(decode_.coverage_penalty == 0 || !model_.neighbours,
              "decode.coverage_penalty: with data.neighbours nobody expects that all of what is ",
              "read is looked at; expected 0, found ", decode_.coverage_penalty);
  FOVEA_CHECK(!reverse_ || prefix_.empty(),
              "translate: a model that writes from right to left cannot be given a beginning");
}

Dim TranslationSearch::longest(Dim source_rows) const {
  const double limit = decode_.ratio * static_cast<double>(source_rows) + 16;
  return std::min(static_cast<Dim>(limit) + std::ssize(prefix_),
                  longest_of(model_.recipe.model.config));
}

DecodeRequest TranslationSearch::request(const Ids& source, Dim number) const {
  DecodeRequest request{.prefix = {model_.first(reverse_)}, .number = number};
  request.prefix.insert(request.prefix.end(), prefix_.begin(), prefix_.end());
  request.max_length = longest(std::ssize(model_.own(source)) + 1);  // and its end
  return request;
}

std::shared_ptr<CachedStepper> TranslationSearch::stepper(std::span<const Ids> sources) const {
  return stepper(encode(*model_.net.encoder, joined(sources)));
}

std::shared_ptr<CachedStepper> TranslationSearch::stepper(Encoded sources) const {
  return std::make_shared<CachedStepper>(decoder_, std::move(sources),
                                         model_.alignment_layer_of(decoder_), decode_.lag);
}

std::vector<WrittenText> TranslationSearch::texts(std::string_view line, const Ids& source,
                                                  std::vector<Hypothesis> found) const {
  if (decode_.rerank > 0) rank_again(line, source, found);
  std::vector<WrittenText> all;
  for (const Hypothesis& one : found) {
    Ids ids = target_of(one);
    const Dim tokens = std::ssize(ids);
    all.push_back(
        {text_.decode(ids), one.score, one.log_probability, tokens, one.finished, std::move(ids)});
  }
  return all;
}

std::vector<std::string> TranslationSearch::pieces(const Hypothesis& hypothesis) const {
  std::vector<std::string> pieces;
  for (const std::int32_t id : target_of(hypothesis)) pieces.push_back(text_.piece(id));
  return pieces;
}

Ids TranslationSearch::target_of(const Hypothesis& hypothesis) const {
  Ids ids = hypothesis.ids;
  if (reverse_) std::reverse(ids.begin(), ids.end());
  return ids;
}

void TranslationSearch::rank_again(std::string_view line, const Ids& source,
                                   std::vector<Hypothesis>& hypotheses) const {
  std::vector<double> scores(hypotheses.size(), 0.0);
  if (model_.seconds.empty()) {
    std::vector<IdPair> pairs;
    for (const Hypothesis& one : hypotheses) pairs.push_back({source, target_of(one)});
    scores = log_probabilities(model_, pairs, !reverse_);
  }
  for (const TranslationModel::Second& second : model_.seconds) {
    const std::vector<double> of_one = scores_of(*second.model, line, hypotheses);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] += of_one[i] / static_cast<double>(model_.seconds.size());
    }
  }
  rerank(hypotheses, scores, decode_.rerank, decode_.length_penalty);
}

// Another model has other ids: it reads the texts themselves.
std::vector<double> TranslationSearch::scores_of(const TranslationModel& other,
                                                 std::string_view line,
                                                 const std::vector<Hypothesis>& hypotheses) const {
  const TargetDirection learned = other.recipe.objective.direction;
  const bool reverse =
      learned == TargetDirection::both ? !reverse_ : learned == TargetDirection::reverse;
  const Ids source = other.encode_source(line);
  std::vector<IdPair> pairs;
  for (const Hypothesis& one : hypotheses) {
    pairs.push_back({source, other.target.encode(text_of(one))});
  }
  return log_probabilities(other, pairs, reverse);
}

}  // namespace fovea
