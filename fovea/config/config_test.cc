#include "fovea/config/config.h"

#include <gtest/gtest.h>

#include "fovea/base/error_testing.h"
#include "fovea/config/differences.h"
#include "fovea/config/nearest.h"

namespace fovea {
namespace {

enum class Colour { red, dark_blue };
constexpr std::array<std::string_view, 2> names_of(Colour) { return {"red", "dark-blue"}; }

struct Inner {
  double rate = 0.5;
  std::vector<std::string> files = {};
  template <class Visitor>
  void fields(Visitor& visit) {
    visit("rate", rate);
    visit("files", files);
  }
};

struct Outer {
  std::int64_t rows = 3;
  bool on = false;
  Colour colour = Colour::red;
  Inner inner = {};
  std::vector<Inner> many = {};
  template <class Visitor>
  void fields(Visitor& visit) {
    visit("rows", rows);
    visit("on", on);
    visit("colour", colour);
    visit("inner", inner);
    visit("many", many);
  }
};

std::string error_of(std::string_view toml) {
  Outer outer;
  try {
    read_config(parse_toml(toml, "r.toml"), outer);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

struct Known {
  std::optional<double> figure;
  template <class Visitor>
  void fields(Visitor& visit) {
    visit("figure", figure);
  }
};

TEST(Config, WhatIsNotSetIsNotWritten) {
  for (const std::string text : {"{}", "{\"figure\":0.0}", "{\"figure\":2.5}"}) {
    Known known;
    read_config(Json::parse(text), known);
    EXPECT_EQ(known.figure.has_value(), text != "{}");
    EXPECT_EQ(write_config(known).dump(), text);
  }
  Known known;
  EXPECT_THROW(read_config(Json::parse("{\"figure\":null}"), known), Error);
}

TEST(Config, ReadsWhatIsGivenAndKeepsTheRest) {
  Outer outer;
  read_config(parse_toml("on = true\ncolour = 'dark-blue'\n[inner]\nrate = 2\nfiles = 'a'\n"
                         "[[many]]\nfiles = ['b', 'c']\n[[many]]\n",
                         "r.toml"),
              outer);
  EXPECT_EQ(outer.rows, 3);
  EXPECT_TRUE(outer.on);
  EXPECT_EQ(outer.colour, Colour::dark_blue);
  EXPECT_EQ(outer.inner.rate, 2);
  EXPECT_EQ(outer.inner.files, std::vector<std::string>{"a"});
  ASSERT_EQ(outer.many.size(), 2U);
  EXPECT_EQ(outer.many[0].files.back(), "c");
}

TEST(Config, WritesWhatItReads) {
  Outer outer{.rows = 7, .on = true, .colour = Colour::dark_blue, .inner = {.files = {"x"}}};
  outer.many.resize(1);
  Outer again;
  read_config(write_config(outer), again);
  EXPECT_EQ(write_config(again), write_config(outer));
  EXPECT_EQ(write_config(outer)["colour"], "dark-blue");
}

TEST(Config, ErrorsNameTheKeyAndTheNearest) {
  EXPECT_EQ(error_of("[inner]\nrat = 1"), "inner.rat: no such key; did you mean 'rate'?");
  EXPECT_EQ(error_of("zzzzzz = 1"),
            "zzzzzz: no such key; there are: rows, on, colour, inner, many");
  EXPECT_EQ(error_of("rows = 'many'"), "rows: expected a whole number, found \"many\"");
  EXPECT_EQ(error_of("rows = 1.5"), "rows: expected a whole number, found 1.5");
  EXPECT_EQ(error_of("[inner]\nrate = inf"), "inner.rate: expected a finite number, found inf");
  EXPECT_EQ(error_of("[inner]\nrate = nan"), "inner.rate: expected a finite number, found nan");
  EXPECT_EQ(error_of("colour = 'rod'"),
            "colour: expected one of red, dark-blue; found 'rod'; did you mean 'red'?");
  EXPECT_EQ(error_of("inner = 3"), "inner: expected a table, found 3");
  EXPECT_EQ(error_of("[[many]]\nfiles = [1]"), "many[0].files[0]: expected text, found 1");
  EXPECT_NE(error_of("rows = \n").find("r.toml:1:"), std::string::npos);
}

TEST(Config, OnlyWhatIsNearWasMeant) {
  const std::vector<std::string> commands = {"run", "look", "train", "tokenizer"};
  EXPECT_EQ(nearest("rnu", commands), "run");
  EXPECT_EQ(nearest("lok", commands), "look");
  EXPECT_EQ(nearest("trian", commands), "train");
  EXPECT_EQ(nearest("trani", commands), "train");
  EXPECT_EQ(nearest("tok", commands), "tokenizer");
  EXPECT_EQ(nearest("foo", commands), "");
  EXPECT_EQ(nearest("book", commands), "look");
  EXPECT_EQ(nearest("", commands), "");
}

TEST(Config, SetsValuesFromTheCommandLine) {
  Json json = parse_toml("[inner]\nrate = 1", "r.toml");
  set_value(json, "inner.rate=3e-4");
  set_value(json, "inner.files=a/b.txt");
  set_value(json, "on=true");
  Outer outer;
  read_config(json, outer);
  EXPECT_EQ(outer.inner.rate, 3e-4);
  EXPECT_EQ(outer.inner.files, std::vector<std::string>{"a/b.txt"});
  EXPECT_TRUE(outer.on);
  EXPECT_THROW(set_value(json, "nothing"), Error);
  EXPECT_THROW(set_value(json, "inner.files=\xff"), Error);
  EXPECT_THROW(set_value(json, "inner.rate.x=1"), Error);
}

TEST(Config, RefusesListsThatAreNotClosed) {
  Json json = Json::object();
  const auto refused = [&](const char* assignment) -> std::string {
    try {
      set_value(json, assignment);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused("inner.files=[\"a\""),
            "--set inner.files=[\"a\": not a complete list: it begins with [ and does not end with "
            "]; if it is meant as text, put it in quotes");
  EXPECT_NE(refused("inner={ rate = 1").find("not a complete table"), std::string::npos);
  EXPECT_EQ(refused("inner.files=[MASK]"), "");
  EXPECT_EQ(json["inner"]["files"], "[MASK]");
  EXPECT_EQ(refused("inner.files=\"[a\""), "");
  EXPECT_EQ(json["inner"]["files"], "[a");
}

TEST(Config, BlamesSettingsForWhatTheySet) {
  const auto blame = [](const char* toml, const std::vector<std::string>& settings) -> std::string {
    Json json = parse_toml(toml, "r.toml");
    for (const std::string& setting : settings) set_value(json, setting);
    Outer outer;
    try {
      read_config(json, outer);
    } catch (const Error& error) {
      const Error cause = blamed(error, settings, "r.toml");
      EXPECT_EQ(cause.kind(), ErrorKind::bad_setting);
      return cause.what();
    }
    return "";
  };
  EXPECT_EQ(blame("", {"on=true", "inner.rat=1"}),
            "--set inner.rat=1: no such key; did you mean 'rate'?");
  EXPECT_EQ(blame("[inner]\nrat = 1", {"on=true", "inner.rate=2"}),
            "r.toml: inner.rat: no such key; did you mean 'rate'?");
  EXPECT_EQ(blame("", {"rows=x", "rows=y"}), "--set rows=y: expected a whole number, found \"y\"");
  EXPECT_EQ(blame("", {"inner.files=[1]"}),
            "--set inner.files=[1]: inner.files[0]: expected text, found 1");
  EXPECT_EQ(blame("", {"inner={ rat = 1 }"}),
            "--set inner={ rat = 1 }: inner.rat: no such key; did you mean 'rate'?");
  EXPECT_EQ(blame("", {"rows.more=1"}),
            "--set rows.more=1: rows: expected a whole number, found {\"more\":1}");
}

TEST(Config, TellsBadSettingsFromBadFiles) {
  const auto kind_of_toml = [](const char* text) {
    return kind_thrown_by([&] {
      Outer outer;
      read_config(parse_toml(text, "r.toml"), outer);
    });
  };
  EXPECT_EQ(kind_of_toml("rows = \"many\""), ErrorKind::bad_setting);
  EXPECT_EQ(kind_of_toml("rats = 1"), ErrorKind::bad_setting);
  EXPECT_EQ(kind_of_toml("colour = \"purple\""), ErrorKind::bad_setting);
  EXPECT_EQ(kind_of_toml("rows = "), ErrorKind::bad_file);
  Json json = Json::object();
  EXPECT_EQ(kind_thrown_by([&] { set_value(json, "rows"); }), ErrorKind::bad_setting);
  EXPECT_EQ(kind_thrown_by([] { parse_json("{", "r.json"); }), ErrorKind::bad_file);
  EXPECT_EQ(kind_thrown_by([] { parse_json_file("no such file"); }), ErrorKind::not_found);
  EXPECT_EQ(kind_thrown_by([] { parse_toml_file("/"); }), ErrorKind::bad_file);
}

TEST(Config, RefusesNumbersThatDoNotFit) {
  Outer outer;
  EXPECT_THROW(read_config(parse_json("{\"rows\": 18446744073709551615}", "r.json"), outer), Error);
}

TEST(Json, HostileTextIsAnError) {
  const auto refused = [](const std::string& text) -> std::string {
    try {
      parse_json(text, "file");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(refused("{\"a\": [1,").find("file: is no JSON (at byte"), std::string::npos);
  EXPECT_NE(refused("[1e999]").find("file: cannot be read"), std::string::npos);
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_NE(refused(deep).find("deep (at byte 256)"), std::string::npos);
  EXPECT_NE(refused(std::string(300, '{')).find("deep"), std::string::npos);
  const std::string quoted = "[\"" + std::string(1000, '[') + "\\\"[\", 2]";
  EXPECT_EQ(parse_json(quoted, "file")[1], 2);  // brackets in strings are text
}

TEST(Config, SaysWhatHasChanged) {
  const Json before = Json::parse(R"({"steps": 20, "schedule": {"rate": 0.1}, "files": ["a"]})");
  EXPECT_EQ(differences(before, before), "");
  const Json now =
      Json::parse(R"({"steps": 40, "schedule": {"rate": 0.2, "younger": 1}, "files": ["a", "b"]})");
  EXPECT_EQ(differences(before, now),
            R"(files ["a"] -> ["a","b"], schedule.rate 0.1 -> 0.2, steps 20 -> 40)");
}

}  // namespace
}  // namespace fovea
