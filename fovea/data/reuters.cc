#include "fovea/data/reuters.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "fovea/base/check.h"
#include "fovea/data/tar.h"

namespace fovea {
namespace {

constexpr double dev_share = 0.08;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

std::string small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// What stands between two marks. None if one of them is missing.
std::optional<std::string_view> between(std::string_view text, std::string_view open,
                                        std::string_view close) {
  const std::size_t from = text.find(open);
  if (from == std::string_view::npos) return {};
  text.remove_prefix(from + open.size());
  const std::size_t to = text.find(close);
  if (to == std::string_view::npos) return {};
  return text.substr(0, to);
}

/// Entities resolved, one blank for all that is no printable ASCII, none at the ends.
std::string plain(std::string_view text) {
  std::string out;
  const auto add = [&](char c) {
    if (c <= ' ' || c > '~') c = ' ';  // also what is above ASCII, where char is signed or not
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '&' ? text.find(';', i) : std::string_view::npos;
    if (end == std::string_view::npos || end - i > 6) {
      add(text[i]);
      continue;
    }
    const std::string_view entity = text.substr(i + 1, end - i - 1);
    add(entity == "lt" ? '<' : entity == "gt" ? '>' : entity == "amp" ? '&' : ' ');
    i = end;
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// Stories end with the agency's name, or with "MORE" if another takes them up; some with the dots
/// or the "^M" of a bad line.
bool is_tail(std::string_view word) {
  std::string bare = small_letters(word);
  for (const std::string_view suffix : {"^m", "..."}) {
    if (bare.ends_with(suffix)) bare.resize(bare.size() - suffix.size());
  }
  return bare == "reuter" || bare == "reuters" || bare == "more";
}

std::string without_tail(std::string body) {
  for (;;) {
    const std::size_t blank = body.rfind(' ');
    const std::size_t begin = blank == std::string::npos ? 0 : blank + 1;
    if (body.empty() || !is_tail(std::string_view(body).substr(begin))) return body;
    body.resize(begin == 0 ? 0 : blank);
  }
}

/// "u.s", "e.e.c": single letters with points between them.
bool is_abbreviation(std::string_view word) {
  if (word.size() < 3 || word.size() % 2 == 0) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i % 2 == 1 ? word[i] != '.' : !is_letter(word[i])) return false;
  }
  return true;
}

/// Where the word ends that begins at `begin`: letters and digits, and marks between two of them.
std::size_t end_of_word(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    const bool joins = std::string_view(".,/&-").find(text[end]) != std::string_view::npos &&
                       end + 1 < text.size() && is_word(text[end + 1]);
    if (!is_word(text[end]) && !(end > begin && joins)) break;
    ++end;
  }
  const bool point = end < text.size() && text[end] == '.';
  return point && is_abbreviation(text.substr(begin, end - begin)) ? end + 1 : end;
}

}  // namespace

std::vector<std::string> news_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    // The "'s" of "bank's" is a word, so that "bank" is one.
    const bool clitic = text[i] == '\'' && i > 0 && is_word(text[i - 1]) && i + 1 < text.size() &&
                        is_word(text[i + 1]);
    const std::size_t end = std::max(end_of_word(text, clitic ? i + 1 : i), i + 1);
    words.push_back(small_letters(text.substr(i, end - i)));
    i = end;
  }
  return words;
}

std::vector<ReutersStory> reuters_stories(std::string_view sgml) {
  std::vector<ReutersStory> stories;
  constexpr std::string_view open = "<REUTERS ", close = "</REUTERS>";
  for (std::size_t at = sgml.find(open); at != std::string_view::npos; at = sgml.find(open, at)) {
    const std::size_t end = sgml.find(close, at);
    FOVEA_CHECK(end != std::string_view::npos, ErrorKind::bad_file, "story ", stories.size() + 1,
                " has no end: expected ", close);
    const std::string_view story = sgml.substr(at, end - at);
    at = end + close.size();
    const auto split = between(story, "LEWISSPLIT=\"", "\"");
    const auto title = between(story, "<TITLE>", "</TITLE>");
    const auto body = between(story, "<BODY>", "</BODY>");
    if (!split || !title || !body || (*split != "TRAIN" && *split != "TEST")) continue;
    ReutersStory found{*split == "TEST" ? Part::test : Part::train, small_letters(plain(*title)),
                       without_tail(plain(*body))};
    if (!found.title.empty() && !found.body.empty()) stories.push_back(std::move(found));
  }
  return stories;
}

std::vector<ReutersStory> read_reuters(const std::filesystem::path& archive) {
  std::map<std::string, std::vector<ReutersStory>> files;  // by name: archives have no order
  read_tar(archive, [&](const std::string& name, std::string&& bytes) {
    if (name.ends_with(".sgm")) files[name] = reuters_stories(bytes);
  });
  std::vector<ReutersStory> all;
  std::unordered_set<std::string> seen;
  for (auto& [name, stories] : files) {
    for (ReutersStory& story : stories) {
      if (!seen.insert(story.body).second) continue;
      if (story.part == Part::train) story.part = part_of(story.title, {.dev = dev_share});
      all.push_back(std::move(story));
    }
  }
  FOVEA_CHECK(!all.empty(), ErrorKind::bad_file, archive.string(),
              ": holds no stories; expected files *.sgm");
  return all;
}

}  // namespace fovea
