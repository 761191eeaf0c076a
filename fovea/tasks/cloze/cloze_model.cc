#include "fovea/tasks/cloze/cloze_model.h"

#include <algorithm>
#include <unordered_map>

#include "fovea/tasks/model_folder.h"

namespace fovea {
namespace {

ClozeRecipe sized(ClozeRecipe recipe, const Tokenizer& words) {
  FOVEA_CHECK(recipe.data.longest > 0, "data.longest: expected at least one word, found ",
              recipe.data.longest);
  recipe.model.vocabulary = words.size();
  return recipe;
}

const ClozeRecipe& checked(const ClozeRecipe& recipe) {
  FOVEA_CHECK(
      recipe.words.kind == TokenizerKind::words,
      "words.kind: answers are words, so that a cloze is read by words; found another kind");
  return recipe;
}

/// Line by line; a question without a blank, or a line with too few fields, is an Error.
class ClozeLines {
 public:
  ClozeLines(const ClozeRecipe& recipe, Part part, const std::filesystem::path& base)
      : reader_(recipe.data, part, base), file_(files_of(recipe.data, part).front()) {
    FOVEA_CHECK(files_of(recipe.data, part).size() == 3,
                "data: expected three files (documents, questions, answers), found ",
                files_of(recipe.data, part).size());
  }
  bool next(ClozeText& text, std::string& answer) {
    if (!reader_.next(fields_)) return false;
    text = {fields_[0], fields_[1]};
    answer = fields_[2];
    FOVEA_CHECK(text.question.find(cloze_blank) != std::string::npos, file_, ":", number(),
                ": the question has no ", cloze_blank, ": '", text.question, "'");
    return true;
  }
  std::int64_t number() const { return reader_.number(); }

 private:
  PartReader reader_;
  std::string file_;
  std::vector<std::string> fields_;
};

}  // namespace

ClozeIds::ClozeIds(const Corpus& corpus, std::uint32_t example)
    : document(corpus.ids(example, 0)),
      question(corpus.ids(example, 1)),
      same(corpus.ids(example, 2)) {}

ClozeModel::ClozeModel(ClozeRecipe with, Tokenizer text, std::unique_ptr<Params> weights)
    : recipe(sized(std::move(with), text)),
      words(std::move(text)),
      params(std::move(weights)),
      reader(params->scope(), recipe.model) {}

ClozeModel ClozeModel::load(const std::filesystem::path& folder,
                            const std::vector<std::string>& settings, Use use) {
  auto recipe = recipe_of_model<ClozeRecipe>(folder, settings);
  Tokenizer words = tokenizer_of_model(folder, "words", recipe.model.vocabulary);
  return {std::move(recipe), std::move(words), weights_of_model(folder, use)};
}

void ClozeModel::save_rest(const std::filesystem::path& folder) const {
  words.save(folder, "words");
  save_config(folder, write_config(recipe), {"words"});
}

std::vector<std::string> ClozeModel::document_words(std::string_view document) const {
  std::vector<std::string> pieces = words.pieces(document);
  pieces.resize(std::min(pieces.size(), static_cast<std::size_t>(recipe.data.longest)));
  return pieces;
}

bool ClozeModel::too_long(std::string_view document) const {
  return words.pieces(document).size() > static_cast<std::size_t>(recipe.data.longest);
}

EncodedCloze ClozeModel::encode(const ClozeText& text) const {
  EncodedCloze encoded{words.encode(text.document), words.encode(text.question), {}};
  std::unordered_map<std::string, std::int32_t> first;
  for (std::string& word : document_words(text.document)) {
    const auto here = static_cast<std::int32_t>(encoded.same.size());
    encoded.same.push_back(first.emplace(std::move(word), here).first->second);
  }
  encoded.document.resize(encoded.same.size());
  return encoded;
}

Var ClozeModel::point(std::span<const ClozeIds> texts, const Pass& pass) const {
  std::vector<std::span<const std::int32_t>> documents, questions;
  for (const ClozeIds& text : texts) {
    documents.push_back(text.document);
    questions.push_back(text.question);
  }
  return reader(joined(documents), joined(questions), pass);
}

std::vector<RankedWord> ranked(std::span<const float> pointed, std::span<const std::int32_t> same) {
  std::vector<RankedWord> all;
  for (std::size_t i = 0; i < same.size(); ++i) all.push_back({static_cast<Dim>(i), 0});
  for (std::size_t i = 0; i < same.size(); ++i) {
    all[static_cast<std::size_t>(same[i])].probability += pointed[i];
  }
  std::erase_if(all, [&](const RankedWord& w) {
    return same[static_cast<std::size_t>(w.place)] != w.place;  // not the first of its word
  });
  std::stable_sort(all.begin(), all.end(), [](const RankedWord& a, const RankedWord& b) {
    return a.probability > b.probability;
  });
  return all;
}

std::vector<std::vector<RankedWord>> fill(const ClozeModel& model, std::span<const ClozeIds> texts,
                                          const std::function<void(Dim)>& progress) {
  const NoTape no_tape;
  std::vector<std::int32_t> rows;
  for (const ClozeIds& text : texts) {
    rows.push_back(static_cast<std::int32_t>(text.document.size() + text.question.size()));
  }
  const Batches batches = Batches::unshuffled(rows, {.rows = model.recipe.batch.rows});
  std::vector<std::vector<RankedWord>> answers(texts.size());
  Dim done = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<ClozeIds> chosen;
    for (const std::uint32_t e : batches[b]) chosen.push_back(texts[e]);
    const Tensor pointed = model.point(chosen, {}).value();
    std::span<const float> rest = pointed.span<float>();
    for (const std::uint32_t e : batches[b]) {
      const std::size_t length = texts[e].document.size();
      answers[e] = ranked(rest.first(length), texts[e].same);
      rest = rest.subspan(length);
    }
    done += static_cast<Dim>(chosen.size());
    if (progress) progress(done);
  }
  return answers;
}

