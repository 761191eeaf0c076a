#include "fovea/tasks/answer/answer_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/ops/segment.h"
#include "fovea/tasks/model_folder.h"

namespace fovea {
namespace {

AnswerRecipe sized(AnswerRecipe recipe, const Tokenizer& words) {
  FOVEA_CHECK(recipe.data.longest > 0, "data.longest: expected at least one token, found ",
              recipe.data.longest);
  FOVEA_CHECK(recipe.decode.longest > 0, "decode.longest: expected at least one word, found ",
              recipe.decode.longest);
  recipe.model.encoder.vocabulary = words.size();
  return recipe;
}

/// Models from here read a question as marked, but leave the text's end open; others' are read as
/// their tokenizer says.
AnswerMarks marks_of(const Tokenizer& words) {
  const TextLayout& layout = words.layout();
  const bool own = words.config().kind != TokenizerKind::hub;
  return {layout.before, layout.between, own ? Ids() : layout.behind, layout.second_kind,
          words.special().unknown};
}

/// Batches of so many rows; calls run(examples) for each.
template <class Run>
void in_batches(const std::vector<std::int32_t>& rows, Dim most,
                const std::function<void(Dim)>& progress, const Run& run) {
  const NoTape no_tape;
  const Batches batches = Batches::unshuffled(rows, {.rows = most});
  Dim done = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    run(batches[b]);
    done += static_cast<Dim>(batches[b].size());
    if (progress) progress(done);
  }
}

struct PointedRows {
  std::span<const float> begin, end;  // no answer first, then the tokens
};

FoundSpan found_in(const AnswerModel& model, const SpanExample& question,
                   const EncodedPassage& passage, const PointedRows& rows) {
  const AnswerDecode& decode = model.recipe.decode;
  const auto log_of = [](double p) { return std::log(p + 1e-30); };
  FoundSpan best{.text = {}, .none = static_cast<double>(rows.begin[0]) * rows.end[0]};
  best.probability = best.none;
  double score = log_of(rows.begin[0]) + log_of(rows.end[0]) + decode.no_answer;
  const std::size_t count = passage.ids.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i; j < count; ++j) {
      if (passage.word[j] - passage.word[i] >= static_cast<std::size_t>(decode.longest)) break;
      const double here = log_of(rows.begin[i + 1]) + log_of(rows.end[j + 1]);
      if (here <= score) continue;
      score = here;
      best.begin = passage.words[passage.word[i]].begin;
      best.end = passage.words[passage.word[j]].end;
      best.probability = static_cast<double>(rows.begin[i + 1]) * rows.end[j + 1];
    }
  }
  if (best.end > best.begin) best.text = cut_out(question.passage, best.begin, best.end);
  best.words.assign(passage.words.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    best.words[passage.word[i]] += (rows.begin[i + 1] + rows.end[i + 1]) / 2;
  }
  return best;
}

}  // namespace

AnswerModel::AnswerModel(AnswerRecipe with, Tokenizer text, std::unique_ptr<Params> weights)
    : recipe(sized(std::move(with), text)),
      words(std::move(text)),
      params(std::move(weights)),
      answerer(params->scope(), recipe.model, marks_of(words)) {
  static_cast<AnswererConfig&>(recipe.model) = answerer.config;  // completed
}

AnswerModel AnswerModel::load(const std::filesystem::path& folder,
                              const std::vector<std::string>& settings, Use use) {
  auto recipe = recipe_of_model<AnswerRecipe>(folder, settings);
  Tokenizer words = tokenizer_of_model(folder, "words", recipe.model.encoder.vocabulary);
  return {std::move(recipe), std::move(words), weights_of_model(folder, use)};
}

std::vector<std::string> AnswerModel::save_rest(const std::filesystem::path& folder) const {
  return save_config(folder, write_config(recipe), {{"words", words}});
}

Dim AnswerModel::places() const {
  const TextEncoderConfig& encoder = recipe.model.encoder;
  const bool limited =
      encoder.family == TextFamily::transformer && encoder.positions == Positions::learned;
  return limited ? encoder.longest - rows_of({}, {}) : std::numeric_limits<Dim>::max();
}

std::size_t AnswerModel::longest(std::size_t asked) const {
  const Dim left = std::max<Dim>(places() - static_cast<Dim>(asked), 0);
  return static_cast<std::size_t>(std::min(recipe.data.longest, left));
}

Ids AnswerModel::encode_question(std::string_view question) const {
  Ids ids = words.encode(question);
  const Dim most = std::min(recipe.data.longest, places() / 2);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(std::max<Dim>(most, 0))));
  return ids;
}

