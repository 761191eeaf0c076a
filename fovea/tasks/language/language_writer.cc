#include "fovea/tasks/language/generating.h"
#include "fovea/tasks/language/language_stepper.h"
#include "fovea/tasks/text_stream.h"
#include "fovea/tasks/writer.h"

namespace fovea {
namespace {

class LanguageWriter : public Writer {
 public:
  explicit LanguageWriter(const WritingModel& model) : model_(model) {}

  WriteSettings defaults() const override {
    return {.decode = model_.recipe.decode, .stop = model_.recipe.decode.stop};
  }

 protected:
  class Prompt : public Line {
   public:
    Prompt(const WritingModel& model, WriteRequest asked, LanguageDecode decode)
        : request(std::move(asked)),
          generating(model, std::move(decode)),
          asked_for(generating.request(request.line, request.number)),
          model_(model),
          stream_(generating.config().stop, request.on_text) {
      const Dim read = model.context();
      cut_ = read > 0 && std::ssize(asked_for.prefix) - asked_for.control > read;
    }

    /// True if a stop string was written.
    bool grow(const Hypothesis& text) {
      if (request.on_pieces) {
        std::vector<std::string> pieces;
        for (Dim i = std::ssize(asked_for.prefix) - asked_for.control; i < std::ssize(text.ids);
             ++i) {
          pieces.push_back(model_.text.piece(text.ids[static_cast<std::size_t>(i)]));
        }
        request.on_pieces(pieces);
      }
      return watched() && stream_.grow(generating.written(text, asked_for));
    }
    /// Somebody wants to know the text, or whether it has come to its end, while it is written.
    bool watched() const {
      const LanguageDecode& config = generating.config();
      return config.search != Search::beam &&
             ((request.on_text && config.n_best == 1) || !config.stop.empty());
    }

    WrittenLine answer(std::vector<Hypothesis> found) override {
      WrittenLine line{.key = request.key,
                       .read = std::ssize(asked_for.prefix) - asked_for.control,
                       .cut = cut_};
      for (const Hypothesis& one : found) {
        Written text = generating.result(one, asked_for);
        line.texts.push_back(
            {std::move(text.text), one.score, text.log_probability, text.tokens, text.stopped});
      }
      if (request.on_text) stream_.finish(line.texts.at(0).text);
      return line;
    }

    WriteRequest request;
    Generating generating;
    DecodeRequest asked_for;

   private:
    const WritingModel& model_;
    TextStream stream_;
    bool cut_ = false;
  };

  Begun begin(WriteRequest request) const override {
    LanguageDecode decode = model_.recipe.decode;
    static_cast<DecodeConfig&>(decode) = request.settings.decode;
    decode.stop = request.settings.stop;
    FOVEA_CHECK(request.settings.prefix.empty(),
                "prefix: what a language model writes begins with its prompt");
    auto line = std::make_unique<Prompt>(model_, std::move(request), std::move(decode));
    Watch watch;
    if (line->watched() || line->request.on_pieces) {
      watch = [raw = line.get()](Dim, Dim, const Hypothesis& text) { return raw->grow(text); };
    }
    auto searching = Searching::begin(
        {line->request.key, line->asked_for, line->generating.config(), std::move(watch)},
        model_.text.text_end(), model_.text.never_written());
    return {std::move(line), std::move(searching)};
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
