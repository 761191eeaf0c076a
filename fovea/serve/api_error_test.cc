#include "fovea/serve/api_error.h"

#include <gtest/gtest.h>

namespace fovea::serve {
namespace {

TEST(ApiError, EachKindOfErrorHasAStatus) {
  EXPECT_EQ(http_status(ErrorKind::bad_input), 400);
  EXPECT_EQ(http_status(ErrorKind::bad_setting), 400);
  EXPECT_EQ(http_status(ErrorKind::bad_file), 400);
  EXPECT_EQ(http_status(ErrorKind::not_found), 404);
  EXPECT_EQ(http_status(ErrorKind::too_large), 413);
  EXPECT_EQ(http_status(ErrorKind::internal), 500);
}

}  // namespace
}  // namespace fovea::serve
