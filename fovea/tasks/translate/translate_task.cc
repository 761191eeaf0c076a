#include "fovea/data/find_data.h"
#include "fovea/onnx/translator.h"
#include "fovea/tasks/idle_settings.h"
#include "fovea/tasks/task_entry.h"
#include "fovea/tasks/text_evaluation.h"
#include "fovea/tasks/translate/import_marian.h"
#include "fovea/tasks/translate/live_translation.h"
#include "fovea/tasks/translate/translate_alignment.h"
#include "fovea/tasks/translate/translate_record.h"
#include "fovea/tasks/translate/translate_workload.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

/// What is asked of one translation.
struct TranslateRequest {
  std::string head = {};    // of a model with several
  std::string prefix = {};  // what the translation must begin with
  bool align = false;       // also give the source word of each target word

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("head", head);
    visit("prefix", prefix);
    visit("align", align);
  }
};

class TranslateRunner : public Runner {
 public:
  TranslateRunner(const fs::path& folder, const std::vector<std::string>& settings)
      : model_(TranslationModel::load(folder, settings, Use::run)) {}

  Abilities abilities() const override { return {.generates = "target"}; }
  std::vector<std::string> notes(std::span<const std::string> settings) const override;
  std::vector<Answer> run(std::span<const Input> inputs, const RunOptions& options) const override;
  TestResult test(const TestOptions& options) const override;
  std::vector<RunRecord> record(std::span<const Input> inputs, std::span<const std::string> answers,
                                const RecordOptions& options) const override;
  using Runner::record;
  using Runner::run;
  std::unique_ptr<LiveAnswer> live() const override {
    return std::make_unique<LiveTranslation>(model_);
  }
  std::unique_ptr<Session> session() const override { return writer_of(model_); }
  WriteSettings defaults() const override { return {.decode = model_.recipe.decode}; }

 private:
  TranslationModel model_;
};

std::vector<std::string> TranslateRunner::notes(std::span<const std::string> settings) const {
  const TranslateDecode& decode = model_.recipe.decode;
  std::vector<std::string> notes = idle_settings(decode, settings);
  if (is_set(settings, "decode.second") && decode.rerank == 0) {
    notes.emplace_back("decode.second has no effect without --set decode.rerank=0.5");
  }
  if (decode.rerank > 0 && decode.n_best == 1 &&
      (is_set(settings, "decode.rerank") || is_set(settings, "decode.n_best"))) {
    notes.emplace_back("decode.rerank has one answer to rank; add --beam 10 --n-best 10");
  }
  return notes;
}

std::vector<Answer> TranslateRunner::run(std::span<const Input> inputs,
                                         const RunOptions& options) const {
  const auto requests =
      read_each(inputs, [](const Input& input) { return request_of<TranslateRequest>(input); });
  const TranslateRequest request = requests.empty() ? TranslateRequest() : requests.front();
  const std::vector<std::string> lines = texts_of(inputs);
  const auto translations = translate(model_, lines,
                                      {.decode = model_.recipe.decode,
                                       .head = request.head,
                                       .prefix = request.prefix,
                                       .first = options.first,
                                       .progress = options.progress});
  FOVEA_CHECK(!request.align || request.head.empty(), "run: alignments are those of the target ",
              "itself, not of the head '", request.head, "'");
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Answer answer{.text = {},
                  .json = {{"source", lines[i]}, {"answers", Json::array()}},
                  .cut = translations[i].cut};
    if (answer.cut) answer.json["cut"] = true;
    for (const WrittenText& one : translations[i].texts) {
      if (&one != &translations[i].texts.front()) answer.text += "\n";
      answer.text += one.text;
      Json json = {
          {"text", one.text}, {"score", one.score}, {"log_probability", one.log_probability}};
      if (request.align) {
        const std::string links = word_links(model_, {model_.encode_source(lines[i]), one.ids});
        answer.text += "\t" + links;
        json["alignment"] = links;
      }
      answer.json["answers"].push_back(std::move(json));
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::vector<RunRecord> TranslateRunner::record(std::span<const Input> inputs,
                                               std::span<const std::string> answers,
                                               const RecordOptions& options) const {
  expect_answers(inputs.size(), answers);
  const std::vector<std::string> lines = texts_of(inputs);
  std::vector<IdPair> pairs;
  if (answers.empty()) {
    const auto found = translate(model_, lines, {.decode = model_.recipe.decode});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      pairs.push_back({model_.encode_source(lines[i]), found[i].texts.front().ids});
    }
  } else {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      pairs.push_back({model_.encode_source(lines[i]), model_.target.encode(answers[i])});
    }
  }
  std::vector<RunRecord> records = records_of(model_, pairs, options);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    records[i].input = lines[i];
    records[i].cut = model_.too_long(lines[i]);
  }
  return records;
}

TestResult TranslateRunner::test(const TestOptions& options) const {
  TranslateData data = model_.recipe.data;
  read_from(data, options.part, options.files);
  locate(data, options.base);
  const bool join = asks_once(model_.recipe.evaluate) && options.links.empty();
  const TestSet set = read_test_set(data, options.part, join);
  const auto all = static_cast<Dim>(set.sources.size());
  TranslateOptions how{.decode = model_.recipe.decode};
  if (options.progress) how.progress = [&](Dim done) { options.progress(done, all); };
  TestResult result;
  result.sources = set.sources;
  result.answers = best_of(translate(model_, set.sources, how));
  result.reports = evaluate(set.sources, result.answers, set.references, model_.recipe.evaluate);
  if (!options.lengths.empty()) {
    for (Report& report : evaluate_by_length(set.sources, result.answers, set.references,
                                             options.lengths, model_.recipe.evaluate)) {
      result.reports.push_back(std::move(report));
    }
  }
  if (!options.links.empty()) {
    result.reports.push_back(alignment_report(model_, set, resolve(options.links, options.base)));
  }
  return result;
}

std::vector<fs::path> write_translator(const fs::path& from, const fs::path& out) {
  const auto model = TranslationModel::load(from);
  const auto* encoder = dynamic_cast<const TransformerEncoder*>(model.net.encoder.get());
  const auto* decoder = dynamic_cast<const TransformerDecoder*>(model.net.decoder.get());
  FOVEA_CHECK(encoder && decoder,
              "only translators with model.family = \"transformer\" are written as ONNX");
  FOVEA_CHECK(!model.neighbours,
              "a translator with data.neighbours looks pairs up, which ONNX does ",
              "not; train one without to write it");
  onnx::Graph first(*model.params), second(*model.params);
  onnx::add_encoder(first, *encoder);
  onnx::add_decoder(second, *decoder);
  fs::create_directories(out);
  const std::vector<fs::path> files = {out / "encoder_model.onnx", out / "decoder_model.onnx"};
  first.write(files[0]);
  second.write(files[1]);
  return files;
}

}  // namespace

extern constexpr Task translate_task = {
    .name = TranslationModel::name,
    .training = make_training<TranslationModel, TranslateWorkload>,
    .load = load_runner<TranslateRunner>,
    .imports = is_marian,
    .import_hub = import_marian,
    .export_onnx = write_translator};

}  // namespace fovea
