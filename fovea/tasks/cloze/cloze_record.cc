#include "fovea/tasks/cloze/cloze_record.h"

#include "fovea/attention/probe.h"

namespace fovea {

RunRecord record_of(const ClozeModel& model, const ClozeText& text, const RecordOptions& options) {
  const NoTape no_tape;
  const EncodedCloze encoded = model.encode(text);
  const std::vector<std::string> document = model.document_words(text.document);
  const ClozeIds ids(encoded);
  Probe probe(options.probe());
  const Tensor pointed = model.point(std::span(&ids, 1), {.probe = &probe}).value();
  const std::vector<RankedWord> words = ranked(pointed.span<float>(), encoded.same);

  RunRecord record{.task = "cloze",
                   .input = text.document + "\t" + text.question,
                   .output = document[static_cast<std::size_t>(words.front().place)],
                   .sequences = {{"document", document},
                                 {"question", model.words.pieces(text.question)},
                                 {"blank", {std::string(cloze_blank)}}},
                   .cut = model.too_long(text.document)};
  std::vector<float> of_word(document.size(), 0), shades;
  for (const RankedWord& word : words) {
    of_word[static_cast<std::size_t>(word.place)] = word.probability;
  }
  for (const std::int32_t first : encoded.same) {
    shades.push_back(of_word[static_cast<std::size_t>(first)]);
  }
  record.documents.push_back({"words by their probability", {{1, document, shades}}});
  for (const AttentionRecord& seen : probe.records()) {
    const bool matching = seen.layer == "matching", on_question = seen.layer == "question";
    record.add(seen, 0, matching ? "question" : "blank", on_question ? "question" : "document");
    if (matching || !record.alignment) record.align(seen.layer, 0);
  }
  return record;
}

}  // namespace fovea
