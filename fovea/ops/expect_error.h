/// For tests of what ops say when something does not fit.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "fovea/base/check.h"

namespace fovea {

/// call() throws an Error whose message contains each of `parts`.
template <class F>
void expect_error(F&& call, std::initializer_list<std::string_view> parts) {
  try {
    call();
  } catch (const Error& error) {
    const std::string message = error.what();
    for (std::string_view part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "no \"" << part << "\" in: " << message;
    }
    return;
  }
  ADD_FAILURE() << "no error";
}

}  // namespace fovea
