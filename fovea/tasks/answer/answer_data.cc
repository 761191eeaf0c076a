#include "fovea/tasks/answer/answer_data.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

/// Lines of three files.
class AnswerLines {
 public:
  AnswerLines(const AnswerRecipe& recipe, Part part, const std::filesystem::path& base,
              std::string_view files)
      : reader_(recipe.data, part, base), file_(files_of(recipe.data, part).back()) {
    FOVEA_CHECK(files_of(recipe.data, part).size() == 3, "data.", name_of(part),
                ": expected three files (", files, "), found ", files_of(recipe.data, part).size());
  }

  bool next() { return reader_.next(fields_); }
  const std::string& operator[](std::size_t field) const { return fields_[field]; }
  std::int64_t number() const { return reader_.number(); }
  std::string place() const { return concat(file_, ":", reader_.number()); }

 private:
  PartReader reader_;
  std::string file_;  // of the labels or answers, which is where mistakes are
  std::vector<std::string> fields_;
};

/// "12-25", within so many characters.
SpanExample::Range range_of(const std::string& text, Dim characters, const AnswerLines& lines) {
  SpanExample::Range range;
  const char* last = text.data() + text.size();
  const auto begin = std::from_chars(text.data(), last, range.begin);
  const bool dash = begin.ec == std::errc() && begin.ptr < last && *begin.ptr == '-';
  const auto end = std::from_chars(dash ? begin.ptr + 1 : last, last, range.end);
  FOVEA_CHECK(dash && end.ec == std::errc() && end.ptr == last, lines.place(),
              ": expected answers such as 12-25, or none, found '", text, "'");
  FOVEA_CHECK(range.begin < range.end && range.end <= characters, lines.place(), ": answer ", text,
              " in a passage of ", characters, " characters");
  return range;
}

}  // namespace

bool ChoiceExample::answered() const {
  return std::find(right.begin(), right.end(), true) != right.end();
}

std::string cut_out(std::string_view text, Dim begin, Dim end) {
  return utf8_of(code_points(text).substr(static_cast<std::size_t>(begin),
                                          static_cast<std::size_t>(end - begin)));
}

std::vector<std::string> SpanExample::texts() const {
  std::vector<std::string> texts;
  for (const Range& range : answers) texts.push_back(cut_out(passage, range.begin, range.end));
  return texts;
}

std::vector<ChoiceExample> read_choices(const AnswerRecipe& recipe, Part part,
                                        const std::filesystem::path& base) {
  AnswerLines lines(recipe, part, base, "questions, sentences, labels");
  std::vector<ChoiceExample> all;
  while (lines.next()) {
    if (all.empty() || all.back().question != lines[0]) {
      all.push_back({.question = lines[0], .sentences = {}, .line = lines.number()});
    }
    FOVEA_CHECK(lines[2] == "0" || lines[2] == "1", lines.place(),
                ": expected 1 (the sentence answers) or 0, found '", lines[2], "'");
    all.back().sentences.push_back(lines[1]);
    all.back().right.push_back(lines[2] == "1");
  }
  FOVEA_CHECK(!all.empty(), "data: the ", name_of(part), " set has no examples");
  return all;
}

std::vector<SpanExample> read_spans(const AnswerRecipe& recipe, Part part,
                                    const std::filesystem::path& base) {
  AnswerLines lines(recipe, part, base, "questions, passages, answers");
  std::vector<SpanExample> all;
  while (lines.next()) {
    SpanExample& one = all.emplace_back(
        SpanExample{.question = lines[0], .passage = lines[1], .line = lines.number()});
    if (lines[2] == "none") continue;
    const auto characters = static_cast<Dim>(code_points(lines[1]).size());
    std::istringstream answers(lines[2]);
    for (std::string answer; answers >> answer;) {
      one.answers.push_back(range_of(answer, characters, lines));
    }
    FOVEA_CHECK(!one.answers.empty(), lines.place(),
                ": expected answers such as 12-25, or none, found nothing");
  }
  FOVEA_CHECK(!all.empty(), "data: the ", name_of(part), " set has no examples");
  return all;
}

}  // namespace fovea
