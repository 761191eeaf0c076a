#include <gtest/gtest.h>

#include "fovea/tasks/task.h"
#include "fovea/tasks/training.h"

namespace fovea {
namespace {

/// What is said to a recipe before any file is looked for; "" if nothing.
std::string refusal(const RecipeFile& file) {
  try {
    Training::of(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// To one of the task with this setting.
std::string said(std::string_view task, const std::string& setting) {
  RecipeFile file{.path = "recipe.toml", .json = Json::object(), .task = std::string(task)};
  file.json["task"] = file.task;
  set_value(file.json, setting);
  return refusal(file);
}

TEST(RecipeCheck, DefaultsCanBeTrained) {
  for (const Task* task : all_tasks()) {
    EXPECT_EQ(said(task->name, "train.steps=2"), "") << task->name;
  }
  for (const char* family : {"transformer", "recurrent", "convolutional", "abs", "universal"}) {
    EXPECT_EQ(said("translate", concat("model.family=", family)), "") << family;
  }
}

TEST(RecipeCheck, PatienceAloneNeedsAValidationSet) {
  for (const Task* each : all_tasks()) {
    const std::string_view task = each->name;
    EXPECT_NE(said(task, "train.patience=3").find("there is no validation set to be patient with"),
              std::string::npos)
        << task;
    EXPECT_EQ(said(task, "train={patience=3, steps=2}"), "") << task;
  }
}

TEST(RecipeCheck, NamesWhatAHeadLacks) {
  const auto head = [](const std::string& fields) {
    return said("translate", "heads=[{" + fields + "}]");
  };
  EXPECT_EQ(head(R"(name = "fr", train = "a.fr")"), "");
  EXPECT_EQ(head(R"(name = "fr")"),
            "heads[0].train: expected a file, line by line beside data.train");
  for (const char* name : {"", "../evil", "a b"}) {
    EXPECT_TRUE(head(concat("name = \"", name, "\", train = \"a\"")).starts_with("heads[0].name: "))
        << name;
  }
  EXPECT_EQ(head(R"(name = "target", train = "a")"),
            "heads[0].name: 'target' is the name of another file of the model's folder; take "
            "another");
}

TEST(RecipeCheck, NamesSettingsOfASearchThatCannotBe) {
  EXPECT_EQ(said("translate", "decode.rerank=2"),
            "decode.rerank: expected a weight from 0 to 1, found 2");
  EXPECT_EQ(said("translate", "decode.n_best=5"),
            "decode: a beam of 4 does not hold the 5 best; set decode.beam (--beam) to at least 5");
}

TEST(RecipeCheck, NamesWhatDoesNotGoWithNeighbours) {
  const auto with = [](const std::string& setting) {
    RecipeFile file{.path = "recipe.toml", .json = Json::object(), .task = "translate"};
    file.json["task"] = "translate";
    set_value(file.json, "data={neighbours=true}");
    set_value(file.json, setting);
    return refusal(file);
  };
  EXPECT_EQ(with("model.tied=output"), "");
  EXPECT_TRUE(with("model.tied=all").starts_with("model.tied: "));
  EXPECT_TRUE(with("model={family=\"universal\", tied=\"all\"}").starts_with("model.tied: "));
  EXPECT_TRUE(with("model={family=\"recurrent\", attention={reach=\"local-m\"}}")
                  .starts_with("model.attention.reach: "));
  EXPECT_TRUE(with("model.lag=3").starts_with("model.lag: "));
  EXPECT_TRUE(with("text.dropout=0.1").starts_with("text.dropout: "));
  EXPECT_TRUE(with("data.join=2").starts_with("data.join: "));
}

TEST(RecipeCheck, NamesSizesThatNoModelHas) {
  EXPECT_EQ(said("translate", "model.width=0"), "model.width: expected at least 1, found 0");
  EXPECT_EQ(said("translate", "model.width=-32"), "model.width: expected at least 1, found -32");
  EXPECT_EQ(said("translate", "model.hidden=0"), "model.hidden: expected at least 1, found 0");
  EXPECT_EQ(said("translate", "model.encoder_layers=-3"),
            "model.encoder_layers: expected 0 to 1000, found -3");
  EXPECT_EQ(said("translate", "model.encoder_layers=1000000"),
            "model.encoder_layers: expected 0 to 1000, found 1000000");
  EXPECT_EQ(said("translate", "model.decoder_layers=0"),
            "model.decoder_layers: expected 1 to 1000, found 0");
  EXPECT_EQ(said("translate", "model={ family = \"recurrent\", hidden = 0 }"),
            "model.hidden: expected at least 1, found 0");
  EXPECT_EQ(said("translate", "model={ family = \"universal\", steps = 0 }"),
            "model.steps: expected 1 to 1000, found 0");
  EXPECT_EQ(said("translate", "model={ family = \"abs\", context = 0 }"),
            "model.context: expected at least 1, found 0");
  EXPECT_EQ(said("translate", "model={ family = \"convolutional\", kernel = 0 }"),
            "model.kernel: expected at least 1, found 0");
  EXPECT_EQ(said("language", "model.width=0"), "model.width: expected at least 1, found 0");
  EXPECT_EQ(said("language", "model.layers=-1"), "model.layers: expected 1 to 1000, found -1");
  EXPECT_EQ(said("tag", "model.width=0"), "model.width: expected at least 1, found 0");
  EXPECT_EQ(said("tag", "model.hidden=0"), "model.hidden: expected at least 1, found 0");
  EXPECT_EQ(said("classify", "model.width=0"), "model.width: expected at least 1, found 0");
  EXPECT_EQ(said("classify", "model={ family = \"encoder\", encoder = { heads = 3 } }"),
            "model.encoder.heads: expected a number that divides model.encoder.width = 128, "
            "found 3");
  EXPECT_EQ(said("answer", "model.encoder.width=0"),
            "model.encoder.width: expected at least 1, found 0");
  EXPECT_EQ(said("mask", "model.encoder.layers=0"),
            "model.encoder.layers: expected 1 to 1000, found 0");
  EXPECT_EQ(said("embed", "model.encoder.hidden=0"),
            "model.encoder.hidden: expected at least 1, found 0");
  EXPECT_EQ(said("cloze", "model.hidden=-1"), "model.hidden: expected at least 1, found -1");
  EXPECT_EQ(said("elmo", "model.projection=0"), "model.projection: expected at least 1, found 0");
}

TEST(RecipeCheck, NamesSharesAndBatchesThatMakeNoSense) {
  EXPECT_EQ(said("translate", "text.dropout=3"), "text.dropout: expected 0 to 1, found 3");
  EXPECT_EQ(said("translate", "objective.smoothing=3"),
            "objective.smoothing: expected 0 to below 1, found 3");
  EXPECT_EQ(said("classify", "objective.smoothing=1"),
            "objective.smoothing: expected 0 to below 1, found 1");
  EXPECT_EQ(said("translate", "model.dropout=2"), "model.dropout: expected 0 to below 1, found 2");
  EXPECT_EQ(said("language", "batch.context=0"), "batch.context: expected at least 1, found 0");
  EXPECT_EQ(said("tag", "batch.rows=0"), "batch.rows: expected at least 1, found 0");
  EXPECT_EQ(said("tag", "text.word_dropout=-1"),
            "text.word_dropout: expected at least 0, found -1");
}

}  // namespace
}  // namespace fovea
