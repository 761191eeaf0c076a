/// The files of a recipe: what is trained on, chosen by and tested on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fovea/data/parallel.h"
#include "fovea/data/split.h"
#include "fovea/text/tokenizer.h"

namespace fovea {

/// Files that belong together line by line, as data/find_data.h names them: "set:file#column".
struct DataParts {
  std::vector<std::string> train, dev, test;
  SplitConfig split = {};  // what of `train` is held out if there is no dev or no test

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("train", train);
    visit("dev", dev);
    visit("test", test);
    visit("split", split);
  }
};

/// "test" has files of its own, or is a share of "train".
bool has_part(const DataParts& data, Part part);
/// Throws if the recipe has no such part.
void expect_part(const DataParts& data, Part part);
/// The files that a part is read from.
const std::vector<std::string>& files_of(const DataParts& data, Part part);

/// Reads a part from these files, if there are any, instead of those of the recipe. A model that
/// came from elsewhere has no recipe: they are all it has.
void read_from(DataParts& data, Part part, const std::vector<std::string>& files);

/// Why a part may have nothing in it, as the end of an error: "; is dev.en empty?", or that it is a
/// share of `train`.
std::string why_empty(const DataParts& data, Part part);

/// Learned from lines of the training part. An Error names its files if there is no text in them.
Tokenizer learn_tokenizer(const TokenizerConfig& config, const Tokenizer::Lines& lines,
                          const DataParts& data);

/// All names made such that they are understood from everywhere. `base`: the recipe's folder.
void locate(DataParts& data, const std::filesystem::path& base);

/// Which keys of a part's files are of this part: all, unless it is a share of `train`.
class PartSelector {
 public:
  /// An Error if the recipe has no such part.
  PartSelector(const DataParts& data, Part part);
  bool operator()(std::string_view key) const;

 private:
  SplitConfig split_;
  Part part_;
  bool of_train_;
};

struct PartOptions {
  std::vector<std::string> extra = {};  // files beside those of the part
  std::size_t key = 0;                  // the field that tells which part a line of `train` is of
  Dim join = 1;                         // so many lines of the part become one
};

/// Line by line through one part of the data: a field for each file.
class PartReader {
 public:
  /// `base`: the recipe's folder, from which its paths are seen.
  PartReader(const DataParts& data, Part part, const std::filesystem::path& base,
             const PartOptions& options = {});
  bool next(std::vector<std::string>& fields);
  /// Of the line that was read last, in its file.
  std::int64_t number() const { return lines_.number(); }

 private:
  bool next_line(std::vector<std::string>& fields);

  PartSelector selector_;
  ParallelReader lines_;
  std::size_t key_;
  Dim join_;
};

/// The lines of some fields of what a reader reads, to learn a tokenizer from: of each line of the
/// files these fields, in this order. The reader must live longer.
Tokenizer::Lines field_lines(PartReader& reader, std::vector<std::size_t> fields);

}  // namespace fovea
