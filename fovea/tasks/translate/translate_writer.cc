#include <limits>

#include "fovea/tasks/translate/translate_record.h"
#include "fovea/tasks/translate/translating.h"
#include "fovea/tasks/writer.h"

namespace fovea {
namespace {

class TranslateWriter : public Writer {
 public:
  explicit TranslateWriter(const TranslationModel& model) : model_(model) {}

  WriteSettings defaults() const override { return {.decode = model_.recipe.decode}; }

 protected:
  class Source : public Line {
   public:
    Source(const TranslationModel& model, WriteRequest asked, TranslateOptions options)
        : request(std::move(asked)),
          translating(model, std::move(options)),
          model_(model),
          cut_(model.too_long(request.line)) {
      source = model.encode_source(request.line);
    }

    /// Where the model looks is seen while it writes.
    bool looks() const {
      return request.look && request.settings.prefix.empty() &&
             seen_while_written(model_, *request.look);
    }

    /// Tells of the target so far. Its last word may still change: words are put together again.
    void grow(const Hypothesis& text) {
      if (request.on_pieces) request.on_pieces(translating.pieces(text));
      if (!request.on_text || !grows_at_its_end()) return;
      const std::string whole = translating.text_of(text);
      const std::size_t blank = whole.rfind(' ');
      if (blank != std::string::npos) give(std::string_view(whole).substr(0, blank));
    }

    WrittenLine answer(std::vector<Hypothesis> found) override {
      WrittenLine line{.key = request.key, .read = std::ssize(model_.own(source)) + 1, .cut = cut_};
      const bool looked = looks() && !found.empty() && translating.options().decode.rerank == 0;
      if (looked) line.record = record_of(model_, source, found.front(), *request.look);
      for (Translation& one : translating.translations(request.line, source, std::move(found))) {
        line.texts.push_back({std::move(one.text), one.score, one.log_probability,
                              std::ssize(one.ids), one.finished});
      }
      if (line.texts.empty()) line.texts.push_back({.finished = true});
      if (request.on_text) give(line.texts[0].text);
      return line;
    }

    WriteRequest request;
    Translating translating;

   private:
    /// The only text, written from left to right: what was told of it stays.
    bool grows_at_its_end() const {
      const DecodeConfig& decode = request.settings.decode;
      return decode.search != Search::beam && decode.n_best == 1 &&
             model_.recipe.objective.direction != TargetDirection::reverse;
    }
    void give(std::string_view text) {
      if (text.size() <= given_.size() || !text.starts_with(given_)) return;
      request.on_text(text.substr(given_.size()));
      given_ = text;
    }

    const TranslationModel& model_;
    bool cut_;
    std::string given_;
  };

  Begun begin(WriteRequest request) const override {
    TranslateOptions options{.decode = model_.recipe.decode, .prefix = request.settings.prefix};
    static_cast<DecodeConfig&>(options.decode) = request.settings.decode;
    FOVEA_CHECK(request.settings.stop.empty(),
                "stop: a model that translates ends its texts itself");
    auto line = std::make_unique<Source>(model_, std::move(request), std::move(options));
    if (line->source.size() == 1) return {std::move(line), nullptr};  // only the end
    Watch watch;
    if (line->request.on_text || line->request.on_pieces) {
      watch = [raw = line.get()](Dim, Dim, const Hypothesis& text) {
        raw->grow(text);
        return false;
      };
    }
    const Translating& how = line->translating;
    auto searching =
        Searching::begin({line->request.key, how.request(line->source, line->request.number),
                          how.options().decode, std::move(watch), line->looks()},
                         how.end(), how.suppressed());
    return {std::move(line), std::move(searching)};
  }

  std::shared_ptr<Stepper> stepper(const std::vector<Line*>& lines) const override {
    std::vector<Ids> sources;
    const Source* looks = nullptr;  // one of those that want to see; others may want the same
    for (const Line* line : lines) {
      sources.push_back(line->source);
      const auto& one = static_cast<const Source&>(*line);
      if (!looks && one.looks()) looks = &one;
    }
    auto made = Translating(model_, {.decode = model_.recipe.decode}).stepper(sources);
    if (looks) {
      ProbeConfig probe = looks->request.look->probe();
      // A step is of all who ask, not of one text; and of each row only a few weights are kept.
      probe.limit = std::numeric_limits<std::size_t>::max();
      made->capture_layers(std::move(probe));
    }
    return made;
  }

 private:
  const TranslationModel& model_;
};

}  // namespace

std::unique_ptr<Writer> writer_of(const TranslationModel& model) {
  return std::make_unique<TranslateWriter>(model);
}

}  // namespace fovea
