#include "fovea/tasks/cloze/cloze_runner.h"

#include <algorithm>

#include "fovea/tasks/cloze/cloze_record.h"

namespace fovea {
namespace {

constexpr std::size_t shown_words = 5;

ClozeText text_of(const ClozeModel& model, const std::string& line) {
  const std::size_t tab = line.find('\t');
  FOVEA_CHECK(tab != std::string::npos && line.find(cloze_blank, tab) != std::string::npos,
              "expected a document, a tab and a question with ", cloze_blank, ", found '", line,
              "'");
  ClozeText text{line.substr(0, tab), line.substr(tab + 1)};
  FOVEA_CHECK(!model.document_words(text.document).empty(), "the document has no words to answer '",
              text.question, "' with");
  return text;
}

}  // namespace

ClozeRunner::ClozeRunner(const std::filesystem::path& folder,
                         const std::vector<std::string>& settings)
    : model_(ClozeModel::load(folder, settings, Use::run)) {}

std::vector<Answer> ClozeRunner::run(std::span<const std::string> lines,
                                     const RunOptions& options) {
  expect_plain(options, "a model that fills blanks");
  const auto encoded = read_each(
      lines, [&](const std::string& line) { return model_.encode(text_of(model_, line)); });
  const auto ranked =
      fill(model_, std::vector<ClozeIds>(encoded.begin(), encoded.end()), options.progress);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const ClozeText text = text_of(model_, lines[i]);
    const std::vector<std::string> words = model_.document_words(text.document);
    const auto word = [&](const RankedWord& r) { return words[static_cast<std::size_t>(r.place)]; };
    Answer answer{.text = word(ranked[i].front()),
                  .json = {{"question", text.question}, {"answers", Json::array()}},
                  .cut = model_.too_long(text.document)};
    if (answer.cut) answer.json["cut"] = true;
    for (std::size_t k = 0; k < std::min(shown_words, ranked[i].size()); ++k) {
      answer.json["answers"].push_back(
          {{"text", word(ranked[i][k])}, {"probability", ranked[i][k].probability}});
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

TestResult ClozeRunner::test(const TestOptions& options) {
  expect_plain(options, "a model that fills blanks");
  ClozeData data = model_.recipe.data;
  read_from(data, options.part, options.files);
  PartReader reader(data, options.part, options.base);
  std::vector<std::string> fields, expected;
  std::vector<EncodedCloze> encoded;
  TestResult result;
  std::vector<std::string> documents;
  while (reader.next(fields)) {
    FOVEA_CHECK(fields.size() == 3, "data: expected three files (documents, questions, answers), ",
                "found ", fields.size());
    encoded.push_back(model_.encode({fields[0], fields[1]}));
    documents.push_back(fields[0]);
    result.sources.push_back(fields[1]);
    expected.push_back(model_.words.normalise(fields[2]));
  }
  const auto all = static_cast<Dim>(encoded.size());
  const auto ranked =
      fill(model_, std::vector<ClozeIds>(encoded.begin(), encoded.end()), [&](Dim done) {
        if (options.progress) options.progress(done, all);
      });
  Dim right = 0;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    const auto words = model_.document_words(documents[i]);
    result.answers.push_back(
        ranked[i].empty() ? "" : words[static_cast<std::size_t>(ranked[i].front().place)]);
    right += result.answers.back() == expected[i];
  }
  result.reports.push_back(share_report("accuracy", right, all, "of all words of the document"));
  return result;
}

std::vector<RunRecord> ClozeRunner::record(std::span<const std::string> lines,
                                           std::span<const std::string> answers,
                                           const RecordOptions& options) {
  FOVEA_CHECK(answers.empty(), "look: a model that fills blanks looks before it answers; ",
              "leave out --answer");
  std::vector<RunRecord> all;
  for (const std::string& line : lines) {
    all.push_back(record_of(model_, text_of(model_, line), options));
    all.back().input = line;
  }
  return all;
}

}  // namespace fovea
