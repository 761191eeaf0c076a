#include <limits>

#include "fovea/tasks/text_stream.h"
#include "fovea/tasks/translate/translate_record.h"
#include "fovea/tasks/translate/translation_search.h"

namespace fovea {
namespace {

class TranslateWriter : public Writer {
 public:
  TranslateWriter(const TranslationModel& model, TranslateDecode decode, std::string head = {})
      : model_(model), decode_(std::move(decode)), head_(std::move(head)) {}

  WriteSettings defaults() const override { return {.decode = decode_}; }

 protected:
  class Source : public Line {
   public:
    Source(const TranslationModel& model, WriteRequest asked, TranslateDecode decode,
           const std::string& head)
        : request(std::move(asked)),
          search(model, std::move(decode), head, request.settings.prefix),
          model_(model),
          stream_({}, request.on_text),
          cut_(model.too_long(request.line)) {
      source = model.encode_source(request.line);
    }

    /// Whether attention is captured while the line is written.
    bool captures() const {
      return request.look && request.settings.prefix.empty() &&
             captured_while_written(model_, *request.look);
    }

    /// Tells of the target so far. Its last word may still change: words are put together again.
    void grow(const Hypothesis& text) {
      if (request.on_pieces) request.on_pieces(search.pieces(text));
      if (!request.on_text || !grows_at_its_end()) return;
      const std::string whole = search.text_of(text);
      const std::size_t blank = whole.rfind(' ');
      if (blank != std::string::npos) stream_.grow(std::string_view(whole).substr(0, blank));
    }

    WrittenLine answer(std::vector<Hypothesis> found) override {
      WrittenLine line{.key = request.key, .read = std::ssize(model_.own(source)) + 1, .cut = cut_};
      const bool captured = captures() && !found.empty() && search.decode().rerank == 0;
      if (captured) line.record = record_of(model_, source, found.front(), *request.look);
      line.texts = search.texts(request.line, source, std::move(found));
      if (line.texts.empty()) line.texts.push_back({.finished = true});
      stream_.finish(line.texts[0].text);
      return line;
    }

    WriteRequest request;
    TranslationSearch search;

   private:
    /// The only text, written from left to right: what was told of it stays.
    bool grows_at_its_end() const {
      const DecodeConfig& decode = request.settings.decode;
      return decode.search != Search::beam && decode.n_best == 1 &&
             model_.recipe.objective.direction != TargetDirection::reverse;
    }

    const TranslationModel& model_;
    TextStream stream_;
    bool cut_;
  };

  Begun begin(WriteRequest request) const override {
    TranslateDecode decode = decode_;
    static_cast<DecodeConfig&>(decode) = request.settings.decode;
    FOVEA_CHECK(request.settings.stop.empty(),
                "stop: a model that translates ends its texts itself");
    auto line = std::make_unique<Source>(model_, std::move(request), std::move(decode), head_);
    if (line->source.size() == 1) return {std::move(line), nullptr};  // only the end
    Watch watch;
    if (line->request.on_text || line->request.on_pieces) {
      watch = [raw = line.get()](Dim, Dim, const Hypothesis& text) {
        raw->grow(text);
        return false;
      };
    }
    const TranslationSearch& search = line->search;
    auto searching =
        Searching::begin({line->request.key, search.request(line->source, line->request.number),
                          search.decode(), std::move(watch), line->captures()},
                         search.end(), search.suppressed());
    return {std::move(line), std::move(searching)};
  }

  std::shared_ptr<Stepper> stepper(const std::vector<Line*>& lines) const override {
    std::vector<Ids> sources;
    const Source* captures = nullptr;  // one of those that capture; others may want the same
    for (const Line* line : lines) {
      sources.push_back(line->source);
      const auto& one = static_cast<const Source&>(*line);
      if (!captures && one.captures()) captures = &one;
    }
    auto made = TranslationSearch(model_, decode_, head_).stepper(sources);
    if (captures) {
      ProbeConfig probe = captures->request.look->probe();
      // A step is of all who ask, not of one text; and of each row only a few weights are kept.
      probe.limit = std::numeric_limits<std::size_t>::max();
      made->capture_layers(std::move(probe));
    }
    return made;
  }

 private:
  const TranslationModel& model_;
  TranslateDecode decode_;
  std::string head_;
};

}  // namespace

std::unique_ptr<Writer> writer_of(const TranslationModel& model) {
  return std::make_unique<TranslateWriter>(model, model.recipe.decode);
}

TranslateOptions greedy_options(const TranslationModel& model) {
  TranslateOptions options{.decode = model.recipe.decode};
  options.decode.search = Search::greedy;
  options.decode.rerank = 0;
  return options;
}

std::vector<WrittenLine> translate(const TranslationModel& model,
                                   std::span<const std::string> lines,
                                   const TranslateOptions& options) {
  std::vector<WriteRequest> requests;
  for (const std::string& line : lines) {
    const Dim number = std::ssize(requests);
    requests.push_back({.key = number,
                        .line = line,
                        .settings = {.decode = options.decode, .prefix = options.prefix},
                        .number = options.first + number});
  }
  return TranslateWriter(model, options.decode, options.head)
      .write(std::move(requests), options.rows, options.progress);
}

std::vector<std::string> best_of(std::span<const WrittenLine> lines) {
  std::vector<std::string> best;
  for (const WrittenLine& line : lines) best.push_back(line.texts.front().text);
  return best;
}

}  // namespace fovea
