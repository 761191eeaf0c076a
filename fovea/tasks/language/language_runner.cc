#include "fovea/tasks/language/language_runner.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/tasks/cached_stepper.h"
#include "fovea/tasks/language/generate.h"
#include "fovea/tasks/language/language_record.h"

namespace fovea {
namespace {

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? std::string("\\n") : std::string(1, c);
  return line;
}

}  // namespace

LanguageRunner::LanguageRunner(const std::filesystem::path& folder,
                               const std::vector<std::string>& settings)
    : model_(WritingModel::load(folder, settings, Use::run)) {}

bool LanguageRunner::streams() const {
  const LanguageDecode& decode = model_.recipe.decode;
  return decode.search != Search::beam && decode.n_best == 1;
}

std::vector<Answer> LanguageRunner::run(std::span<const Input> inputs,
                                        const RunOptions& options) const {
  for (const Input& input : inputs) request_of<NoOptions>(input);
  const std::vector<std::string> lines = texts_of(inputs);
  const LanguageDecode& decode = model_.recipe.decode;
  check(decode);  // before anything is told
  if (options.on_text && lines.size() == 1) options.on_text(lines[0]);
  const auto texts = generate(model_, lines,
                              {.decode = decode,
                               .first = options.first,
                               .on_text = options.on_text,
                               .progress = options.progress});
  const bool one = !options.of_many && lines.size() == 1 && decode.n_best == 1;
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Answer answer{.text = {}, .json = {{"prompt", lines[i]}, {"answers", Json::array()}}};
    for (const Written& text : texts[i]) {
      const std::string whole = lines[i] + text.text;
      if (&text != &texts[i].front()) answer.text += "\n";
      answer.text += one ? whole : in_one_line(whole);
      answer.json["answers"].push_back({{"text", text.text},
                                        {"tokens", text.tokens},
                                        {"log_probability", text.log_probability},
                                        {"stopped", text.stopped}});
    }
    const Dim tokens = std::ssize(model_.text.encode(lines[i])), read = model_.context();
    if (read > 0 && tokens > read) {
      answer.note = concat("the prompt has ", tokens, " tokens; the model reads the last ", read);
      answer.json["read"] = read;
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

TestResult LanguageRunner::test(const TestOptions& options) const {
  expect_plain(options, "language");
  LanguageData data = model_.recipe.data;
  read_from(data, options.part, options.files);
  const std::string text = read_text(data, options.part, options.base);
  const Ids ids = model_.text.encode(text);
  const Perplexity found = measure(model_, ids, options.progress);
  const std::string protocol = protocol_of(model_);
  const auto unknown =
      std::count(ids.begin(), ids.end(), model_.text.tokenizer().special().unknown);
  TestResult result;
  const auto report = [&](const std::string& name, double value, const std::string& text) {
    Report& one = result.reports.emplace_back();
    one.figure.name = name;
    one.figure.value = value;
    one.text = text;
    one.signature = protocol;
  };
  report("loss", found.nats_per_token(),
         formatted("loss = %.4f nats a token (%lld tokens, %lld of them unknown)",
                   found.nats_per_token(), static_cast<long long>(found.tokens),
                   static_cast<long long>(unknown)));
  report("perplexity", found.value(), formatted("perplexity = %.2f", found.value()));
  if (unknown == 0) {
    const double bits =
        found.nats / std::numbers::ln2 / static_cast<double>(count_characters(text));
    report("bits-per-character", bits, formatted("bits a character = %.4f", bits));
  }
  return result;
}

std::vector<RunRecord> LanguageRunner::record(std::span<const Input> inputs,
                                              std::span<const std::string> answers,
                                              const RecordOptions& options) const {
  FOVEA_CHECK(!model_.net.encoder->looks().empty(),
              "look: a recurrent language model has no attention, there is nothing to look at");
  expect_answers(inputs.size(), answers);
  const std::vector<std::string> lines = texts_of(inputs);
  std::vector<RunRecord> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    all.push_back(record_of(model_, lines[i], answers.empty() ? nullptr : &answers[i], options));
  }
  return all;
}

}  // namespace fovea
