/// Texts of many callers that are written together are those that each gets alone.
#include "fovea/tasks/writer.h"

#include <gtest/gtest.h>

#include <map>

#include "fovea/tasks/language/language_workload.h"
#include "fovea/tasks/task_testing.h"
#include "fovea/tasks/translate/translate_workload.h"

namespace fovea {
namespace {

/// Lines enter a few at a time while others are being written, some are dropped; what each of the
/// others was answered.
std::map<Dim, WrittenLine> written(const Runner& runner, const std::vector<std::string>& lines,
                                   const std::function<void(WriteRequest&)>& change = {}) {
  const auto session = runner.session();
  std::map<Dim, WrittenLine> answers;
  const auto note = [&](std::vector<WrittenLine> done) {
    for (WrittenLine& line : done) answers[line.key] = std::move(line);
  };
  Dim next = 0, steps = 0;
  const Dim count = std::ssize(lines);
  while (next < count || !session->empty()) {
    if (next < count && steps % 2 == 0) {
      std::vector<WriteRequest> requests;
      for (Dim n = 0; n <= steps % 3 && next < count; ++n, ++next) {
        requests.push_back({.key = next,
                            .line = lines[static_cast<std::size_t>(next)],
                            .settings = runner.defaults()});
        if (change) change(requests.back());
      }
      note(session->admit(std::move(requests)));
    }
    if (!session->empty()) note(session->step(256));
    if (steps == 3) session->drop([](Dim key) { return key == 1; });
    ++steps;
  }
  return answers;
}

void expect_as_alone(Runner& runner, const std::vector<std::string>& lines) {
  const auto answers = written(runner, lines);
  for (const auto& [key, line] : answers) {
    SCOPED_TRACE(concat("line ", key));
    EXPECT_EQ(line.error, "");
    const std::string& text = lines[static_cast<std::size_t>(key)];
    const Json alone = runner.run(std::span(&text, 1), {})[0].json["answers"];
    ASSERT_EQ(alone.size(), line.texts.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(alone[i]["text"], line.texts[i].text);
      EXPECT_EQ(alone[i]["log_probability"], line.texts[i].log_probability) << "bit for bit";
    }
  }
  EXPECT_GE(std::ssize(answers), std::ssize(lines) - 1);
}

constexpr const char* translate_toml = R"(
task = "translate"
data = { train = ["a", "b"], dev = ["a", "b"] }
decode = { beam = 3, n_best = 2 }
text = { joint = false, source = { kind = "characters" }, target = { kind = "characters" } }
model = { encoder_layers = 1, decoder_layers = 2, width = 16, heads = 2, hidden = 16, dropout = 0.0 }
train = { steps = 30, validate_every = 30, schedule = { kind = "constant", rate = 1e-2, warmup = 1 } }
)";

class TinyWriter : public TinyTask<TranslationModel, TranslateWorkload> {
 protected:
  TinyWriter() : TinyTask(translate_toml) {
    std::ofstream a(folder_ / "a"), b(folder_ / "b");
    for (int i = 0; i < 60; ++i) {
      const std::string line = std::string(1 + i % 5, 'a' + i % 3) + std::string(i % 4, 'd');
      a << line << "\n";
      b << std::string(line.rbegin(), line.rend()) << "e\n";
    }
  }
  const std::vector<std::string> lines_ = {
      "aab", "c", "dddd", "abcabcabc", "", "bd", "aaaaaaaaaaaaaaaaaaaa", "cdc", "b", "dca"};
};

TEST_F(TinyWriter, ATransformer) {
  trained(recipe());
  expect_as_alone(*runner(), lines_);
  expect_as_alone(*runner({"decode.search=greedy", "decode.n_best=1"}), lines_);
  expect_as_alone(*runner({"decode.coverage_penalty=0.2"}), lines_);
  expect_as_alone(*runner({"decode.search=sample", "decode.temperature=1.5"}), lines_);
}

/// What was seen while a line was written is what a pass over the written line sees.
void expect_seen(Runner& runner, const std::vector<std::string>& lines,
                 const RecordOptions& options) {
  const auto answers = written(runner, lines, [&](WriteRequest& r) { r.look = options; });
  Dim seen_lines = 0;
  for (const auto& [key, line] : answers) {
    SCOPED_TRACE(concat("line ", key));
    if (line.read == 1 || !line.texts[0].finished) continue;  // empty, or of no end
    ++seen_lines;
    ASSERT_TRUE(line.record);
    const std::string& source = lines[static_cast<std::size_t>(key)];
    const RunRecord again =
        runner.record({&source, 1}, std::span(&line.texts[0].text, 1), options)[0];
    EXPECT_EQ(line.record->tokens("target"), again.tokens("target"));
    EXPECT_EQ(line.record->output, again.output);
    ASSERT_EQ(line.record->layers.size(), again.layers.size());
    for (std::size_t i = 0; i < again.layers.size(); ++i) {
      const RunRecord::Layer &seen = line.record->layers[i], &expected = again.layers[i];
      EXPECT_EQ(seen.name, expected.name);
      EXPECT_EQ(seen.heads, expected.heads);
      EXPECT_EQ(seen.top_keys, expected.top_keys);
      ASSERT_EQ(seen.weights.size(), expected.weights.size());
      for (std::size_t w = 0; w < seen.weights.size(); ++w) {
        EXPECT_NEAR(seen.weights[w], expected.weights[w], 1e-6);
      }
    }
  }
  EXPECT_GT(seen_lines, std::ssize(lines) / 2);
}

TEST_F(TinyWriter, SeesWhereItLooksWhileItWrites) {
  trained(recipe());
  for (const auto& how : {runner(), runner({"decode.search=greedy", "decode.n_best=1"})}) {
    expect_seen(*how, lines_, {.layers = "decoder.*.cross", .keep = Keep::top, .top = 16});
    expect_seen(*how, lines_,
                {.layers = "decoder.0.cross", .heads = {1}, .keep = Keep::top, .top = 2});
  }
}

TEST_F(TinyWriter, LeavesOtherLooksToAPassOfTheirOwn) {
  trained(recipe());
  const auto model = runner();
  const auto answers = written(*model, lines_, [](WriteRequest& r) {
    constexpr std::array asked = {"*", "decoder.0.cross", "decoder.0.self", "encoder.0.cross"};
    if (r.key == 0) return;
    r.look = RecordOptions{.layers = asked[static_cast<std::size_t>(r.key) % 4],
                           .keep = r.key == 5 ? Keep::all : Keep::top};
  });
  for (const auto& [key, line] : answers) {
    EXPECT_EQ(line.error, "");
    const bool alike = key % 4 == 1 && key != 5 && line.texts[0].finished;
    EXPECT_EQ(line.record.has_value(), alike) << key;
  }
}

TEST_F(TinyWriter, EveryOtherFamily) {
  const std::vector<std::string> families = {
      "family = \"recurrent\"\nembedding = 8\nhidden = 8",
      "family = \"recurrent\"\ncell = \"lstm\"\nembedding = 8\nhidden = 8\nread = \"feed\"\n"
      "attention = { score = \"general\", reach = \"local-p\", window = 2 }",
      "family = \"recurrent\"\nembedding = 8\nhidden = 8\nattention = { score = \"none\" }",
      "family = \"universal\"\nsteps = 2\nwidth = 16\nheads = 2\nhidden = 16",
      "family = \"convolutional\"\nencoder_layers = 1\ndecoder_layers = 2\nwidth = 16\nhidden = 16",
      "family = \"abs\"\nembedding = 8\nhidden = 8"};
  for (const std::string& model : families) {
    SCOPED_TRACE(model);
    TranslateRecipe with = recipe();
    read_config(parse_toml(model, "test"), with.model);
    with.train.steps = with.train.validate_every = 90;  // most lines come to an end
    std::filesystem::remove_all(folder_ / "run");
    trained(with);
    expect_as_alone(*runner(), lines_);
    const bool halts = family_of(with.model.config) == TranslatorFamily::universal;
    if (!halts && !model.ends_with("\"none\" }"))
      expect_seen(*runner(), lines_, {.layers = "decoder.*cross", .keep = Keep::top});
  }
}

TEST_F(TinyWriter, TellsTextsAsTheyGrow) {
  trained(recipe());
  const auto model = runner();
  for (const Search search : {Search::greedy, Search::beam}) {
    std::map<Dim, std::string> told;
    std::map<Dim, std::vector<std::string>> pieces;
    const auto answers = written(*model, lines_, [&](WriteRequest& request) {
      request.settings.decode.search = search;
      request.settings.decode.n_best = 1;
      request.on_text = [&, key = request.key](std::string_view text) { told[key] += text; };
      request.on_pieces = [&, key = request.key](const auto& all) { pieces[key] = all; };
    });
    for (const auto& [key, line] : answers) {
      EXPECT_EQ(told[key], line.texts[0].text);
      if (search == Search::greedy && line.texts[0].tokens > 0) {
        EXPECT_EQ(std::ssize(pieces[key]), line.texts[0].tokens);
      }
    }
  }
}

TEST_F(TinyWriter, OneBadRequestIsItsOwnMatter) {
  trained(recipe());
  const auto model = runner();
  const auto answers = written(*model, lines_, [](WriteRequest& request) {
    if (request.key == 2) request.settings.decode.n_best = 50;  // of a beam of 3
    if (request.key == 5) request.settings.stop = {"x"};
    if (request.key == 7) request.settings.prefix = "cd";
  });
  EXPECT_NE(answers.at(2).error.find("decode.beam"), std::string::npos);
  EXPECT_NE(answers.at(5).error, "");
  EXPECT_TRUE(answers.at(7).texts[0].text.starts_with("cd"));
  const auto alone = model->run(std::span(&lines_[3], 1), {});
  EXPECT_EQ(alone[0].json["answers"][0]["text"], answers.at(3).texts[0].text);
}

constexpr const char* language_toml = R"(
task = "language"
data = { train = ["text"], dev = ["text"] }
batch = { context = 8, sequences = 8 }
model = { layers = 2, width = 16, hidden = 16, heads = 2, dropout = 0.0 }
train = { steps = 20, validate_every = 20, schedule = { kind = "constant", rate = 1e-2, warmup = 1 } }
decode = { search = "sample", max_length = 20, n_best = 2 }
)";

