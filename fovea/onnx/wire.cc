#include "fovea/onnx/wire.h"

#include <cstring>

namespace fovea::onnx {
namespace {

enum WireType { varint_type = 0, bytes_type = 2, four_bytes_type = 5 };

}  // namespace

void Message::own(const char* data, std::size_t bytes) {
  if (parts_.empty() || !parts_.back().lent.empty()) parts_.emplace_back();
  parts_.back().own.append(data, bytes);
  size_ += bytes;
}

void Message::varint(std::uint64_t value) {
  char bytes[10];
  std::size_t count = 0;
  for (; value >= 0x80; value >>= 7) bytes[count++] = static_cast<char>((value & 0x7F) | 0x80);
  bytes[count++] = static_cast<char>(value);
  own(bytes, count);
}

void Message::tag(int field, int wire_type) {
  varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(wire_type));
}

void Message::number(int field, std::int64_t value) {
  tag(field, varint_type);
  varint(static_cast<std::uint64_t>(value));
}

void Message::real(int field, float value) {
  tag(field, four_bytes_type);
  char bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  own(bytes, sizeof(value));
}

void Message::text(int field, std::string_view value) {
  tag(field, bytes_type);
  varint(value.size());
  own(value.data(), value.size());
}

void Message::message(int field, Message value) {
  tag(field, bytes_type);
  varint(value.size_);
  for (Part& part : value.parts_) {
    if (part.lent.empty()) {
      own(part.own.data(), part.own.size());
    } else {
      size_ += part.lent.size();
      parts_.push_back(std::move(part));
    }
  }
}

void Message::lend(int field, std::span<const std::byte> bytes) {
  tag(field, bytes_type);
  varint(bytes.size());
  if (bytes.empty()) return;
  parts_.push_back({{}, bytes});
  size_ += bytes.size();
}

void Message::write(const std::function<void(const void* data, std::size_t bytes)>& sink) const {
  for (const Part& part : parts_) {
    if (part.lent.empty()) {
      sink(part.own.data(), part.own.size());
    } else {
      sink(part.lent.data(), part.lent.size());
    }
  }
}

}  // namespace fovea::onnx
