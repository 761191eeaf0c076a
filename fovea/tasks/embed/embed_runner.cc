#include "fovea/tasks/embed/embed_runner.h"

#include "fovea/data/find_data.h"
#include "fovea/tasks/embed/embed_workload.h"
#include "fovea/tasks/encoder_record.h"

namespace fovea {
namespace {

constexpr Dim shown = 5;

std::string numbers_of(const std::vector<float>& vector) {
  std::string text;
  for (const float x : vector) {
    text += formatted("%s%.6g", text.empty() ? "" : " ", static_cast<double>(x));
  }
  return text;
}

}  // namespace

EmbedRunner::EmbedRunner(const std::filesystem::path& folder,
                         const std::vector<std::string>& settings)
    : model_(EmbeddingModel::load(folder, settings, Use::run)) {}

const EmbedRunner::Shelf& EmbedRunner::shelf(const std::string& file) {
  if (shelf_.file == file) return shelf_;
  Shelf made{.file = file};
  std::vector<Ids> ids;
  TextReader reader(resolve(file, "."));
  for (std::string line; reader.next(line);) {
    ids.push_back(model_.encode(line));
    made.lines.push_back(line);
  }
  FOVEA_CHECK(!ids.empty(), file, ": has no lines to search among");
  made.vectors = embed(model_, ids);
  return shelf_ = std::move(made);
}

std::vector<Answer> EmbedRunner::run(std::span<const std::string> lines,
                                     const RunOptions& options) {
  RunOptions rest = options;
  rest.nearest.clear();
  expect_plain(rest, "a model that makes vectors");
  std::vector<Ids> ids;
  std::vector<Answer> answers;
  for (const std::string& line : lines) {
    Answer& answer = answers.emplace_back();
    ids.push_back(model_.encode(line, &answer.cut));
    answer.json = {{"text", line}, {"tokens", ids.back().size()}};
    if (answer.cut) answer.json["cut"] = true;
  }
  const Tensor vectors = embed(model_, ids, options.progress);
  if (options.nearest.empty()) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const float* from = vectors.view<float>()[static_cast<Dim>(i)];
      const std::vector<float> vector(from, from + vectors.cols());
      answers[i].text = numbers_of(vector);
      answers[i].json["vector"] = vector;
    }
    return answers;
  }
  const Shelf& among = shelf(options.nearest);
  const auto found = nearest(vectors, among.vectors, shown);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    answers[i].json["nearest"] = Json::array();
    for (const Neighbour& one : found[i]) {
      const std::string& line = among.lines[static_cast<std::size_t>(one.row)];
      answers[i].json["nearest"].push_back(
          {{"line", one.row + 1}, {"text", line}, {"likeness", one.likeness}});
    }
    const Neighbour& best = found[i].front();
    answers[i].text = formatted("%.3f\t", static_cast<double>(best.likeness)) +
                      among.lines[static_cast<std::size_t>(best.row)];
  }
  return answers;
}

TestResult EmbedRunner::test(const TestOptions& options) {
  expect_plain(options, "a model that makes vectors");
  EmbedData data = model_.recipe.data;
  read_from(data, options.part, options.files);
  const Corpus corpus =
      read_corpus(model_, data, options.part, options.base, std::filesystem::temp_directory_path());
  const Tensor a = embed(model_, texts_of(corpus, 0)), b = embed(model_, texts_of(corpus, 1));
  TestResult result;
  result.reports.push_back(share_report("accuracy", found_own(a, b), corpus.size(),
                                        "the nearest of all second texts is the first one's own"));
  result.reports.push_back(share_report("accuracy-back", found_own(b, a), corpus.size(),
                                        "the nearest of all first texts is the second one's own"));
  return result;
}

std::vector<RunRecord> EmbedRunner::record(std::span<const std::string> lines,
                                           std::span<const std::string> answers,
                                           const RecordOptions& options) {
  FOVEA_CHECK(answers.empty(), "look: a vector is no text that could be given; leave out --answer");
  FOVEA_CHECK(!model_.encoder.encoder->looks().empty(),
              "look: recurrent layers have no attention to look at");
  std::vector<RunRecord> all;
  for (const std::string& line : lines) all.push_back(record_of(line, options));
  return all;
}

RunRecord EmbedRunner::record_of(const std::string& line, const RecordOptions& options) const {
  RunRecord record{.task = "embed", .input = line, .output = "a vector"};
  record_text(*model_.encoder.encoder, model_.words, model_.encode(line, &record.cut), options,
              record);
  const std::string last = model_.encoder.encoder->looks().back();
  if (record.find(last)) {
    record.documents.push_back(shaded_by(record, last, "where the last layer looked"));
  }
  return record;
}

}  // namespace fovea