class TinyLanguageWriter : public TinyTask<WritingModel, LanguageWorkload> {
 protected:
  TinyLanguageWriter() : TinyTask(language_toml) {
    std::ofstream text(folder_ / "text");
    for (int i = 0; i < 400; ++i) text << "abcdefgh"[i % 8] << (i % 5 == 0 ? "\n" : "");
  }
  const std::vector<std::string> lines_ = {"a", "", "bcdefghab", "cd", "abcdefghabcdefgh",
                                           "e", "h"};
};

TEST_F(TinyLanguageWriter, TextsThatOutgrowTheContext) {
  trained(recipe());
  expect_as_alone(*runner(), lines_);
  expect_as_alone(*runner({"decode.search=greedy", "decode.n_best=1", "decode.stop=[\"d\"]"}),
                  lines_);
  expect_as_alone(*runner({"decode.search=beam"}), lines_);
}

TEST_F(TinyLanguageWriter, ARecurrentModel) {
  trained(recipe({"model.family=recurrent"}));
  expect_as_alone(*runner(), lines_);
}

TEST_F(TinyLanguageWriter, StreamsAndStops) {
  trained(recipe());
  std::map<Dim, std::string> told;
  const auto answers = written(*runner(), lines_, [&](WriteRequest& request) {
    request.settings.decode.n_best = 1;
    request.settings.stop = {"de"};
    request.on_text = [&, key = request.key](std::string_view text) { told[key] += text; };
  });
  for (const auto& [key, line] : answers) {
    EXPECT_EQ(told[key], line.texts[0].text);
    EXPECT_EQ(line.texts[0].text.find("de"), std::string::npos);
    EXPECT_EQ(line.read, std::ssize(lines_[static_cast<std::size_t>(key)]));
  }
}

}  // namespace
}  // namespace fovea
