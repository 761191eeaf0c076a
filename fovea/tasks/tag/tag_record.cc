#include "fovea/tasks/tag/tag_record.h"

#include "fovea/attention/probe.h"

namespace fovea {

std::string tagged_line(const Words& words, const TaggedText& answer) {
  std::string text = answer.intent.empty() ? "" : answer.intent + "\t";
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += concat(i == 0 ? "" : " ", words[i], "/", answer.tags[i]);
  }
  return text;
}

RunRecord record_of(const TaggingModel& model, const std::string& line,
                    const RecordOptions& options) {
  const Words words = words_in(line);
  FOVEA_CHECK(!words.empty(), "look: a line without words");
  const EncodedWords encoded = model.encode(words);
  const WordIds ids = encoded;
  const TagBatch batch = model.batch(std::span(&ids, 1));
  const NoTape no_tape;
  Probe probe(options.probe());
  probe.except({.where = std::string(Tagger::intent_layer)});
  const Tagger::Scores scores = (*model.tagger)(batch, {.probe = &probe});
  const TaggedText answer = model.read_out(scores, batch.words).front();
  const Words read(words.begin(), words.begin() + batch.words.length(0));
  RunRecord record{.task = "tag",
                   .input = line,
                   .output = tagged_line(read, answer),
                   .cut = read.size() < words.size()};

  RunRecord::Sequence tagged{"words", {}};  // what rows are called: pieces, with the tags of words
  const auto mark = [&](std::size_t row) {
    tagged.tokens.push_back(model.words.piece(encoded.pieces[row]));
  };
  std::size_t row = 0;
  for (; row < static_cast<std::size_t>(model.marks_before()); ++row) mark(row);
  for (std::size_t w = 0; w < read.size(); ++w) {
    for (std::int32_t i = 0; i < encoded.piece_counts[w]; ++i, ++row) {
      const bool whole = encoded.piece_counts[w] == 1;
      tagged.tokens.push_back(whole ? read[w] : model.words.piece(encoded.pieces[row]));
      if (i == 0) tagged.tokens.back() += "/" + answer.tags[w];
    }
  }
  for (; row < encoded.pieces.size(); ++row) mark(row);
  record.sequences.push_back(std::move(tagged));
  const std::vector<std::string> looks = model.tagger->encoder().looks();
  for (const AttentionRecord& seen : probe.records()) {
    if (seen.layer != Tagger::intent_layer) record.add(seen, 0, "words", "words");
  }
  if (const AttentionRecord* told = probe.find(Tagger::intent_layer)) {
    const Tensor weights = told->matrix(0, 0);  // (1, words)
    const auto row = weights.span<float>();
    record.documents.push_back(
        {concat("for ", answer.intent), {{1, read, std::vector<float>(row.begin(), row.end())}}});
  } else {
    expect_layers(record, options, looks);
  }
  if (!looks.empty()) record.align(looks.back());
  return record;
}

}  // namespace fovea
