#include "fovea/base/base64.h"

#include <gtest/gtest.h>

namespace fovea {
namespace {

TEST(Base64, ComesBack) {
  for (const std::string& bytes : {std::string(), std::string("f"), std::string("fo"),
                                  std::string("foo"), std::string("\0\xFF\x7F\x80", 4)}) {
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(from_base64("Zm8"), "fo") << "padding may be left out";
}

TEST(Base64, OtherTextIsNone) {
  for (const char* bad : {"!", "Zm8-", "Zm 8", "Z"})
    EXPECT_EQ(from_base64(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace fovea
