#include "fovea/text/sentencepiece_model.h"

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "fovea/base/check.h"

namespace fovea::text {
namespace {

/// Protocol buffers on the wire: https://protobuf.dev/programming-guides/encoding
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}

  bool next() {
    if (rest_.empty()) return false;
    const std::uint64_t tag = varint();
    number_ = tag >> 3;
    bytes_ = {};
    switch (tag & 7) {
      case 0:
        varint();
        break;
      case 1:
        take(8);
        break;
      case 2:
        bytes_ = take(varint());
        break;
      case 5:
        take(4);
        break;
      default:
        cut_off();
    }
    return true;
  }
  std::uint64_t number() const { return number_; }
  std::string_view bytes() const { return bytes_; }  // none if the field is a number

 private:
  [[noreturn]] static void cut_off() {
    fail(ErrorKind::bad_file, "the model is damaged or cut off");
  }

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) cut_off();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    cut_off();
  }

  std::string_view rest_, bytes_;
  std::uint64_t number_ = 0;
};

/// The double array of Darts-clone and the texts that its leaves point at: every step from its
/// root, by any byte, must stay within.
class Replacements {
 public:
  explicit Replacements(std::string_view table) {
    std::uint32_t size = 0;
    check(table.size() > sizeof size);
    std::memcpy(&size, table.data(), sizeof size);
    table.remove_prefix(sizeof size);
    check(size > 0 && size % sizeof(std::uint32_t) == 0 && size < table.size());
    units_.resize(size / sizeof(std::uint32_t));
    std::memcpy(units_.data(), table.data(), size);
    texts_ = table.size() - size;
    check(table.back() == '\0');  // the last text's end
  }

  void walk() const {
    std::vector<bool> seen(units_.size());
    std::vector<std::size_t> open = {offset_of(units_[0])};
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      check((node | 0xFF) < units_.size());
      if (seen[node]) continue;
      seen[node] = true;
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::uint32_t unit = units_[node ^ byte];
        if ((unit & (1U << 31 | 0xFF)) != byte) continue;
        const std::size_t child = (node ^ byte) ^ offset_of(unit);
        open.push_back(child);
        const bool ends = (unit >> 8 & 1) != 0;
        check(child < units_.size() && (!ends || (units_[child] & 0x7FFFFFFF) < texts_));
      }
    }
  }

 private:
  static void check(bool holds) {
    FOVEA_CHECK(holds, ErrorKind::bad_file,
                "its table of replacements (precompiled_charsmap) is damaged");
  }
  static std::size_t offset_of(std::uint32_t unit) {
    return static_cast<std::size_t>(unit >> 10) << ((unit & 1U << 9) >> 6);
  }

  std::vector<std::uint32_t> units_;
  std::size_t texts_ = 0;  // their bytes
};

/// ModelProto's normalizer_spec and denormalizer_spec, and in each the precompiled_charsmap.
void check_replacements(std::string_view model) {
  for (Fields part(model); part.next();) {
    if (part.number() != 3 && part.number() != 5) continue;
    for (Fields field(part.bytes()); field.next();) {
      if (field.number() == 2 && !field.bytes().empty()) Replacements(field.bytes()).walk();
    }
  }
}

}  // namespace

std::unique_ptr<sentencepiece::SentencePieceProcessor> open_sentencepiece(
    const std::string& model) {
  try {
    check_replacements(model);
    auto processor = std::make_unique<sentencepiece::SentencePieceProcessor>();
    const auto status = processor->LoadFromSerializedProto(model);
    FOVEA_CHECK(status.ok(), ErrorKind::bad_file, status.ToString());
    return processor;
  } catch (const std::exception& error) {  // also what SentencePiece's trie throws at odd pieces
    fail(ErrorKind::bad_file, "SentencePiece does not take the model: ", error.what());
  }
}

}  // namespace fovea::text
