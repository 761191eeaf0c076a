#include "fovea/tasks/data_parts.h"

#include "fovea/base/check.h"
#include "fovea/config/config.h"
#include "fovea/data/find_data.h"

namespace fovea {
namespace {

double share_of(const SplitConfig& split, Part part) {
  return part == Part::dev ? split.dev : part == Part::test ? split.test : 1;
}

std::vector<TextFile> resolved(const DataParts& data, Part part, const std::filesystem::path& base,
                               const std::vector<std::string>& extra) {
  expect_part(data, part);
  std::vector<TextFile> files;
  for (const std::string& name : files_of(data, part)) files.push_back(resolve(name, base));
  for (const std::string& name : extra) files.push_back(resolve(name, base));
  return files;
}

}  // namespace

const std::vector<std::string>& files_of(const DataParts& data, Part part) {
  if (part == Part::dev && !data.dev.empty()) return data.dev;
  if (part == Part::test && !data.test.empty()) return data.test;
  return data.train;
}

bool has_part(const DataParts& data, Part part) {
  return !data.train.empty() &&
         (&files_of(data, part) != &data.train || share_of(data.split, part) > 0);
}

void expect_part(const DataParts& data, Part part) {
  FOVEA_CHECK(has_part(data, part), "data: the recipe has no ", name_of(part),
              " set: name its files, or give data.split a share");
}

void read_from(DataParts& data, Part part, const std::vector<std::string>& files) {
  if (files.empty()) return;
  (part == Part::dev ? data.dev : data.test) = files;
  if (data.train.empty()) data.train = files;
}

std::string why_empty(const DataParts& data, Part part) {
  const std::vector<std::string>& files = files_of(data, part);
  if (part == Part::train || &files != &data.train)
    return concat("; is ", files.front(), " empty?");
  return concat(
      ": data.split.", name_of(part), " = ", share_of(data.split, part), " of ", data.train.front(),
      " left it none, as equal texts stay together and each falls to ",
      "a part by chance; give a larger share, more texts, or files as data.", name_of(part));
}

Tokenizer learn_tokenizer(const TokenizerConfig& config, const Tokenizer::Lines& lines,
                          const DataParts& data) {
  bool any = false, ended = false;
  const Tokenizer::Lines watched = [&](std::string& line) {
    ended = !lines(line);
    any = any || (!ended && line.find_first_not_of(" \t\r\n") != std::string::npos);
    return !ended;
  };
  try {
    return Tokenizer::train(config, watched);
  } catch (const Error&) {
    if (any || !ended) throw;
  }
  std::string files;
  for (const std::string& file : data.train) files += (files.empty() ? "" : ", ") + file;
  const bool split = data.split.dev > 0 || data.split.test > 0;
  fail("data.train: no text to learn a tokenizer from in ", files,
       split ? ", or data.split leaves none to train on" : "");
}

void locate(DataParts& data, const std::filesystem::path& base) {
  for (auto* names : {&data.train, &data.dev, &data.test}) {
    for (std::string& name : *names) name = located(name, base);
  }
}

PartSelector::PartSelector(const DataParts& data, Part part)
    : split_({.dev = data.dev.empty() ? data.split.dev : 0,
              .test = data.test.empty() ? data.split.test : 0}),
      part_(part),
      of_train_(&files_of(data, part) == &data.train) {
  expect_part(data, part);
}

bool PartSelector::operator()(std::string_view key) const {
  return !of_train_ || part_of(key, split_) == part_;
}

PartReader::PartReader(const DataParts& data, Part part, const std::filesystem::path& base,
                       const PartOptions& options)
    : selector_(data, part),
      lines_(resolved(data, part, base, options.extra)),
      key_(options.key),
      join_(options.join) {
  FOVEA_CHECK(join_ >= 1, "data.join: ", join_, " lines cannot become one");
}

bool PartReader::next(std::vector<std::string>& fields) {
  if (!next_line(fields)) return false;
  std::vector<std::string> more;
  for (Dim i = 1; i < join_ && next_line(more); ++i) {
    for (std::size_t f = 0; f < fields.size(); ++f) fields[f] += " " + more[f];
  }
  return true;
}

bool PartReader::next_line(std::vector<std::string>& fields) {
  while (lines_.next(fields)) {
    if (selector_(fields[key_])) return true;
  }
  return false;
}

Tokenizer::Lines field_lines(PartReader& reader, std::vector<std::size_t> fields) {
  return [&reader, fields = std::move(fields), read = std::vector<std::string>(),
          next = std::size_t(0)](std::string& line) mutable {
    if (next == 0 && !reader.next(read)) return false;
    line = read.at(fields[next]);
    next = (next + 1) % fields.size();
    return true;
  };
}

}  // namespace fovea
