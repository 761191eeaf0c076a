#include "fovea/tasks/elmo/elmo_runner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/ops/softmax.h"

namespace fovea {
namespace {

/// Texts that are tested at a time.
constexpr std::size_t kTogether = 32;

/// -log P(ids[r + step]) of each row r of a text that has such a neighbour; `begin`: its first row.
std::vector<double> minus_logs(const Tensor& logs, Dim begin, const Ids& ids, std::ptrdiff_t step) {
  std::vector<double> all;
  for (std::ptrdiff_t r = 0; r < std::ssize(ids); ++r) {
    const std::ptrdiff_t next = r + step;
    if (next < 0 || next >= std::ssize(ids)) continue;
    all.push_back(-logs.view<float>()[begin + r][ids[static_cast<std::size_t>(next)]]);
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

std::vector<ElmoRunner::Surprise> ElmoRunner::surprises(std::span<const ElmoText> texts) const {
  const NoTape no_tape;
  const ElmoBatch batch = batch_of(texts);
  const Elmo::Layers layers = model_.net(batch.letters, batch.texts, {});
  const auto logs = [&](const Var& h) { return log_softmax(model_.net.out.logits(h)).value(); };
  const Tensor forward = logs(layers.forward.back()), backward = logs(layers.backward.back());
  std::vector<Surprise> all;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const Dim begin = batch.texts.begin(static_cast<Dim>(t));
    all.push_back({minus_logs(forward, begin, texts[t].ids, 1),
                   minus_logs(backward, begin, texts[t].ids, -1)});
  }
  return all;
}

ElmoRunner::Surprise ElmoRunner::surprise(const ElmoText& text) const {
  return surprises(std::span(&text, 1)).front();
}

std::vector<Answer> ElmoRunner::run_lines(std::span<const std::string> lines,
                                          const RunOptions& options) {
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

TestResult ElmoRunner::test(const TestOptions& options) const {
  expect_plain(options, "elmo");
  ElmoData data = model_.recipe.data;
  read_from(data, options.part, options.files);
  FOVEA_CHECK(files_of(data, options.part).size() == 1, "eval: expected one file of text, found ",
              files_of(data, options.part).size());
  PartReader reader(data, options.part, options.base);
  TestResult result;
  double forward = 0, backward = 0;
  std::size_t tokens = 0;
  std::vector<ElmoText> together;
  const auto test_them = [&] {
    for (const Surprise& found : surprises(together)) {
      const double sum = sum_of(found.forward);
      forward += sum;
      backward += sum_of(found.backward);
      tokens += found.forward.size();
      result.answers.push_back(formatted("%.2f", perplexity_of(sum, found.forward.size())));
    }
    together.clear();
  };
  for (std::vector<std::string> fields; reader.next(fields);) {
    for (const std::string& one : model_.texts_of(fields.front())) {
      ElmoText text = model_.encode(model_.pieces(one));
      if (text.ids.size() == 2) continue;
      result.sources.push_back(one);
      together.push_back(std::move(text));
      if (together.size() == kTogether) test_them();
    }
  }
  if (!together.empty()) test_them();
  FOVEA_CHECK(tokens > 0, "eval: the ", name_of(options.part), " set has no words",
              why_empty(data, options.part));
  result.reports = {report_of("perplexity", forward, tokens),
                    report_of("perplexity.backward", backward, tokens)};
  return result;
}

std::vector<RunRecord> ElmoRunner::record_lines(std::span<const std::string> lines,
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
