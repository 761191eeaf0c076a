#include "fovea/tasks/encoder_record.h"

#include "fovea/attention/probe.h"

namespace fovea {

void record_text(const TextEncoder& encoder, const Tokenizer& words, const Ids& ids,
                 const RecordOptions& options, RunRecord& record) {
  const NoTape no_tape;
  Probe probe(options.probe());
  encoder({joined(std::span(&ids, 1))}, {.probe = &probe});
  RunRecord::Sequence& text = record.sequences.emplace_back(RunRecord::Sequence{"text", {}});
  for (const std::int32_t id : ids) text.tokens.push_back(words.piece(id));
  for (const AttentionRecord& seen : probe.records()) record.add(seen, 0, "text", "text");
  expect_layers(record, options, encoder.looks());
}

void record_last_look(const TextEncoder& encoder, const Tokenizer& words, const Ids& ids,
                      RunRecord& record) {
  const std::vector<std::string> looks = encoder.looks();
  if (!looks.empty()) record_text(encoder, words, ids, {.layers = looks.back()}, record);
}

}  // namespace fovea
