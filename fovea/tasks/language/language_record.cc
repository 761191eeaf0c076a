#include "fovea/attention/probe.h"
#include "fovea/inspect/join_words.h"
#include "fovea/ops/reduce.h"
#include "fovea/tasks/cached_stepper.h"
#include "fovea/tasks/language/language.h"

namespace fovea {
namespace {

/// Tokens as words, the ends of lines as words of their own.
WordsOfTokens words_of(const TextFlow& text, const Ids& ids) {
  WordsOfTokens words{.word = text.tokenizer().words(ids), .names = {}};
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t next = i;
    std::string name;
    for (; next < ids.size() && words.word[next] == words.word[i]; ++next) {
      name += text.piece(ids[next]);
    }
    words.names.push_back(std::move(name));
    i = next;
  }
  return words;
}

}  // namespace

RunRecord record_of(const WritingModel& model, const std::string& line, const std::string* answer,
                    const RecordOptions& options) {
  const NoTape no_tape;
  Ids ids = model.text.encode(line + (answer ? *answer : ""));
  const bool cut = std::ssize(ids) > model.context();
  const Ids before = model.text.beginning();
  ids.insert(ids.begin(), before.begin(), before.end());
  FOVEA_CHECK(!ids.empty(), "look: a line without text");
  if (std::ssize(ids) > model.context()) ids.erase(ids.begin(), ids.end() - model.context());
  Probe probe(options.probe());
  const Sequences rows = joined(std::span(&ids, 1));
  const Var h = model.net(rows, {.probe = &probe});

  RunRecord record{.task = "language", .input = line, .sequences = {{"text", {}}}, .cut = cut};
  for (const std::int32_t id : ids) {
    record.sequences[0].tokens.push_back(model.text.piece(id));
  }
  if (answer) {
    record.output = *answer;
  } else {
    const Tensor next = argmax(model.net.out.logits(last_rows(h, rows.segments)).value());
    record.output = model.text.piece(next.data<std::int32_t>()[0]);
  }
  for (const AttentionRecord& seen : probe.records()) record.add(seen, 0, "text", "text");
  const std::vector<std::string> looks = model.net.encoder->looks();
  expect_layers(record, options, looks);
  record.align(looks.back());
  if (!options.words) return record;
  return join_words(record, {{"text", words_of(model.text, ids)}}, options.top_words());
}

}  // namespace fovea
