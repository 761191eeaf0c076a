/// Protocol buffers on the wire, as far as writing them goes: fields are numbers of variable
/// length, four bytes, or bytes whose count is told before them, which may be messages again.
/// https://protobuf.dev/programming-guides/encoding
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::onnx {

/// A message that is being written. Large bytes are lent, not copied: they stay where they are
/// until the message is written out.
class Message {
 public:
  void number(int field, std::int64_t value);
  void real(int field, float value);
  void text(int field, std::string_view value);
  void message(int field, Message value);
  void lend(int field, std::span<const std::byte> bytes);

  std::size_t size() const { return size_; }
  void write(const std::function<void(const void* data, std::size_t bytes)>& sink) const;

 private:
  struct Part {
    std::string own = {};
    std::span<const std::byte> lent = {};
  };
  void varint(std::uint64_t value);
  void tag(int field, int wire_type);
  void own(const char* data, std::size_t bytes);

  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

}  // namespace fovea::onnx
