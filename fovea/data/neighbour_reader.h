/// What a model with data.neighbours reads: a source and, beside it, those pairs that it learned
/// from whose sources share the longest beginning and the longest end with it (data/neighbours.h).
/// Of each, its target, and of its source what is not shared:
///
///   a n t i l o c k  <  AE N T IH L  ~ l e s  >  L AA K  ~
///
/// An encoder reads all of it as one sequence and attends to all of it, so that it can be seen
/// which pair made which part of a translation. Neural fuzzy repair: Bulté and Tezcan 2019, who
/// append the targets of similar sentences.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "fovea/data/neighbours.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

class NeighbourReader {
 public:
  /// A source and its target.
  using Line = std::pair<std::string, std::string>;

  /// Sources are read as far as `longest`; pairs whose target is longer, or empty, are no
  /// neighbours.
  NeighbourReader(Tokenizer source, Tokenizer target, std::vector<Line> lines, Dim longest);

  /// neighbours.tsv: a line each, as text. What is added to it is looked up as well.
  static NeighbourReader load(const std::filesystem::path& folder, Tokenizer source,
                              Tokenizer target, Dim longest);
  /// Returns the name of the file.
  std::string save(const std::filesystem::path& folder) const;

  /// The source and what stands beside it: a neighbour that would make it longer than `most` is
  /// left out. The end is not added.
  Ids read(Ids source, Dim most) const;

  /// How many ids there are beside those of sources: those of targets, and marks.
  static Dim further_ids(Dim target_vocabulary);
  /// Of the ids, how many stand before those of neighbours: the source's own.
  std::size_t own(std::span<const std::int32_t> ids) const;
  /// An id that is not the source's own, as a person should see it.
  std::string piece(std::int32_t id) const;

 private:
  Tokenizer source_, target_;
  std::vector<Line> lines_;
  Neighbours neighbours_;
};

}  // namespace fovea