Corpus read_corpus(const ClozeModel& model, Part part, const std::filesystem::path& base,
                   const std::filesystem::path& scratch, LeftOut* left_out) {
  ClozeLines reader(model.recipe, part, base);
  CorpusBuilder corpus(scratch, 4, false);
  ClozeText text;
  for (std::string answer; reader.next(text, answer);) {
    EncodedCloze encoded = model.encode(text);
    const std::vector<std::string> document = model.document_words(text.document);
    const auto at = std::find(document.begin(), document.end(), model.words.normalise(answer));
    Ids place;
    if (at != document.end()) place.push_back(static_cast<std::int32_t>(at - document.begin()));
    const bool left = place.empty() && part == Part::train;
    if (left_out) left_out->count(left ? "what is read of the document lacks the answer" : "");
    if (left) continue;
    corpus.add(std::vector<Ids>{std::move(encoded.document), std::move(encoded.question),
                                std::move(encoded.same), std::move(place)},
               {}, reader.number());
  }
  const Corpus made = corpus.finish();
  FOVEA_CHECK(
      made.size() > 0, "data: the ", name_of(part),
      " set has no examples; are its files empty, or do all answers stand beyond the first ",
      model.recipe.data.longest, " words (data.longest)?");
  return made;
}

std::vector<ClozeExample> first_examples(const ClozeModel& model, Part part,
                                         const std::filesystem::path& base, std::size_t most) {
  ClozeLines reader(model.recipe, part, base);
  std::vector<ClozeExample> all;
  for (ClozeExample one; all.size() < most && reader.next(one.text, one.answer);) {
    if (!model.document_words(one.text.document).empty()) all.push_back(one);
  }
  return all;
}

Tokenizer train_words(const ClozeRecipe& recipe, const std::filesystem::path& base) {
  auto reader = std::make_shared<ClozeLines>(checked(recipe), Part::train, base);
  auto text = std::make_shared<ClozeText>();
  auto asked = std::make_shared<bool>(false);  // whether the question is next
  const auto lines = [=](std::string& line) {
    if (*asked) {
      line = text->question;
    } else {
      std::string answer;
      if (!reader->next(*text, answer)) return false;
      line = text->document;
    }
    *asked = !*asked;
    return true;
  };
  return learn_tokenizer(recipe.words, lines, recipe.data);
}

}  // namespace fovea
