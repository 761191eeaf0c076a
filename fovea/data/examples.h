/// Examples of one type on disk, for data sets larger than memory. A type names its columns once,
/// as settings name their fields:
///
///   struct TaggedExample {
///     Ids words;
///     std::int32_t intent = -1;
///     template <class V> void columns(V& visit) { visit(words), visit(intent); }
///   };
///   ExampleWriter<TaggedExample> writer(folder);
///   writer.add({.words = ids}, /*rows=*/ids.size(), /*line=*/1);
///   const Examples<TaggedExample> examples = writer.finish();
///   const TaggedExample first = examples[0];
///
/// A column is a number, a text, a vector, or a struct with columns of its own: ids of a text,
/// pixels of an image, frames of a sound.
#pragma once

#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "fovea/base/check.h"
#include "fovea/base/view.h"
#include "fovea/data/store.h"

namespace fovea {
namespace detail {

/// Appends columns to a record.
struct ColumnPacker {
  std::vector<std::byte>& record;

  void put(const void* data, std::size_t bytes) {
    const std::size_t end = record.size();
    record.resize(end + bytes);
    if (bytes > 0) std::memcpy(record.data() + end, data, bytes);
  }
  template <class T>
  void operator()(T& column) {
    if constexpr (requires { column.columns(*this); }) {
      column.columns(*this);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      put(&column, sizeof(T));
    } else {
      const std::uint64_t count = column.size();
      put(&count, sizeof(count));
      if constexpr (std::is_trivially_copyable_v<typename T::value_type>) {
        put(column.data(), count * sizeof(typename T::value_type));
      } else {
        for (auto& each : column) (*this)(each);
      }
    }
  }
};

/// Reads columns in the order in which they were packed.
struct ColumnUnpacker {
  std::span<const std::byte> record;

  void take(void* to, std::size_t bytes) {
    FOVEA_CHECK(bytes <= record.size(), ErrorKind::internal,
                "examples: a record ends before its columns");
    if (bytes > 0) std::memcpy(to, record.data(), bytes);
    record = record.subspan(bytes);
  }
  template <class T>
  void operator()(T& column) {
    if constexpr (requires { column.columns(*this); }) {
      column.columns(*this);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      take(&column, sizeof(T));
    } else {
      std::uint64_t count = 0;
      take(&count, sizeof(count));
      FOVEA_CHECK(count <= record.size(), ErrorKind::internal,
                  "examples: a record ends before its columns");
      column.resize(count);
      if constexpr (std::is_trivially_copyable_v<typename T::value_type>) {
        take(column.data(), count * sizeof(typename T::value_type));
      } else {
        for (auto& each : column) (*this)(each);
      }
    }
  }
};

}  // namespace detail

/// What is known of examples whatever their type.
class ExampleStore {
 public:
  Dim size() const { return records_.size(); }
  /// What each example costs in a batch.
  std::span<const std::int32_t> rows() const;
  /// Where an example stood in its file, from 1.
  std::int64_t line(Dim example) const;
  /// For errors: "lines 12, 4711, ...", of at most eight.
  std::string lines(std::span<const std::uint32_t> examples) const;

 protected:
  std::span<const std::byte> record(Dim example) const;

 private:
  friend class ExampleStoreWriter;

  RecordStore records_;
  std::shared_ptr<const std::byte> rows_, lines_;  // of each example: i32, i64
};

class ExampleStoreWriter {
 public:
  /// The data goes to nameless files in `folder`, which must exist.
  explicit ExampleStoreWriter(const std::filesystem::path& folder)
      : records_(folder), rows_(folder), lines_(folder) {}

 protected:
  void add(std::span<const std::byte> record, Dim rows, std::int64_t line);
  void finish(ExampleStore& store);

 private:
  RecordWriter records_;
  ScratchFile rows_, lines_;
};

/// Copies share the data.
template <class E>
class Examples : public ExampleStore {
 public:
  E operator[](Dim example) const {
    E made;
    detail::ColumnUnpacker unpacker{record(example)};
    made.columns(unpacker);
    return made;
  }
};

template <class E>
class ExampleWriter : public ExampleStoreWriter {
 public:
  using ExampleStoreWriter::ExampleStoreWriter;

  void add(E example, Dim rows, std::int64_t line) {
    record_.clear();
    detail::ColumnPacker packer{record_};
    example.columns(packer);
    ExampleStoreWriter::add(record_, rows, line);
  }
  Examples<E> finish() {
    Examples<E> examples;
    ExampleStoreWriter::finish(examples);
    return examples;
  }

 private:
  std::vector<std::byte> record_;  // the one that is being packed
};

}  // namespace fovea
