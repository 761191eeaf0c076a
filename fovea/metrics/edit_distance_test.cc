#include "fovea/metrics/edit_distance.h"

#include <gtest/gtest.h>

#include <string_view>

namespace fovea {
namespace {

Edits between(std::string_view reference, std::string_view hypothesis) {
  return edit_distance(std::span(reference), std::span(hypothesis));
}

TEST(EditDistance, CountsTheFewestChanges) {
  EXPECT_EQ(between("kitten", "sitting"), (Edits{.substitutions = 2, .insertions = 1}));
  EXPECT_EQ(between("abc", ""), (Edits{.deletions = 3}));
  EXPECT_EQ(between("", "ab"), (Edits{.insertions = 2}));
  EXPECT_EQ(between("", ""), Edits{});
  EXPECT_EQ(between("same", "same"), Edits{});
  EXPECT_EQ(between("abcdef", "xabdef"), (Edits{.insertions = 1, .deletions = 1}));
}

// The definition, without a table.
Dim slow(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return static_cast<Dim>(a.size() + b.size());
  if (a[0] == b[0]) return slow(a.substr(1), b.substr(1));
  return 1 + std::min({slow(a.substr(1), b.substr(1)), slow(a.substr(1), b), slow(a, b.substr(1))});
}

TEST(EditDistance, AgreesWithItsDefinition) {
  const std::string_view text = "abacabbcaabcbacbbaca";
  for (std::size_t i = 0; i < 13; ++i) {
    for (std::size_t n = 0; n < 7; ++n) {
      const auto a = text.substr(i, n), b = text.substr(12 - i, 6);
      const Edits found = between(a, b);
      EXPECT_EQ(found.total(), slow(a, b)) << a << " " << b;
      EXPECT_EQ(found.insertions - found.deletions, static_cast<Dim>(b.size() - a.size()));
    }
  }
}

}  // namespace
}  // namespace fovea
