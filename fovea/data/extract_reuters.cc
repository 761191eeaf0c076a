#include "fovea/data/extract_reuters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/data/reuters.h"

namespace fovea {
namespace {

using Words = std::vector<std::string>;
using WordSet = std::unordered_set<std::string>;
constexpr std::size_t frequent_words = 100;

bool has_letter(const std::string& word) {
  return word.size() > 1 && word[0] != '\'' &&
         std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

WordSet most_frequent(const std::vector<ReutersStory>& stories) {
  std::unordered_map<std::string, std::int64_t> counts;
  for (const ReutersStory& story : stories) {
    if (story.part != Part::train) continue;
    for (std::string& word : news_words(story.body)) ++counts[std::move(word)];
  }
  std::vector<std::pair<std::int64_t, std::string>> order;  // of equal counts the alphabet's
  for (const auto& [word, count] : counts) {
    if (has_letter(word)) order.emplace_back(-count, word);
  }
  std::sort(order.begin(), order.end());
  WordSet frequent;
  for (std::size_t i = 0; i < std::min(order.size(), frequent_words); ++i) {
    frequent.insert(order[i].second);
  }
  return frequent;
}

/// Words of the title that stand in the body and say something, each once.
Words shared_words(const Words& title, const Words& body, const WordSet& frequent) {
  const WordSet in_body(body.begin(), body.end());
  Words shared;
  for (const std::string& word : title) {
    const bool taken = std::find(shared.begin(), shared.end(), word) != shared.end();
    if (!taken && has_letter(word) && !frequent.contains(word) && in_body.contains(word)) {
      shared.push_back(word);
    }
  }
  return shared;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += concat(text.empty() ? "" : " ", word);
  return text;
}

std::string blanked(Words title, const std::string& word) {
  std::replace(title.begin(), title.end(), word, std::string("@placeholder"));
  return joined(title);
}

/// `lines_of` gives the lines of a story, from it and the words that its sides share.
template <class LinesOf>
void write_parts(const std::filesystem::path& archive, const std::filesystem::path& folder,
                 const LinesOf& lines_of) {
  const std::vector<ReutersStory> stories = read_reuters(archive);
  const WordSet frequent = most_frequent(stories);
  std::array<std::string, 3> parts;
  for (const ReutersStory& story : stories) {
    const Words title = news_words(story.title), body = news_words(story.body);
    const Words shared = shared_words(title, body, frequent);
    if (shared.empty()) continue;
    parts[static_cast<std::size_t>(story.part)] += lines_of(story, title, body, shared);
  }
  std::filesystem::create_directories(folder);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    write_atomically(folder / concat(names_of(Part())[p], ".tsv"), parts[p]);
  }
}

}  // namespace

void extract_reuters_headlines(const std::filesystem::path& archive,
                               const std::filesystem::path& folder) {
  write_parts(archive, folder,
              [](const ReutersStory& story, const Words&, const Words&, const Words&) {
                return concat(story.body, "\t", story.title, "\n");
              });
}

void extract_reuters_cloze(const std::filesystem::path& archive,
                           const std::filesystem::path& folder) {
  write_parts(archive, folder,
              [](const ReutersStory& story, const Words& title, const Words& body, Words shared) {
                if (story.part != Part::train) {
                  const double place = hash_place(concat("question of ", story.body));
                  const auto chosen =
                      static_cast<std::size_t>(place * static_cast<double>(shared.size()));
                  shared = {shared[chosen]};
                }
                std::string lines;
                for (const std::string& answer : shared) {
                  lines += concat(joined(body), "\t", blanked(title, answer), "\t", answer, "\n");
                }
                return lines;
              });
}

}  // namespace fovea