Ids AnswerModel::encode(std::string_view text, std::size_t asked) const {
  Ids ids = words.encode(text);
  ids.resize(std::min(ids.size(), longest(asked)));
  return ids;
}

Dim AnswerModel::rows_of(const Ids& question, const Ids& text) const {
  const AnswerMarks& marks = answerer.marks;
  return std::ssize(question) + std::ssize(text) + std::ssize(marks.before) +
         std::ssize(marks.between) + std::ssize(marks.behind);
}

EncodedPassage AnswerModel::encode_passage(std::string_view passage, std::size_t asked) const {
  EncodedPassage encoded;
  const std::size_t most = longest(asked);
  if (std::optional<PlacedIds> placed = words.encode_placed(passage)) {
    encoded.ids = std::move(placed->ids);
    encoded.ids.resize(std::min(encoded.ids.size(), most));
    encoded.words = placed_at(passage, placed->places);
    encoded.words.resize(encoded.ids.size());
    encoded.word.resize(encoded.ids.size());
    std::iota(encoded.word.begin(), encoded.word.end(), std::size_t{0});
    return encoded;
  }
  for (const PlacedWord& word : placed_words(passage)) {
    const Ids ids = words.encode(word.text);
    if (encoded.ids.size() + ids.size() > most) break;
    encoded.ids.insert(encoded.ids.end(), ids.begin(), ids.end());
    encoded.word.insert(encoded.word.end(), ids.size(), encoded.words.size());
    encoded.words.push_back(word);
  }
  return encoded;
}

bool AnswerModel::too_long(std::string_view question, std::string_view text) const {
  const std::size_t asked = encode_question(question).size();
  if (words.encode(question).size() > asked) return true;
  const std::size_t most = longest(asked);
  return text.size() > most && words.encode(text).size() > most;
}

std::vector<std::vector<float>> choose(const AnswerModel& model,
                                       std::span<const ChoiceExample> questions,
                                       const std::function<void(Dim)>& progress) {
  std::vector<Ids> asked;
  std::vector<std::vector<Ids>> told;
  std::vector<std::int32_t> rows;
  for (const ChoiceExample& question : questions) {
    asked.push_back(model.encode_question(question.question));
    Dim all = 0;
    std::vector<Ids>& sentences = told.emplace_back();
    for (const std::string& sentence : question.sentences) {
      all += model.rows_of(asked.back(),
                           sentences.emplace_back(model.encode(sentence, asked.back().size())));
    }
    rows.push_back(static_cast<std::int32_t>(all));
  }
  std::vector<std::vector<float>> found(questions.size());
  in_batches(rows, model.recipe.batch.rows, progress, [&](std::span<const std::uint32_t> batch) {
    std::vector<AnswerPair> pairs;
    std::vector<Dim> counts;
    for (const std::uint32_t q : batch) {
      for (const Ids& sentence : told[q]) pairs.push_back({asked[q], sentence});
      counts.push_back(static_cast<Dim>(told[q].size()));
    }
    const Var scores = model.answerer.scores(pairs, {});
    const Tensor p = segment_softmax(scores, Segments::of_lengths(counts)).value();
    const float* from = p.data<float>();
    for (const std::uint32_t q : batch) {
      found[q].assign(from, from + told[q].size());
      from += told[q].size();
    }
  });
  return found;
}

std::vector<FoundSpan> find_spans(const AnswerModel& model, std::span<const SpanExample> questions,
                                  const std::function<void(Dim)>& progress) {
  std::vector<Ids> asked;
  std::vector<EncodedPassage> passages;
  std::vector<std::int32_t> rows;
  for (const SpanExample& question : questions) {
    asked.push_back(model.encode_question(question.question));
    passages.push_back(model.encode_passage(question.passage, asked.back().size()));
    rows.push_back(static_cast<std::int32_t>(model.rows_of(asked.back(), passages.back().ids)));
  }
  std::vector<FoundSpan> found(questions.size());
  in_batches(rows, model.recipe.batch.rows, progress, [&](std::span<const std::uint32_t> batch) {
    std::vector<AnswerPair> pairs;
    for (const std::uint32_t q : batch) pairs.push_back({asked[q], passages[q].ids});
    const SpanPointers pointers = model.answerer.point(pairs, {});
    Dim at = 0;
    for (const std::uint32_t q : batch) {
      const auto length = static_cast<std::size_t>(pointers.segments.length(at));
      const auto begin = static_cast<std::size_t>(pointers.segments.begin(at++));
      found[q] = found_in(model, questions[q], passages[q],
                          {pointers.begin.value().span<float>().subspan(begin, length),
                           pointers.end.value().span<float>().subspan(begin, length)});
    }
  });
  return found;
}

}  // namespace fovea
