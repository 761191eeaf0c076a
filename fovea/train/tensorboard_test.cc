#include "fovea/train/tensorboard.h"

#include <gtest/gtest.h>

#include <vector>

namespace fovea {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

TEST(Tensorboard, Crc32cIsThatOfTheStandard) {  // the examples of RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
}

TEST(Tensorboard, RecordsHaveTheBytesThatTensorboardReads) {
  // What TensorBoard's own RecordWriter writes for these events.
  EXPECT_EQ(hex(event_file_version(2.5)),
            "1800000000000000a37f4b220900000000000004401a0d627261696e2e457665"
            "6e743a32b19bcaec");
  const std::vector<Scalar> scalars = {{"train/loss", 1.5}, {"train/rate", 0.25}};
  EXPECT_EQ(hex(event_record(3.5, 300, scalars)),
            "34000000000000005e33175c090000000000000c4010ac022a260a110a0a7472"
            "61696e2f6c6f7373150000c03f0a110a0a747261696e2f72617465150000803e"
            "c6182062");
}

}  // namespace
}  // namespace fovea
