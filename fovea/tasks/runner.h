/// A trained model that a command can drive, whatever its task is: the model's folder knows.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "fovea/config/config.h"
#include "fovea/data/split.h"
#include "fovea/inspect/run_record.h"
#include "fovea/tasks/input.h"
#include "fovea/tasks/report.h"
#include "fovea/tasks/session.h"
#include "fovea/tasks/writer.h"

namespace fovea {

struct RunOptions {
  Dim first = 0;         // the number of the first input: what is drawn at random depends on it
  bool of_many = false;  // others are answered in other calls: each answer takes one line
  /// Told how many inputs are done.
  std::function<void(Dim)> progress = {};
  /// Told the text of the answer to a single input, piece by piece as it is generated, by models
  /// that stream.
  std::function<void(std::string_view)> on_text = {};
};

/// A test set: of the recipe that the model was trained by, or files.
struct TestOptions {
  Part part = Part::test;
  std::vector<std::string> files = {};  // as the recipe's; none: those of the recipe
  std::filesystem::path base = ".";     // from where they are seen
  /// Links of words that people gave to each source and its first answer ("0-0 1?2"): how far the
  /// model's are from them is measured too.
  std::string links = {};
  /// Also measures apart the sources of at most so many words, and those beyond the last: rising.
  std::vector<Dim> lengths = {};
  std::function<void(Dim, Dim)> progress = {};
};

struct TestResult {
  std::vector<Report> reports;
  std::vector<std::string> sources, answers;
};

/// An answer that begins before the line has ended.
class LiveAnswer {
 public:
  virtual ~LiveAnswer() = default;
  /// Gives the text that can be written now that this word is known.
  virtual std::string read(std::string_view word) = 0;
  /// The line has ended: gives the rest.
  virtual std::string finish() = 0;
};

/// What a model can be asked for.
struct Abilities {
  bool media = false;               // it reads images, not lines of text
  std::string_view generates = {};  // the sequence that it generates token by token: "target"
  bool continues = false;           // what it generates continues the input, as language models do
  bool vectors = false;             // it answers with a vector of numbers
};

class Runner {
 public:
  virtual ~Runner() = default;

  virtual Abilities abilities() const { return {}; }
  /// Which of these settings ("decode.beam=8") change nothing, and why.
  virtual std::vector<std::string> notes(std::span<const std::string> settings) const;

  /// `settings`: "decode.beam=8" and the like, which go before what the model's config.json says.
  static std::unique_ptr<Runner> load(const std::filesystem::path& folder,
                                      const std::vector<std::string>& settings = {});

  /// Whether `on_text` is told.
  virtual bool streams() const { return false; }
  /// In the order of the inputs. One that the model cannot read is a LineError.
  virtual std::vector<Answer> run(std::span<const Input> inputs,
                                  const RunOptions& options) const = 0;
  virtual TestResult test(const TestOptions& options) const = 0;
  /// What the model did with each input, and its attention weights. `answers`, if there are any,
  /// are what it must generate, one for each input; otherwise it generates them. A model without
  /// attention is an Error, unless there is something else to see of it. The caller fills in the
  /// model's name.
  virtual std::vector<RunRecord> record(std::span<const Input> inputs,
                                        std::span<const std::string> answers,
                                        const RecordOptions& options) const = 0;
  /// What lines of a person mean to this model: text, or the names of files of media.
  std::vector<Input> inputs_of(std::span<const std::string> lines,
                               const Json& fields = Json::object()) const;
  /// The same of such lines.
  std::vector<Answer> run(std::span<const std::string> lines, const RunOptions& options) const {
    return run(inputs_of(lines), options);
  }
  std::vector<RunRecord> record(std::span<const std::string> lines,
                                std::span<const std::string> answers,
                                const RecordOptions& options) const {
    return record(inputs_of(lines), answers, options);
  }

  /// An input as sessions take it, read on any thread: its lines are tokenized, its images decoded.
  /// Null of models that generate, whose sessions read lines themselves. An Error if the model
  /// cannot read it.
  virtual std::shared_ptr<const Prepared> prepare(const Input& input) const;
  /// For many callers at once. The runner must live longer.
  virtual std::unique_ptr<Session> session() const = 0;
  /// How a model that generates does so, as its folder says.
  virtual WriteSettings defaults() const { return {}; }
  /// For one line, word by word as it arrives. Most models answer when the line has ended: an
  /// Error.
  virtual std::unique_ptr<LiveAnswer> live() const;
};

/// A line that a model cannot read. What it says is of the line alone; who gave several tells
/// which.
class LineError : public Error {
 public:
  LineError(std::size_t number, const Error& error) : Error(error), line(number) {}
  std::size_t line;  // from 0, among those that were given
};

/// What `read` makes of each input, in their order. An Error of one is a LineError.
template <class Read>
auto read_each(std::span<const Input> inputs, const Read& read) {
  std::vector<std::invoke_result_t<const Read&, const Input&>> all;
  for (const Input& input : inputs) {
    try {
      all.push_back(read(input));
    } catch (const Error& error) {
      throw LineError(all.size(), error);
    }
  }
  return all;
}

/// Throws if a model without a source and a target ("cloze") is to be measured by what only those
/// have.
void expect_plain(const TestOptions& options, std::string_view task);
/// Throws if answers are given, but not one for each input.
void expect_answers(std::size_t inputs, std::span<const std::string> answers);
/// Throws if a run has none of the layers that were asked for by name.
void expect_layers(const RunRecord& record, const RecordOptions& options,
                   std::span<const std::string> there_are);

}  // namespace fovea
