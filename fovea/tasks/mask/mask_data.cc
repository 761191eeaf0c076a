/// What a model that fills in masks learns from: lines of text, contexts cut from them, the words.
#include <algorithm>
#include <optional>

#include "fovea/tasks/mask/mask.h"
#include "fovea/text/sentences.h"

namespace fovea {
namespace {

constexpr std::uint64_t cutting = 0x6d03;  // what draws are for

/// The same data, but this file is all of a part.
MaskData of_one_file(MaskData data, Part part, const std::string& file) {
  const bool shared = &files_of(data, part) == &data.train;
  (shared ? data.train : part == Part::dev ? data.dev : data.test) = {file};
  return data;
}

/// Line by line through the files of a part, one file after the other.
class TextLines {
 public:
  TextLines(const MaskData& data, Part part) : data_(data), part_(part) { expect_part(data, part); }

  bool next(std::string& line) {
    const std::vector<std::string>& files = files_of(data_, part_);
    while (!reader_ || !reader_->next(fields_)) {
      if (file_ == files.size()) return false;
      reader_.emplace(of_one_file(data_, part_, files[file_++]), part_, ".");
    }
    line = data_.tags ? without_tags(fields_[0]) : fields_[0];
    ++number_;
    return true;
  }
  /// Of the line that was read last, counted on from file to file.
  std::int64_t number() const { return number_; }

 private:
  const MaskData& data_;
  Part part_;
  std::size_t file_ = 0;  // the next one
  std::optional<PartReader> reader_;
  std::vector<std::string> fields_;
  std::int64_t number_ = 0;
};

Tokenizer learn_mask_words(const MaskRecipe& recipe) {
  TokenizerConfig config = recipe.words;
  if (std::find(config.controls.begin(), config.controls.end(), mask_name) ==
      config.controls.end()) {
    config.controls.emplace_back(mask_name);
  }
  TextLines lines(recipe.data, Part::train);
  return learn_tokenizer(
      config, [&](std::string& line) { return lines.next(line); }, recipe.data);
}

/// Cuts lines into contexts.
class ContextCutter {
 public:
  ContextCutter(const Mask& task, ExampleSink<MaskQuery>& sink) : task_(task), sink_(sink) {}

  void add(const std::string& text, std::int64_t line) {
    line_ = line;
    if (task_.recipe.model.next_sentence) return add_sentences(text);
    const Ids ids = task_.words.encode(text);
    if (task_.recipe.data.pack) return append(ids);
    add_evenly(ids, room(2));
  }

  /// What waits for more lines.
  void finish() {
    if (!waiting_.empty()) emit(std::move(waiting_), {});
  }

 private:
  std::size_t room(Dim marks) const {
    return static_cast<std::size_t>(task_.recipe.data.longest - marks);
  }

  void emit(Ids first, Ids second) {
    if (!second.empty()) ++pairs_;
    sink_.add(
        {.example = {.tokens = std::move(first), .second = std::move(second), .pairs = pairs_},
         .text = {}},
        line_);
    ++contexts_;
  }

  /// In parts of equal length: none is left with a few tokens.
  void add_evenly(const Ids& ids, std::size_t most) {
    const std::size_t parts = (ids.size() + most - 1) / most;
    for (std::size_t p = 0; p < parts; ++p) {
      const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(p * ids.size() / parts);
      const auto end = ids.begin() + static_cast<std::ptrdiff_t>((p + 1) * ids.size() / parts);
      emit(Ids(begin, end), {});
    }
  }

  /// Liu et al. 2019, 3.2, "full sentences": one line after the other, with a mark between them.
  void append(const Ids& ids) {
    if (!waiting_.empty()) waiting_.push_back(task_.words.special().end);
    waiting_.insert(waiting_.end(), ids.begin(), ids.end());
    const std::size_t most = room(2);
    std::size_t at = 0;
    for (; waiting_.size() - at >= most; at += most) {
      const auto begin = waiting_.begin() + static_cast<std::ptrdiff_t>(at);
      emit(Ids(begin, begin + static_cast<std::ptrdiff_t>(most)), {});
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void add_sentences(const std::string& text) {
    std::vector<Ids> context;
    std::size_t length = 0;
    for (const std::string& sentence : sentences_of(text)) {
      Ids ids = task_.words.encode(sentence);
      ids.resize(std::min(ids.size(), room(3)));
      if (ids.empty()) continue;
      if (length + ids.size() > room(3)) {
        emit_pair(context);
        context.clear();
        length = 0;
      }
      length += ids.size();
      context.push_back(std::move(ids));
    }
    if (!context.empty()) emit_pair(context);
  }

  /// Cut in two between sentences, somewhere.
  void emit_pair(const std::vector<Ids>& sentences) {
    std::size_t cut = 1;
    if (sentences.size() > 2) {
      const Draws draws{task_.recipe.train.seed ^ cutting, contexts_};
      cut += draws.below(0, static_cast<std::uint32_t>(sentences.size() - 1));
    }
    Ids parts[2];
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      Ids& part = parts[i < cut ? 0 : 1];
      part.insert(part.end(), sentences[i].begin(), sentences[i].end());
    }
    emit(std::move(parts[0]), std::move(parts[1]));
  }

  const Mask& task_;
  ExampleSink<MaskQuery>& sink_;
  Ids waiting_;
  std::int64_t line_ = 0;
  std::uint64_t contexts_ = 0;
  std::int32_t pairs_ = 0;
};

}  // namespace

Mask Mask::make(MaskRecipe recipe, const RunPlace& place) {
  auto [words, params] =
      begin_anew(place, recipe.train.seed, [&] { return learn_mask_words(recipe); });
  return {std::move(recipe), {{"words", words}}, std::move(params)};
}

void Mask::read(const MaskData& data, Part part, ExampleSink<Query>& sink) const {
  TextLines lines(data, part);
  ContextCutter cutter(*this, sink);
  for (std::string line; lines.next(line);) cutter.add(line, lines.number());
  cutter.finish();
}

}  // namespace fovea
