#include "fovea/inspect/run_npz.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they stand");

void put(std::string& out, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 255);
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string npy(std::string_view type, std::span<const Dim> shape, std::string_view body) {
  std::string header = concat("{'descr': '", type, "', 'fortran_order': False, 'shape': (");
  for (const Dim extent : shape) header += concat(extent, ", ");
  header += "), }";
  constexpr std::size_t before = 10, step = 64;  // the body begins at a multiple of 64 bytes
  header.append(step - 1 - (before + header.size()) % step, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  put(out, header.size(), 2);
  return (out += header) += body;
}

/// Strings of one length in UTF-32, filled up with zeros.
std::string npy_of(const std::vector<std::string>& texts, std::span<const Dim> shape) {
  std::vector<std::u32string> all;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    longest = std::max(longest, all.emplace_back(code_points(text)).size());
  }
  std::string body;
  for (std::u32string& text : all) {
    text.resize(longest, U'\0');
    for (const char32_t point : text) put(body, point, 4);
  }
  return npy(concat("<U", longest), shape, body);
}

/// PKWARE's APPNOTE, 4.3: each file after a header of its own, and all headers again at the end.
class StoredZip {
 public:
  void add(const std::string& name, std::string_view bytes) {
    std::string shared;
    put(shared, 20, 2);          // version needed
    put(shared, 1 << 11, 2);     // names in UTF-8
    put(shared, 0, 4);           // stored; at midnight
    put(shared, 1 << 5 | 1, 2);  // of the first of January 1980
    put(shared, crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()), 4);
    put(shared, bytes.size(), 4);
    put(shared, bytes.size(), 4);
    put(shared, name.size(), 2);
    directory_ += "PK\1\2";
    put(directory_, 20, 2);  // version made by
    directory_ += shared;
    directory_.append(12, '\0');  // nothing more, no comment, no attributes
    put(directory_, out_.size(), 4);
    directory_ += name;
    (((out_ += "PK\3\4") += shared) += std::string(2, '\0')) += name;
    out_ += bytes;
    ++files_;
    FOVEA_CHECK(out_.size() + directory_.size() < std::numeric_limits<std::uint32_t>::max() &&
                    files_ < std::numeric_limits<std::uint16_t>::max(),
                ErrorKind::too_large,
                "npz: the weights take more than 4 GiB; name layers or heads, or keep the top");
  }

  std::string finish() && {
    const std::size_t at = out_.size();
    out_ += directory_;
    out_ += "PK\5\6";
    put(out_, 0, 4);
    put(out_, files_, 2);
    put(out_, files_, 2);
    put(out_, directory_.size(), 4);
    put(out_, at, 4);
    put(out_, 0, 2);
    return std::move(out_);
  }

 private:
  std::string out_, directory_;
  std::uint64_t files_ = 0;
};

}  // namespace

std::string npz_of(const RunRecord& record) {
  StoredZip zip;
  std::vector<std::string> layers;
  for (const RunRecord::Layer& layer : record.layers) {
    layers.insert(layers.end(), {layer.name, layer.queries, layer.keys});
    const std::vector<std::int32_t> heads(layer.heads.begin(), layer.heads.end());
    const Dim count[] = {layer.head_count()};
    zip.add(layer.name + ".heads.npy", npy("<i4", count, bytes_of(heads)));
    const bool top = layer.keep == Keep::top;
    const Dim shape[] = {layer.head_count(), layer.rows, top ? layer.top : layer.cols};
    zip.add(layer.name + (top ? ".weights.npy" : ".npy"),
            npy("<f4", shape, bytes_of(layer.weights)));
    if (top) zip.add(layer.name + ".keys.npy", npy("<i4", shape, bytes_of(layer.top_keys)));
  }
  for (const RunRecord::Sequence& sequence : record.sequences) {
    const Dim count[] = {std::ssize(sequence.tokens)};
    zip.add("tokens." + sequence.name + ".npy", npy_of(sequence.tokens, count));
  }
  const Dim table[] = {std::ssize(record.layers), 3};
  zip.add("layers.npy", npy_of(layers, table));
  return std::move(zip).finish();
}

}  // namespace fovea
