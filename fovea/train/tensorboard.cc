#include "fovea/train/tensorboard.h"

#include <array>
#include <bit>
#include <concepts>

namespace fovea {
namespace {

constexpr std::array<std::uint32_t, 256> kTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x82F63B78U : 0U);
    table[byte] = crc;
  }
  return table;
}();

template <std::unsigned_integral T>
std::string little_endian(T value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value % 128 + 128);
  return bytes + static_cast<char>(value);
}

/// A field begins with its number and the kind of its value.
enum class Wire : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

std::string key(std::uint64_t number, Wire wire) {
  return varint(number << 3 | static_cast<std::uint64_t>(wire));
}

std::string field(std::uint64_t number, double value) {
  return key(number, Wire::fixed64) + little_endian(std::bit_cast<std::uint64_t>(value));
}

std::string field(std::uint64_t number, float value) {
  return key(number, Wire::fixed32) + little_endian(std::bit_cast<std::uint32_t>(value));
}

std::string field(std::uint64_t number, Dim value) {
  return key(number, Wire::varint) + varint(static_cast<std::uint64_t>(value));
}

std::string field(std::uint64_t number, const std::string& bytes) {
  return key(number, Wire::bytes) + varint(bytes.size()) + bytes;
}

std::string masked_crc(std::string_view bytes) {
  return little_endian(std::rotr(crc32c(bytes), 15) + 0xA282EAD8U);
}

std::string record(const std::string& data) {
  const std::string length = little_endian(static_cast<std::uint64_t>(data.size()));
  return length + masked_crc(length) + data + masked_crc(data);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (crc >> 8);
  }
  return ~crc;
}

std::string event_file_version(double wall_time) {
  return record(field(1, wall_time) + field(3, std::string("brain.Event:2")));
}

std::string event_record(double wall_time, Dim step, std::span<const Scalar> scalars) {
  std::string summary;
  for (const auto& [tag, value] : scalars) {
    summary += field(1, field(1, tag) + field(2, static_cast<float>(value)));
  }
  return record(field(1, wall_time) + field(2, step) + field(5, summary));
}

}  // namespace fovea
