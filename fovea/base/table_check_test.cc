#include "fovea/base/table_check.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace fovea {
namespace {

void expect_error(const std::function<void()>& act, const char* text) {
  try {
    act();
    ADD_FAILURE() << "no error, expected: " << text;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), text);
    EXPECT_EQ(error.kind(), ErrorKind::bad_setting);
  }
}

TEST(TableCheck, LetsPassWhatMakesSense) {
  const TableCheck model("model");
  model.sizes({{"width", 1}, {"hidden", 4096}});
  model.layers("encoder_layers", 0, 0);
  model.layers("decoder_layers", 1, TableCheck::most_layers);
  model.heads("heads", 4, 12);
  model.windows("windows", {});
  model.shares({{"dropout", 0}, {"attention_dropout", 0.99}});
}

TEST(TableCheck, NamesTheKeyAndWhatWasExpectedAndFound) {
  const TableCheck model("model.encoder");
  expect_error(
      [&] {
        model.sizes({{"width", 8}, {"hidden", 0}});
      },
      "model.encoder.hidden: expected at least 1, found 0");
  expect_error([&] { model.layers("layers", 1, -3); },
               "model.encoder.layers: expected 1 to 1000, found -3");
  expect_error([&] { model.layers("layers", 1, 1'000'000); },
               "model.encoder.layers: expected 1 to 1000, found 1000000");
  expect_error([&] { model.heads("heads", 5, 12); },
               "model.encoder.heads: expected a number that divides model.encoder.width = 12, "
               "found 5");
  expect_error(
      [&] {
        model.windows("windows", {3, 0});
      },
      "model.encoder.windows: expected at least 1, found 0");
  expect_error(
      [&] {
        model.shares({{"dropout", 1}});
      },
      "model.encoder.dropout: expected 0 to below 1, found 1");
  expect_error([&] { model.not_negative("rate", -0.5); },
               "model.encoder.rate: expected at least 0, found -0.5");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(model.shares({{"dropout", nan}}), Error);
  EXPECT_THROW(model.not_negative("rate", nan), Error);
}

}  // namespace
}  // namespace fovea
