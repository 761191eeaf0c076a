/// Examples of ids on disk, for corpora larger than memory: an example has the same number of
/// fields (source and target, or one) and each field is a sequence of ids and, if wanted, the text
/// that it was made from, so that a tokenizer that samples can be asked anew in each epoch.
///
///   CorpusBuilder builder(folder, /*fields=*/2, /*keep_text=*/false);
///   while (reader.next(fields)) builder.add(ids, {}, reader.number());
///   Corpus corpus = builder.finish();
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "fovea/base/view.h"
#include "fovea/data/store.h"
#include "fovea/tensor/sequences.h"

namespace fovea {

/// Copies share the data.
class Corpus {
 public:
  Corpus() = default;

  Dim size() const { return records_.size(); }
  Dim fields() const { return fields_; }
  bool has_text() const { return has_text_; }

  std::span<const std::int32_t> ids(Dim example, Dim field) const;
  /// Throws an Error if the texts were not kept.
  std::string_view text(Dim example, Dim field) const;
  /// Where it stood in its file, from 1.
  std::int64_t line(Dim example) const;
  /// For errors: "lines 12, 4711, ...", of at most eight.
  std::string lines(std::span<const std::uint32_t> examples) const;
  /// How many ids. Reads none of them: all lengths lie close together.
  std::int32_t length(Dim example, Dim field) const { return lengths(example)[field]; }

 private:
  friend class CorpusBuilder;

  /// What is known of an example without its record: line, i64; lengths, i32 each, and padding.
  static std::size_t head_bytes(Dim fields) {
    return sizeof(std::int64_t) * static_cast<std::size_t>(1 + (fields + 1) / 2);
  }
  const std::byte* head(Dim example) const;
  const std::int32_t* lengths(Dim example) const;

  RecordStore records_;  // ids of all fields; where each text ends, u32; the texts
  std::shared_ptr<const std::byte> heads_;
  Dim fields_ = 0;
  bool has_text_ = false;
};

class CorpusBuilder {
 public:
  /// The data goes to nameless files in `folder`, which must exist.
  CorpusBuilder(const std::filesystem::path& folder, Dim fields, bool keep_text);

  /// One entry a field; `text` may be empty if the texts are not kept.
  void add(std::span<const Ids> ids, std::span<const std::string> text, std::int64_t line);
  Corpus finish();

 private:
  void put(const void* data, std::size_t bytes);

  RecordWriter records_;
  ScratchFile heads_;
  Dim fields_;
  bool keep_text_;
  std::vector<std::byte> record_;  // the one being built
};

}  // namespace fovea
