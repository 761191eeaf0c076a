#include <limits>

#include "fovea/tasks/language/language.h"
#include "fovea/tasks/language/language_stepper.h"
#include "fovea/tasks/text_stream.h"
#include "fovea/tasks/writer.h"

namespace fovea {
namespace {

/// What follows prompts. A prompt begins a line. What is sampled depends on the seed and on the
/// prompt's number, not on the others.
class LanguageWriter : public Writer {
 public:
  explicit LanguageWriter(const WritingModel& model) : model_(model) {}

  WriteSettings defaults() const override {
    return {.decode = model_.recipe.decode, .stop = model_.recipe.decode.stop};
  }

 protected:
  class Prompt : public Line {
   public:
    Prompt(const WritingModel& model, WriteRequest request)
        : model_(model),
          request_(std::move(request)),
          ids_(model.text.encode(request_.line)),
          stream_(request_.settings.stop, request_.on_text) {}

    /// Lengths are those of what is written: each prompt has limits of its own.
    std::unique_ptr<Searching> search() {
      DecodeConfig config = request_.settings.decode;
      DecodeRequest asked{.prefix = model_.text.beginning(),
                          .max_length = std::ssize(ids_) + config.max_length,
                          .number = request_.number};
      if (asked.prefix.empty() && ids_.empty()) asked.prefix = {model_.text.line_end()};
      asked.control = std::ssize(asked.prefix);
      asked.prefix.insert(asked.prefix.end(), ids_.begin(), ids_.end());
      if (config.min_length > 0) asked.min_length = std::ssize(ids_) + config.min_length;
      config.max_length = std::numeric_limits<Dim>::max();
      Watch watch;
      if (watched() || request_.on_pieces) {
        watch = [this](Dim, Dim, const Hypothesis& text) { return grow(text); };
      }
      return Searching::begin({request_.key, std::move(asked), config, std::move(watch)},
                              model_.text.text_end(), model_.text.never_written());
    }

    WrittenLine answer(std::vector<Hypothesis> found) override {
      const Dim read = std::ssize(ids_), context = model_.context();
      WrittenLine line{.key = request_.key, .read = read, .cut = context > 0 && read > context};
      for (const Hypothesis& one : found) {
        const std::string whole = written(one);
        const std::string_view kept = before_stop(whole, request_.settings.stop);
        line.texts.push_back({.text = std::string(kept),
                              .score = one.score,
                              .log_probability = one.log_probability,
                              .tokens = std::ssize(one.ids) - read,
                              .finished = kept.size() < whole.size() || one.finished});
      }
      if (request_.on_text) stream_.finish(line.texts.at(0).text);
      return line;
    }

   private:
    /// Whether the text, or its end, must be known while it is written.
    bool watched() const {
      const DecodeConfig& config = request_.settings.decode;
      return config.search != Search::beam &&
             ((request_.on_text && config.n_best == 1) || !request_.settings.stop.empty());
    }

    /// Returns true if a stop string was written.
    bool grow(const Hypothesis& text) {
      if (request_.on_pieces) {
        std::vector<std::string> pieces;
        for (std::size_t i = ids_.size(); i < text.ids.size(); ++i) {
          pieces.push_back(model_.text.piece(text.ids[i]));
        }
        request_.on_pieces(pieces);
      }
      return watched() && stream_.grow(written(text));
    }

    /// What follows the prompt, perhaps beyond a stop string.
    std::string written(const Hypothesis& text) const {
      return model_.text.continuation(text.ids, ids_.size());
    }

    const WritingModel& model_;
    WriteRequest request_;
    Ids ids_;  // of the prompt
    TextStream stream_;
  };

  Begun begin(WriteRequest request) const override {
    LanguageDecode decode;
    static_cast<DecodeConfig&>(decode) = request.settings.decode;
    decode.stop = request.settings.stop;
    check(decode);
    FOVEA_CHECK(request.settings.prefix.empty(),
                "prefix: what a language model writes begins with its prompt");
    auto prompt = std::make_unique<Prompt>(model_, std::move(request));
    auto searching = prompt->search();
    return {std::move(prompt), std::move(searching)};
  }

  std::shared_ptr<Stepper> stepper(const std::vector<Line*>& lines) const override {
    return std::make_shared<LanguageStepper>(model_.net, std::ssize(lines), model_.context());
  }

 private:
  const WritingModel& model_;
};

}  // namespace

std::unique_ptr<Writer> writer_of(const WritingModel& model) {
  return std::make_unique<LanguageWriter>(model);
}

}  // namespace fovea
