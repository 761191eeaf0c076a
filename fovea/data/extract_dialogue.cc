#include "fovea/data/extract_dialogue.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_set>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/data/split.h"
#include "fovea/data/zip.h"

namespace fovea {
namespace {

constexpr std::string_view end_of_turn = "__eou__";
constexpr std::size_t context_turns = 3;

using Dialogue = std::vector<std::string>;

std::string one_blank(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::string out;
  for (std::string word; in >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string joined(const Dialogue& turns, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t t = begin; t < end; ++t) text += (t == begin ? "" : " <turn> ") + turns[t];
  return text;
}

std::vector<Dialogue> read_dialogues(const std::filesystem::path& archive,
                                     const std::string& part) {
  std::istringstream lines(read_zip(archive, concat(part, "/dialogues_", part, ".txt")));
  std::vector<Dialogue> all;
  for (std::string line; std::getline(lines, line);) {
    Dialogue turns = turns_of(line);
    if (turns.size() > 1) all.push_back(std::move(turns));
  }
  return all;
}

std::string pairs_of(const std::vector<Dialogue>& dialogues) {
  std::string text;
  for (const Dialogue& turns : dialogues) {
    for (std::size_t t = 1; t < turns.size(); ++t) {
      const std::size_t first = t - std::min(t, context_turns);
      text += concat(joined(turns, first, t), "\t", turns[t], "\n");
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> turns_of(std::string_view dialogue) {
  std::vector<std::string> turns;
  while (!dialogue.empty()) {
    const std::size_t end = dialogue.find(end_of_turn);
    std::string turn = one_blank(dialogue.substr(0, end));
    if (!turn.empty()) turns.push_back(std::move(turn));
    if (end == std::string_view::npos) break;
    dialogue.remove_prefix(end + end_of_turn.size());
  }
  return turns;
}

void extract_dialogue(const std::filesystem::path& train, const std::filesystem::path& folder) {
  const auto neighbour = [&](const std::string& part) {
    return read_dialogues(train.parent_path() / (part + ".zip"), part);
  };
  std::array<std::vector<Dialogue>, 3> parts = {read_dialogues(train, "train"),
                                                neighbour("validation"), neighbour("test")};
  std::unordered_set<std::string> held_out;
  for (const Part part : {Part::dev, Part::test}) {
    for (const Dialogue& turns : parts[static_cast<std::size_t>(part)]) {
      held_out.insert(joined(turns, 0, turns.size()));
    }
  }
  std::erase_if(parts[0], [&](const Dialogue& turns) {
    return held_out.contains(joined(turns, 0, turns.size()));
  });
  std::filesystem::create_directories(folder);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    write_atomically(folder / concat(names_of(Part())[p], ".tsv"), pairs_of(parts[p]));
  }
}

}  // namespace fovea
