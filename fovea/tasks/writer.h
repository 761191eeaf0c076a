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
#include "fovea/tasks/session.h"

namespace fovea {

class Writer : public Session {
 public:
  /// What the model's folder says.
  virtual WriteSettings defaults() const = 0;
  /// Rows of a step.
  Dim rows() const override { return decoding_.rows(); }
  bool empty() const override { return decoding_.empty(); }

  /// Reads the lines together and writes a token of each. Gives those that are done at once, or
  /// cannot be answered.
  std::vector<WrittenLine> admit(std::vector<WriteRequest> requests) override;
  /// A token more of each, whatever the limit: rows are limited by who is admitted.
  std::vector<WrittenLine> step(Dim max_rows = 0) override;
  /// Lets go of lines that nobody waits for.
  void drop(const std::function<bool(Dim key)>& unwanted) override;

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

struct WritingModel;
/// The model must live longer.
std::unique_ptr<Writer> writer_of(const WritingModel& model);

}  // namespace fovea
