/// A trained model for many callers at once: requests enter between two turns and leave when they
/// are answered. A turn computes a limited number of rows (tokens, patches, hypotheses), so that a
/// large request delays others by a turn only. What a request is answered does not depend on the
/// others.
///
///   session->admit(requests);
///   while (!session->empty()) for (WrittenLine& result : session->step(4096)) answer(result);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/decode/searching.h"
#include "fovea/inspect/run_record.h"
#include "fovea/tasks/input.h"
#include "fovea/tasks/record_options.h"

namespace fovea {

/// An input as the model that prepared it reads it.
struct Prepared {
  virtual ~Prepared() = default;
  Dim rows = 0;  // that it costs
};

/// How one line is answered. max_length counts what is written.
struct WriteSettings {
  DecodeConfig decode = {};
  std::vector<std::string> stop = {};  // what ends a text; it is no part of it
  std::string prefix = {};             // what the answer must begin with, of models that translate
};

/// An input to be answered.
struct WriteRequest {
  Dim key = 0;  // names it; no two that are open have the same
  std::string line = {};
  WriteSettings settings = {};  // begin with Runner::defaults()
  Dim number = 0;               // what is sampled depends on the seed and on this
  /// Told the text of a single answer piece by piece; of a beam, all when it is found.
  std::function<void(std::string_view)> on_text = {};
  /// Told the symbols of the answer so far; those of a beam may change again.
  std::function<void(const std::vector<std::string>&)> on_pieces = {};
  std::optional<RecordOptions> look = {};  // also record the attention
  /// Of models that answer inputs whole: Runner::prepare(), in the place of `line`.
  std::shared_ptr<const Prepared> prepared = {};
};

struct WrittenText {
  std::string text = {};
  double score = 0, log_probability = 0;
  Dim tokens = 0;         // that were written
  bool finished = false;  // by the end or a stop string, not by its length
  Ids ids = {};           // of models that translate: its tokens
};

/// What a request was answered.
struct WrittenLine {
  Dim key = 0;
  std::vector<WrittenText> texts = {};  // the best first
  Dim read = 0;                         // tokens of the line
  bool cut = false;                     // the line was longer than the model reads
  /// Of the best text, if it was asked for and could be seen while it was written: Runner::record
  /// gives the same from one more pass.
  std::optional<RunRecord> record = {};
  std::optional<Answer> answer = {};  // of models that answer inputs whole
  std::string error = {};             // if there is one, there is nothing else
  ErrorKind error_kind = ErrorKind::bad_input;
};

class Session {
 public:
  virtual ~Session() = default;

  /// Of what was admitted and is not yet answered: rows that a turn may compute.
  virtual Dim rows() const = 0;
  virtual bool empty() const = 0;

  /// Takes requests. Gives those that are answered at once, or cannot be.
  virtual std::vector<WrittenLine> admit(std::vector<WriteRequest> requests) = 0;
  /// One turn of about so many rows, and at least one request. Gives those that are answered.
  virtual std::vector<WrittenLine> step(Dim max_rows) = 0;
  /// Lets go of requests that nobody waits for.
  virtual void drop(const std::function<bool(Dim key)>& unwanted) = 0;
};

}  // namespace fovea
