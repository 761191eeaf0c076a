/// Models that write, for many callers at once: texts grow together, a token each at a step; who
/// waits enters between two steps, who is done leaves. What a line is answered does not depend on
/// the others: it is what Runner::run answers.
///
///   writer.admit(requests);                      // reads their lines, writes their first tokens
///   while (!writer.empty()) for (WrittenLine& line : writer.step()) answer(line);
///
/// For one caller with many lines: writer.write(requests, rows).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fovea/decode/decoding.h"
#include "fovea/inspect/run_record.h"
#include "fovea/tasks/record_options.h"

namespace fovea {

/// How one line is answered. max_length counts what is written.
struct WriteSettings {
  DecodeConfig decode = {};
  std::vector<std::string> stop = {};  // what ends a text; it is no part of it
  std::string prefix = {};             // what the answer must begin with, of models that translate
};

struct WriteRequest {
  Dim key = 0;  // names it; no two that are open have the same
  std::string line;
  WriteSettings settings = {};  // begin with Writer::defaults()
  Dim number = 0;               // what is sampled depends on the seed and on this
  /// Told the text of a single answer piece by piece; of a beam, all when it is found.
  std::function<void(std::string_view)> on_text = {};
  /// Told the symbols of the answer so far; those of a beam may change again.
  std::function<void(const std::vector<std::string>&)> on_pieces = {};
  std::optional<RecordOptions> look = {};  // also tell where the model looked
};

struct WrittenText {
  std::string text = {};
  double score = 0, log_probability = 0;
  Dim tokens = 0;         // that were written
  bool finished = false;  // by the end or a stop string, not by its length
  Ids ids = {};           // of models that translate: its tokens
};

struct WrittenLine {
  Dim key = 0;
  std::vector<WrittenText> texts = {};  // the best first
  Dim read = 0;                         // tokens of the line
  bool cut = false;                     // the line was longer than the model reads
  /// Of the best text, if it was asked for and could be seen while it was written: Runner::record
  /// gives the same from one more pass.
  std::optional<RunRecord> record = {};
  std::string error = {};  // if there is one, nothing was written
};

class Writer {
 public:
  virtual ~Writer() = default;

  /// What the model's folder says.
  virtual WriteSettings defaults() const = 0;
  /// Rows of a step.
  Dim rows() const { return decoding_.rows(); }
  bool empty() const { return decoding_.empty(); }

  /// Reads the lines together and writes a token of each. Gives those that are done at once, or
  /// cannot be answered.
  std::vector<WrittenLine> admit(std::vector<WriteRequest> requests);
  /// A token more of each. Gives those that are done.
  std::vector<WrittenLine> step();
  /// Lets go of lines that nobody waits for.
  void drop(const std::function<bool(Dim key)>& unwanted);

  /// The answers to all lines, in their order. Those of like length are written together, at most
  /// so many rows of sources at once. `progress` is told how many are done.
  std::vector<WrittenLine> write(std::vector<WriteRequest> requests, Dim rows,
                                 const std::function<void(Dim)>& progress = {}) const;

 protected:
  /// A line on its way.
  class Line {
   public:
    virtual ~Line() = default;
    virtual WrittenLine answer(std::vector<Hypothesis> found) = 0;

    Ids source = {};  // of models that read one
  };
  /// A line and the search for its answer; without a search if the answer is empty.
  struct Begun {
    std::unique_ptr<Line> line;
    std::unique_ptr<Searching> searching;
  };
  virtual Begun begin(WriteRequest request) const = 0;
  virtual std::shared_ptr<Stepper> stepper(const std::vector<Line*>& lines) const = 0;

 private:
  std::vector<WrittenLine> answers(Decoding::Requests done);

  Decoding decoding_;
  std::map<Dim, std::unique_ptr<Line>> lines_;
};

struct TranslationModel;
struct WritingModel;
/// The model must live longer.
std::unique_ptr<Writer> writer_of(const TranslationModel& model);
std::unique_ptr<Writer> writer_of(const WritingModel& model);

}  // namespace fovea
