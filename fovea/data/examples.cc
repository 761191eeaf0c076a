#include "fovea/data/examples.h"

#include <algorithm>
#include <limits>

namespace fovea {

std::span<const std::int32_t> ExampleStore::rows() const {
  return {reinterpret_cast<const std::int32_t*>(rows_.get()), static_cast<std::size_t>(size())};
}

std::int64_t ExampleStore::line(Dim example) const {
  FOVEA_CHECK(example >= 0 && example < size(), "examples: example ", example, " of ", size());
  return reinterpret_cast<const std::int64_t*>(lines_.get())[example];
}

std::string ExampleStore::lines(std::span<const std::uint32_t> examples) const {
  constexpr std::size_t most = 8;
  std::string text = "lines";
  for (std::size_t i = 0; i < std::min(most, examples.size()); ++i) {
    text += concat(i == 0 ? " " : ", ", line(examples[i]));
  }
  if (examples.size() > most) text += concat(" and ", examples.size() - most, " more");
  return text;
}

std::span<const std::byte> ExampleStore::record(Dim example) const {
  FOVEA_CHECK(example >= 0 && example < size(), "examples: example ", example, " of ", size());
  return records_[example];
}

void ExampleStoreWriter::add(std::span<const std::byte> record, Dim rows, std::int64_t line) {
  FOVEA_CHECK(rows >= 0 && rows <= std::numeric_limits<std::int32_t>::max(), ErrorKind::too_large,
              "examples: line ", line, " has ", rows, " rows");
  const auto cost = static_cast<std::int32_t>(rows);
  rows_.append(&cost, sizeof(cost));
  lines_.append(&line, sizeof(line));
  records_.add(record);
}

void ExampleStoreWriter::finish(ExampleStore& store) {
  store.records_ = records_.finish();
  store.rows_ = rows_.map(ScratchFile::Access::ordered);
  store.lines_ = lines_.map(ScratchFile::Access::ordered);
}

}  // namespace fovea
