#include <algorithm>
#include <numbers>

#include "fovea/tasks/idle_settings.h"
#include "fovea/tasks/language/language.h"

namespace fovea {
namespace {

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' ? std::string("\\n") : std::string(1, c);
  return line;
}

/// A line is a prompt.
class LanguageRunner : public Runner {
 public:
  LanguageRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings)
      : model_(load_model<WritingModel>(folder, settings, Use::run)) {}

  Abilities abilities() const override { return {.generates = "text", .continues = true}; }
  std::vector<std::string> notes(std::span<const std::string> settings) const override {
    return idle_settings(model_.recipe.decode, settings);
  }

  /// One text at a time can be told while it is written; a beam's cannot.
  bool streams() const override {
    const LanguageDecode& decode = model_.recipe.decode;
    return decode.search != Search::beam && decode.n_best == 1;
  }

  /// The prompt and what follows. The text of a single one is as it was written; of several each is
  /// one line, in which the end of a line is "\n".
  std::vector<Answer> run(std::span<const Input> inputs, const RunOptions& options) const override {
    constexpr std::size_t at_once = 64;
    const bool alone = inputs.size() == 1;
    const auto prompts = read_each(inputs, [](const Input& input) {
      request_of<NoOptions>(input);
      return input.text;
    });
    const auto writer = writer_of(model_);
    const WriteSettings settings = writer->defaults();
    if (options.on_text && alone) options.on_text(prompts[0]);
    std::vector<Answer> answers;
    while (answers.size() < prompts.size()) {
      std::vector<WriteRequest> requests;
      for (std::size_t i = answers.size(); i < prompts.size() && requests.size() < at_once; ++i) {
        requests.push_back({.line = prompts[i],
                            .settings = settings,
                            .number = options.first + static_cast<Dim>(i)});
        if (alone) requests.back().on_text = options.on_text;
      }
      for (const WrittenLine& line : writer->write(std::move(requests), at_once)) {
        answers.push_back(answer(prompts[answers.size()], line, alone && !options.of_many));
      }
      if (options.progress) options.progress(std::ssize(answers));
    }
    return answers;
  }

  /// Nats a token, perplexity and, where the text has no unknown tokens, bits a character.
  TestResult test(const TestOptions& options) const override {
    expect_plain(options, WritingModel::name);
    LanguageData data = model_.recipe.data;
    read_from(data, options.part, options.files);
    locate(data, options.base);
    const std::string text = read_text(data, options.part);
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

  using Runner::record;
  std::vector<RunRecord> record(std::span<const Input> inputs, std::span<const std::string> answers,
                                const RecordOptions& options) const override {
    FOVEA_CHECK(!model_.net.encoder->looks().empty(),
                "look: a recurrent language model has no attention, there is nothing to look at");
    expect_answers(inputs.size(), answers);
    std::vector<RunRecord> all;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string* answer = answers.empty() ? nullptr : &answers[i];
      all.push_back(record_of(model_, inputs[i].text, answer, options));
    }
    return all;
  }

  using Runner::run;
  std::unique_ptr<Session> session() const override { return writer_of(model_); }
  WriteSettings defaults() const override { return writer_of(model_)->defaults(); }

 private:
  /// `alone`: the text may have several lines.
  Answer answer(const std::string& prompt, const WrittenLine& line, bool alone) const {
    Answer answer{.text = {}, .json = {{"prompt", prompt}, {"answers", Json::array()}}};
    for (const WrittenText& text : line.texts) {
      const std::string whole = prompt + text.text;
      if (&text != &line.texts.front()) answer.text += "\n";
      answer.text += alone && line.texts.size() == 1 ? whole : in_one_line(whole);
      answer.json["answers"].push_back({{"text", text.text},
                                        {"tokens", text.tokens},
                                        {"log_probability", text.log_probability},
                                        {"stopped", text.finished}});
    }
    if (line.cut) {
      answer.note = concat("the prompt has ", line.read, " tokens; the model reads the last ",
                           model_.context());
      answer.json["read"] = model_.context();
    }
    return answer;
  }

  WritingModel model_;
};

}  // namespace

std::unique_ptr<Runner> load_language_runner(const std::filesystem::path& model,
                                             const std::vector<std::string>& settings) {
  return std::make_unique<LanguageRunner>(model, settings);
}

}  // namespace fovea
