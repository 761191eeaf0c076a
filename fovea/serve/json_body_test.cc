#include "fovea/serve/json_body.h"

#include <gtest/gtest.h>

#include "fovea/base/base64.h"
#include "fovea/serve/api.h"
#include "fovea/serve/asking.h"

namespace fovea::serve {
namespace {

std::string said(const std::function<void()>& act, int status = 400) {
  try {
    act();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.status, status);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(Json, RefusesWhatIsNone) {
  EXPECT_NE(said([] { parse_json("{\"a\": tru}"); }).find("line 1, column"), std::string::npos);
  said([] { parse_json(""); });
  said([] { parse_json("{\"a\": 1"); });
  said([] { parse_json("{\"a\": 1} x"); });
  said([] { parse_json("\"\xFF\""); });
  said([] { parse_json("[1e999]"); });
  EXPECT_NE(said([] { parse_json(std::string(100000, '[')); }).find("deeper"), std::string::npos);
  said([] { parse_json(std::string(100, '{')); });
  EXPECT_EQ(parse_json("\"" + std::string(1000, '[') + "\\\"[\"").get<std::string>().size(), 1002U)
      << "brackets in a text are no depth";
  EXPECT_EQ(parse_json(std::string(60, '[') + std::string(60, ']')).size(), 1U);
}

TEST(Fields, SayWhichIsWrongAndHow) {
  const Fields fields(Json::parse(
      R"({"text": "a", "n": 3, "half": 0.5, "yes": true, "list": ["a", "b"], "mixed": ["a", 1],
          "none": null, "empty": [], "object": {"n": "x"}, "huge": 1e300, "minus": -1})"));
  EXPECT_EQ(fields.text("text"), "a");
  EXPECT_EQ(fields.text("none", "b"), "b");
  EXPECT_EQ(said([&] { fields.text("n"); }), "n: expected a text, found the number 3");
  EXPECT_EQ(said([&] { fields.text("missing"); }), "missing: is missing");
  EXPECT_EQ(fields.whole("n", 1, 3), 3);
  EXPECT_EQ(fields.whole("missing", 1, 3), std::nullopt);
  EXPECT_EQ(said([&] { fields.whole("n", 1, 2); }),
            "n: expected a whole number from 1 to 2, found the number 3");
  said([&] { fields.whole("half", 0, 1); });
  said([&] { fields.whole("huge", 0, 100); });
  said([&] { fields.whole("minus", 0, 100); });
  EXPECT_EQ(fields.number("half", 0, 1), 0.5);
  said([&] { fields.number("text", 0, 1); });
  EXPECT_TRUE(fields.flag("yes", false));
  said([&] { fields.flag("n", false); });
  EXPECT_EQ(fields.texts("text"), (std::vector<std::string>{"a"}));
  EXPECT_EQ(fields.texts("list"), (std::vector<std::string>{"a", "b"}));
  EXPECT_NE(said([&] { fields.texts("mixed"); }).find("at place 1"), std::string::npos);
  said([&] { fields.texts("empty"); });
  EXPECT_EQ(said([&] { fields.object("object")->whole("n", 0, 1); }),
            "object.n: expected a whole number from 0 to 1, found a text");
  EXPECT_EQ(said([&] { fields.object("n"); }), "n: expected an object, found the number 3");
  fields.refuse("none", "no");
  fields.refuse("empty", "no");
  EXPECT_EQ(said([&] { fields.refuse("n", "cannot"); }), "n: cannot");
  said([] { Fields(Json::array()); });
}

TEST(Fields, OfAForm) {
  HttpRequest request{.headers = {{"content-type", "application/x-www-form-urlencoded"}},
                      .body = "q=a%20b+c&target=de&beam=3&top_p=0.5&stream=true&n=x"};
  const Fields fields = Fields::of(request);
  EXPECT_EQ(fields.text("q"), "a b c");
  EXPECT_EQ(fields.text("target"), "de");
  EXPECT_EQ(fields.whole("beam", 1, 4), 3);
  EXPECT_EQ(fields.number("top_p", 0, 1), 0.5);
  EXPECT_TRUE(fields.flag("stream", false));
  EXPECT_EQ(fields.text("beam"), "3");
  said([&] { fields.whole("n", 1, 4); });
  request.body = " {\"q\": \"as curl -d sends JSON\"}";
  EXPECT_EQ(Fields::of(request).text("q"), "as curl -d sends JSON");
  request.body = "q=%FF";
  said([&] { Fields::of(request); });
  request.headers[0].second = "image/png";
  said([&] { Fields::of(request); }, 415);
}

TEST(Attention, IsReadFromARequest) {
  const auto read = [](const char* json) { return attention_of(Fields(Json::parse(json))); };
  EXPECT_FALSE(read("{}"));
  EXPECT_FALSE(read(R"({"attention": false})"));
  EXPECT_EQ(read(R"({"attention": true})")->keep, Keep::all);
  const auto some = read(R"({"attention": {"layers": "a.*", "heads": [0, 2], "keep": "top-5"}})");
  EXPECT_EQ(some->layers, "a.*");
  EXPECT_EQ(some->heads, (std::vector<Dim>{0, 2}));
  EXPECT_EQ(some->keep, Keep::top);
  EXPECT_EQ(some->top, 5);
  for (const char* bad :
       {R"({"attention": 1})", R"({"attention": {"keep": "most"}})",
        R"({"attention": {"keep": "top-0"}})", R"({"attention": {"keep": "top-99999999999"}})",
        R"({"attention": {"heads": [2, 1]}})", R"({"attention": {"heads": "first"}})",
        R"({"attention": {"heads": [0.5]}})", R"({"attention": {"layers": 3}})"}) {
    said([&] { read(bad); });
  }
  EXPECT_EQ(said([&] { read(R"({"attention": {"layer": "*", "keep": "all"}})"); }),
            "attention.layer: no such key; did you mean 'layers'?");
  EXPECT_EQ(said([&] { read(R"({"attention": {"temperature": 1}})"); }),
            "attention.temperature: no such key; there are: layers, heads, keep, words");
}

TEST(Keys, AreComparedWhole) {
  EXPECT_TRUE(same_key("secret-key", "secret-key"));
  EXPECT_FALSE(same_key("secret-kez", "secret-key"));
  EXPECT_FALSE(same_key("secret", "secret-key"));
  EXPECT_FALSE(same_key("secret-keysecret-key", "secret-key"));
  EXPECT_FALSE(same_key("", "secret-key"));
}

TEST(Base64, OfAllRemainders) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(to_base64("\xFF\xFE\xFD"), "//79");
}

TEST(OpenApi, TellsEveryRoute) {
  const Json document = openapi();
  for (const Route& route : routes()) {
    std::string path(route.path);
    if (const std::size_t at = path.find("ID"); at != std::string::npos)
      path.replace(at, 2, "{ID}");
    EXPECT_TRUE(document["paths"].contains(path)) << path;
  }
  EXPECT_EQ(document["paths"].size(), routes().size());
}

}  // namespace
}  // namespace fovea::serve
