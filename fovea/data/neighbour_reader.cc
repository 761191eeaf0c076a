#include "fovea/data/neighbour_reader.h"

#include <algorithm>

#include "fovea/base/atomic_file.h"
#include "fovea/data/lines.h"

namespace fovea {
namespace {

constexpr const char* kFile = "neighbours.tsv";

/// After the ids of sources and targets: what shares a beginning, what shares an end, what is not
/// shared.
enum Mark : std::int32_t { beginning, end, rest };
constexpr std::array<const char*, 3> kMarks = {"<", ">", "~"};

std::vector<Neighbours::Pair> numbered(const Tokenizer& source, const Tokenizer& target,
                                       const std::vector<NeighbourReader::Line>& lines,
                                       std::size_t longest) {
  std::vector<Neighbours::Pair> pairs;
  for (const auto& [from, to] : lines) {
    Neighbours::Pair pair{source.encode(from), target.encode(to)};
    if (pair.target.empty() || pair.target.size() > longest) continue;
    // As a source is cut that is looked up: otherwise a cut one would find itself.
    if (pair.source.size() > longest) pair.source.resize(longest);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

NeighbourReader::NeighbourReader(Tokenizer source, Tokenizer target, std::vector<Line> lines,
                                 Dim longest)
    : source_(std::move(source)),
      target_(std::move(target)),
      lines_(std::move(lines)),
      neighbours_(numbered(source_, target_, lines_, static_cast<std::size_t>(longest))) {}

NeighbourReader NeighbourReader::load(const std::filesystem::path& folder, Tokenizer source,
                                      Tokenizer target, Dim longest) {
  FOVEA_CHECK(std::filesystem::exists(folder / kFile), (folder / kFile).string(),
              ": is not there, but the model reads it (data.neighbours); take the one that was ",
              "written with this model");
  LineReader reader(folder / kFile);
  std::vector<Line> lines;
  for (std::string line; reader.next(line);) {
    if (line.empty()) continue;
    lines.emplace_back(column_of(line, 1, reader), column_of(line, 2, reader));
  }
  return {std::move(source), std::move(target), std::move(lines), longest};
}

std::string NeighbourReader::save(const std::filesystem::path& folder) const {
  AtomicFile file(folder / kFile);
  for (const auto& [from, to] : lines_) {
    const std::string line = from + "\t" + to + "\n";
    file.write(line.data(), line.size());
  }
  file.commit();
  return kFile;
}

Ids NeighbourReader::read(Ids source, Dim most) const {
  const auto marks = static_cast<std::int32_t>(source_.size() + target_.size());
  const Ids own = source;
  const auto append = [&](const Neighbours::Neighbour& like, Mark mark) {
    const auto& [from, to] = *like.pair;
    const auto size = source.size() + to.size() + from.size() - like.shared + 2;
    if (size > static_cast<std::size_t>(most)) return;
    source.push_back(marks + mark);
    for (const std::int32_t id : to) {
      source.push_back(static_cast<std::int32_t>(source_.size()) + id);
    }
    source.push_back(marks + Mark::rest);
    const auto shared = static_cast<std::ptrdiff_t>(like.shared);
    if (mark == Mark::beginning) {
      source.insert(source.end(), from.begin() + shared, from.end());
    } else {
      source.insert(source.end(), from.begin(), from.end() - shared);
    }
  };
  if (const auto like = neighbours_.by_beginning(own)) append(*like, Mark::beginning);
  if (const auto like = neighbours_.by_end(own)) append(*like, Mark::end);
  return source;
}

Dim NeighbourReader::further_ids(Dim target_vocabulary) {
  return target_vocabulary + std::ssize(kMarks);
}

std::size_t NeighbourReader::own(std::span<const std::int32_t> ids) const {
  const auto other = std::ranges::find_if(
      ids, [&](std::int32_t id) { return id >= source_.size() || id == source_.special().end; });
  return static_cast<std::size_t>(other - ids.begin());
}

std::string NeighbourReader::piece(std::int32_t id) const {
  const auto past = static_cast<std::size_t>(id - source_.size());
  const auto targets = static_cast<std::size_t>(target_.size());
  if (id < source_.size()) return source_.piece(id);
  return past < targets ? target_.piece(static_cast<std::int32_t>(past)) : kMarks[past - targets];
}

}  // namespace fovea
