#include "fovea/data/corpus.h"

#include <limits>
#include <numeric>

#include "fovea/base/check.h"

namespace fovea {

const std::byte* Corpus::head(Dim example) const {
  FOVEA_CHECK(example >= 0 && example < size(), "corpus: example ", example, " of ", size());
  return heads_.get() + static_cast<std::size_t>(example) * head_bytes(fields_);
}

const std::int32_t* Corpus::lengths(Dim example) const {
  return reinterpret_cast<const std::int32_t*>(head(example) + sizeof(std::int64_t));
}

std::int64_t Corpus::line(Dim example) const {
  return *reinterpret_cast<const std::int64_t*>(head(example));
}

std::string Corpus::lines(std::span<const std::uint32_t> examples) const {
  std::string text = "lines";
  for (std::size_t i = 0; i < examples.size() && i < 8; ++i) {
    text += concat(i == 0 ? " " : ", ", line(examples[i]));
  }
  if (examples.size() > 8) text += concat(" and ", examples.size() - 8, " more");
  return text;
}

std::span<const std::int32_t> Corpus::ids(Dim example, Dim field) const {
  const std::int32_t* lengths = this->lengths(example);
  const auto* ids = reinterpret_cast<const std::int32_t*>(records_[example].data());
  const Dim before = std::accumulate(lengths, lengths + field, Dim{0});
  return {ids + before, static_cast<std::size_t>(lengths[field])};
}

std::string_view Corpus::text(Dim example, Dim field) const {
  FOVEA_CHECK(has_text_, "corpus: the texts were not kept");
  const std::int32_t* lengths = this->lengths(example);
  const auto* ids = reinterpret_cast<const std::int32_t*>(records_[example].data());
  const auto* ends = reinterpret_cast<const std::uint32_t*>(
      ids + std::accumulate(lengths, lengths + fields_, Dim{0}));
  const auto* texts = reinterpret_cast<const char*>(ends + fields_);
  const std::uint32_t begin = field == 0 ? 0 : ends[field - 1];
  return {texts + begin, ends[field] - begin};
}

CorpusBuilder::CorpusBuilder(const std::filesystem::path& folder, Dim fields, bool keep_text)
    : records_(folder), heads_(folder), fields_(fields), keep_text_(keep_text) {
  FOVEA_CHECK(fields > 0, "corpus: an example has at least one field, not ", fields);
}

void CorpusBuilder::put(const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  record_.insert(record_.end(), from, from + bytes);
}

void CorpusBuilder::add(std::span<const Ids> ids, std::span<const std::string> text,
                        std::int64_t line) {
  const auto fields = static_cast<std::size_t>(fields_);
  FOVEA_CHECK(ids.size() == fields, "corpus: ", fields_, " fields expected, found ", ids.size());
  FOVEA_CHECK(!keep_text_ || text.size() == fields, "corpus: the texts of ", fields_,
              " fields expected, found ", text.size());
  record_.clear();
  put(&line, sizeof(line));
  for (const Ids& row : ids) {
    FOVEA_CHECK(row.size() <= std::numeric_limits<std::int32_t>::max(), ErrorKind::too_large,
                "corpus: line ", line, " has ", row.size(), " ids");
    const auto length = static_cast<std::int32_t>(row.size());
    put(&length, sizeof(length));
  }
  record_.resize(Corpus::head_bytes(fields_));
  heads_.append(record_.data(), record_.size());

  record_.clear();
  for (const Ids& row : ids) put(row.data(), row.size() * sizeof(row[0]));
  if (keep_text_) {
    std::size_t end = 0;
    for (const std::string& one : text) {
      end += one.size();
      FOVEA_CHECK(end <= std::numeric_limits<std::uint32_t>::max(), ErrorKind::too_large,
                  "corpus: line ", line, " has ", end, " bytes");
      const auto stored = static_cast<std::uint32_t>(end);
      put(&stored, sizeof(stored));
    }
    for (const std::string& one : text) put(one.data(), one.size());
  }
  records_.add(record_);
}

Corpus CorpusBuilder::finish() {
  Corpus corpus;
  corpus.records_ = records_.finish();
  corpus.heads_ = heads_.map(ScratchFile::Access::ordered);
  corpus.fields_ = fields_;
  corpus.has_text_ = keep_text_;
  return corpus;
}

}  // namespace fovea
