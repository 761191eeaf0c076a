#include "fovea/metrics/entities.h"

#include <gtest/gtest.h>

#include <sstream>

#include "fovea/base/check.h"

namespace fovea {
namespace {

using Tags = std::vector<std::string>;

Tags words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

Tags in_scheme(const Tags& tags, TagScheme scheme) {
  return tags_of(entities_of(tags), static_cast<Dim>(tags.size()), scheme);
}

TEST(Entities, GoFromAnySchemeToAnyOther) {
  // Three of a kind side by side, one of another kind, one alone.
  const std::vector<std::pair<TagScheme, Tags>> same = {
      {TagScheme::iob1, words("I-X I-X B-X B-X I-X I-Y O I-X")},
      {TagScheme::iob2, words("B-X I-X B-X B-X I-X B-Y O B-X")},
      {TagScheme::bioes, words("B-X E-X S-X B-X E-X S-Y O S-X")}};
  const std::vector<Entity> entities = {
      {0, 2, "X"}, {2, 3, "X"}, {3, 5, "X"}, {5, 6, "Y"}, {7, 8, "X"}};
  for (const auto& [from, tags] : same) {
    EXPECT_EQ(entities_of(tags), entities);
    for (const auto& [to, others] : same) EXPECT_EQ(in_scheme(tags, to), others);
    for (const std::string& tag : tags) EXPECT_TRUE(is_tag(tag, from)) << tag;
  }
  EXPECT_EQ(in_scheme(words("B-X I-X I-X"), TagScheme::bioes), words("B-X I-X E-X"));
  EXPECT_TRUE(entities_of({}).empty());
}

TEST(Entities, KnowTheTagsOfAScheme) {
  EXPECT_TRUE(is_tag("S-PER", TagScheme::bioes));
  for (const char* tag : {"S-PER", "PER", "B-", "b-PER", "", "I_PER", "OO"}) {
    EXPECT_FALSE(is_tag(tag, TagScheme::iob2)) << tag;
  }
}

// A sequence is allowed step by step exactly when it is what its own entities give.
TEST(Entities, RulesAllowWhatSchemesWriteAndNothingElse) {
  for (const TagScheme scheme : {TagScheme::iob1, TagScheme::iob2, TagScheme::bioes}) {
    Tags tags = {"O"};
    for (const char letter : std::string(scheme == TagScheme::bioes ? "BIES" : "BI")) {
      for (const char type : {'X', 'Y'}) tags.push_back({letter, '-', type});
    }
    Dim allowed_count = 0;
    for (const std::string& a : tags) {
      for (const std::string& b : tags) {
        for (const std::string& c : tags) {
          const Tags text = {a, b, c};
          const bool allowed = may_follow("O", a, scheme) && may_follow(a, b, scheme) &&
                               may_follow(b, c, scheme) && may_follow(c, "O", scheme);
          allowed_count += allowed;
          EXPECT_EQ(allowed, in_scheme(text, scheme) == text) << a << " " << b << " " << c;
        }
      }
    }
    EXPECT_EQ(allowed_count, 41) << "as many as there are sets of entities in three words";
  }
}

struct Counted {
  std::vector<std::pair<const char*, const char*>> texts;  // given, found
  ClassScore loc, per;
  double f1;
};

// Tags drawn at random, which contradict themselves, counted by seqeval 1.2.2, which reads them as
// conlleval does.
TEST(Entities, AreCountedAsConllevalCounts) {
  const std::vector<Counted> all = {
      {{{"O I-LOC B-PER I-LOC B-LOC I-LOC B-PER I-PER",
         "I-LOC I-LOC B-LOC I-LOC B-LOC I-LOC I-LOC I-PER"},
        {"B-PER B-LOC I-LOC I-LOC I-PER B-PER O O", "B-PER B-LOC I-LOC I-LOC I-PER B-PER O O"},
        {"I-LOC I-LOC I-PER B-LOC B-LOC B-PER I-LOC O",
         "I-LOC I-LOC I-PER B-LOC B-LOC B-PER I-LOC O"},
        {"I-PER O O B-LOC I-PER O B-LOC I-LOC", "I-PER O O B-LOC I-PER O B-LOC I-LOC"},
        {"B-LOC O O B-LOC O O I-LOC B-LOC", "O O O B-LOC O O I-LOC B-LOC"},
        {"I-PER I-LOC B-LOC I-LOC B-LOC I-PER B-PER I-LOC",
         "I-PER O B-LOC I-LOC B-PER I-PER O I-LOC"}},
       {.right = 12, .given = 18, .found = 15},
       {.right = 8, .given = 12, .found = 10},
       0.7272727272727272},
      {{{"O O O S-PER B-LOC E-PER B-LOC E-PER", "O O O O B-LOC B-PER O B-LOC"},
        {"B-LOC O B-PER S-PER E-PER O O E-LOC", "B-LOC O B-PER S-PER S-LOC O O B-LOC"},
        {"B-PER O B-LOC I-PER O O O S-LOC", "B-PER O E-LOC I-PER O O O S-LOC"},
        {"S-LOC B-LOC S-PER S-PER I-PER O S-PER O", "S-LOC B-LOC S-PER S-PER I-PER O S-PER O"},
        {"I-LOC E-LOC E-PER O O I-PER I-LOC I-LOC", "S-LOC O E-PER O O I-PER I-LOC I-LOC"},
        {"S-PER B-LOC B-LOC B-LOC I-PER E-PER E-PER O",
         "S-PER B-LOC O B-LOC B-PER E-PER E-PER I-PER"}},
       {.right = 10, .given = 13, .found = 13},
       {.right = 14, .given = 17, .found = 15},
       0.8275862068965518}};
  for (const Counted& expected : all) {
    EntityScore score;
    for (const auto& [given, found] : expected.texts) score.add(words(given), words(found));
    EXPECT_DOUBLE_EQ(score.all().f1(), expected.f1);
    for (const auto& [type, counts] : {std::pair("LOC", expected.loc), {"PER", expected.per}}) {
      const ClassScore& found = score.types().at(type);
      EXPECT_EQ(found.right, counts.right) << type;
      EXPECT_EQ(found.given, counts.given) << type;
      EXPECT_EQ(found.found, counts.found) << type;
    }
  }
}

TEST(Entities, AreRightWithAllTheirWordsAndTheirType) {
  EntityScore score;
  score.add(words("B-X I-X O B-Y"), words("B-X I-X O B-Y"));
  EXPECT_TRUE(score.last_right());
  score.add(words("B-X I-X O B-Y"), words("B-X O O B-Y"));
  EXPECT_FALSE(score.last_right());
  EXPECT_DOUBLE_EQ(score.all().f1(), 3.0 / 4);
  score.add(words("B-X"), words("S-X"));  // whatever the schemes
  EXPECT_TRUE(score.last_right());
  EXPECT_EQ(EntityScore().all().f1(), 0);
  EXPECT_THROW(score.add(words("O O"), words("O")), Error);
  EXPECT_THROW(tags_of(std::vector<Entity>{{0, 3, "X"}}, 2, TagScheme::iob2), Error);
}

}  // namespace
}  // namespace fovea
