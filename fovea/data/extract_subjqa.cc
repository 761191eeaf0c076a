#include "fovea/data/extract_subjqa.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/data/csv.h"
#include "fovea/data/split.h"
#include "fovea/data/tar.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

/// What stands at the end of each review, for those who found no answer in it.
constexpr std::string_view not_found = " ANSWERNOTFOUND";

struct Question {
  std::string question, review;
  std::vector<std::string> answers;  // "12-25"
};

/// White space of other kinds becomes a blank each, so that places stay what they are.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

struct Range {
  std::size_t begin = 0, end = 0;
};

/// "(12, 25)"
Range range_of(std::string_view text, const CsvReader& reader) {
  Range range;
  const char* last = text.data() + text.size();
  auto read = [&](std::string_view before, const char* from, std::size_t& to) {
    const bool begins =
        from + before.size() <= last && std::string_view(from, before.size()) == before;
    const auto [end, error] = std::from_chars(begins ? from + before.size() : last, last, to);
    FOVEA_CHECK(begins && error == std::errc(), ErrorKind::bad_file, reader.where(),
                ": expected a range such as (12, 25), found '", text, "'");
    return end;
  };
  const char* middle = read("(", text.data(), range.begin);
  read(", ", middle, range.end);
  return range;
}

/// Questions of one part in the order in which they stand first.
class Questions {
 public:
  void add(std::string_view table, const std::string& name) {
    CsvReader reader(table, name);
    const std::size_t key = reader.column("q_review_id"), question = reader.column("question"),
                      review = reader.column("review"), range = reader.column("human_ans_indices");
    for (std::vector<std::string> fields; reader.next(fields);) {
      std::string text = one_line(fields[review]);
      FOVEA_CHECK(text.ends_with(not_found), ErrorKind::bad_file, reader.where(),
                  ": expected a review that ends with", not_found);
      text.resize(text.size() - not_found.size());
      const auto [at, fresh] = numbers_.emplace(fields[key], all_.size());
      if (fresh) all_.push_back({one_line(fields[question]), text, {}});
      const Range marked = range_of(fields[range], reader);
      const std::size_t length = code_points(text).size();
      if (marked.begin > length) continue;  // in the mark at the end
      FOVEA_CHECK(marked.begin < marked.end && marked.end <= length + not_found.size(),
                  ErrorKind::bad_file, reader.where(), ": answer ", fields[range],
                  " of a review of ", length, " characters");
      const std::string answer = concat(marked.begin, "-", std::min(marked.end, length));
      auto& answers = all_[at->second].answers;
      if (std::find(answers.begin(), answers.end(), answer) == answers.end()) {
        answers.push_back(answer);
      }
    }
  }

  std::string lines() const {
    std::string text;
    for (const Question& one : all_) {
      std::string answers;
      for (const std::string& answer : one.answers) {
        answers += (answers.empty() ? "" : " ") + answer;
      }
      text +=
          concat(one.question, "\t", one.review, "\t", answers.empty() ? "none" : answers, "\n");
    }
    return text;
  }

 private:
  std::vector<Question> all_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace

void extract_subjqa(const std::filesystem::path& archive, const std::filesystem::path& folder) {
  std::array<Questions, 3> parts;
  constexpr auto names = names_of(Part());
  std::size_t tables = 0;
  read_tar(archive, [&](const std::string& name, std::string&& bytes) {
    for (std::size_t p = 0; p < names.size(); ++p) {
      if (!name.ends_with(concat("/", names[p], ".csv"))) continue;
      parts[p].add(bytes, concat(archive.string(), ": ", name));
      ++tables;
    }
  });
  FOVEA_CHECK(tables > 0, ErrorKind::bad_file, archive.string(),
              ": has no tables such as electronics/train.csv");
  std::filesystem::create_directories(folder);
  for (std::size_t p = 0; p < names.size(); ++p) {
    write_atomically(folder / concat(names[p], ".tsv"), parts[p].lines());
  }
}

}  // namespace fovea
