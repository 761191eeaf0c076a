#include "fovea/tasks/elmo_runner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/ops/softmax.h"

namespace fovea {
namespace {

/// -log P(ids[r + step]) of each row r that has such a neighbour.
std::vector<double> minus_logs(const Tensor& logs, const Ids& ids, std::ptrdiff_t step) {
  std::vector<double> all;
  for (std::ptrdiff_t r = 0; r < static_cast<std::ptrdiff_t>(ids.size()); ++r) {
    const std::ptrdiff_t next = r + step;
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(ids.size())) continue;
    all.push_back(-logs.view<float>()[r][ids[static_cast<std::size_t>(next)]]);
  }
  return all;
}

double sum_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

double perplexity_of(double sum, std::size_t count) {
  return std::exp(sum / static_cast<double>(std::max<std::size_t>(count, 1)));
}

Report report_of(const std::string& name, double sum, std::size_t count) {
  const double value = perplexity_of(sum, count);
  return {{name, value, false},
          formatted("%s = %.2f (%zu tokens)", name.c_str(), value, count),
          "words of the vocabulary, the mark at the end counted; others are one unknown word"};
}

}  // namespace

ElmoRunner::ElmoRunner(const std::filesystem::path& folder,
                       const std::vector<std::string>& settings)
    : model_(ElmoModel::load(folder, settings, Use::run)) {}

ElmoRunner::Surprise ElmoRunner::surprise(const ElmoText& text) const {
  const NoTape no_tape;
  const ElmoBatch batch = batch_of(std::span(&text, 1));
  const Elmo::Layers layers = model_.net(batch.letters, batch.texts, {});
  const auto logs = [&](const Var& h) { return log_softmax(model_.net.out.logits(h)).value(); };
  return {minus_logs(logs(layers.forward.back()), text.ids, 1),
          minus_logs(logs(layers.backward.back()), text.ids, -1)};
}

std::vector<Answer> ElmoRunner::run(std::span<const std::string> lines, const RunOptions& options) {
  expect_plain(options, "a model that foresees words");
  std::vector<Answer> answers;
  for (const std::string& line : lines) {
    const std::vector<std::string> words = model_.pieces(line);
    const ElmoText text = model_.encode(words);
    const Surprise found = surprise(text);
    const double forward = perplexity_of(sum_of(found.forward), found.forward.size());
    const double backward = perplexity_of(sum_of(found.backward), found.backward.size());
    answers.push_back({.text = formatted("%.2f\t%.2f", forward, backward),
                       .json = {{"text", line}, {"forward", forward}, {"backward", backward}},
                       .cut = text.ids.size() < words.size() + 2});
    if (answers.back().cut) answers.back().json["cut"] = true;
    if (options.progress) options.progress(static_cast<Dim>(answers.size()));
  }
  return answers;
}

TestResult ElmoRunner::test(const TestOptions& options) {
  expect_plain(options, "a model that foresees words");
  ElmoData data = model_.recipe.data;
  if (!options.files.empty()) {
    (options.part == Part::dev ? data.dev : data.test) = options.files;
    if (data.train.empty()) data.train = options.files;
  }
  PartReader reader(data, options.part, options.base);
  TestResult result;
  double forward = 0, backward = 0;
  std::size_t tokens = 0;
  for (std::vector<std::string> fields; reader.next(fields);) {
    for (const std::string& one : model_.texts_of(fields.front())) {
      const ElmoText text = model_.encode(model_.pieces(one));
      if (text.ids.size() == 2) continue;
      const Surprise found = surprise(text);
      forward += sum_of(found.forward);
      backward += sum_of(found.backward);
      tokens += found.forward.size();
      result.sources.push_back(one);
      result.answers.push_back(
          formatted("%.2f", perplexity_of(sum_of(found.forward), found.forward.size())));
    }
  }
  result.reports = {report_of("perplexity", forward, tokens),
                    report_of("perplexity.backward", backward, tokens)};
  return result;
}

std::vector<RunRecord> ElmoRunner::record(std::span<const std::string> lines,
                                          std::span<const std::string> answers,
                                          const RecordOptions&) {
  FOVEA_CHECK(answers.empty(), "look: a model that foresees words gives no answers; ",
              "leave out --answer");
  std::vector<RunRecord> all;
  for (const std::string& line : lines) {
    std::vector<std::string> words = model_.pieces(line);
    const ElmoText text = model_.encode(words);
    const Surprise found = surprise(text);
    RunRecord& record = all.emplace_back(RunRecord{.task = "elmo",
                                                   .input = line,
                                                   .output = "how little each word was foreseen",
                                                   .cut = text.ids.size() < words.size() + 2});
    words.resize(text.ids.size() - 2);
    // The first number forwards is of the first word, the first one backwards of the first mark.
    const std::vector<float> before(found.forward.begin(), found.forward.end() - 1);
    const std::vector<float> behind(found.backward.begin() + 1, found.backward.end());
    record.documents.push_back({"by the words before it", {{1, words, before}}});
    record.documents.push_back({"by the words after it", {{1, words, behind}}});
  }
  return all;
}

}  // namespace fovea
