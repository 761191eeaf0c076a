#include <cstdio>

#include "commands.h"
#include "fovea/base/atomic_file.h"
#include "fovea/base/progress.h"
#include "fovea/data/find_data.h"
#include "fovea/tasks/recipe.h"
#include "fovea/tasks/runner.h"
#include "products_option.h"

namespace fovea::app {
namespace {

struct EvalArguments {
  std::filesystem::path model, answers;
  std::vector<std::string> settings;
  TestOptions test;
  bool dev = false, json = false;
};

/// What is measured on, and what the model was made of: files as recipes name them.
std::vector<std::string> inputs_of(const EvalArguments& options) {
  std::vector<std::string> inputs = options.test.files;
  if (!options.test.links.empty()) inputs.push_back(options.test.links);
  const Json data = model_config(options.model).value("data", Json::object());
  for (const char* part : {"train", "dev", "test"}) {
    for (const Json& name : data.value(part, Json::array()))
      inputs.push_back(name.get<std::string>());
  }
  return inputs;
}

/// Answers go neither over what they are measured by nor nowhere.
void check_answers(const EvalArguments& options) {
  if (options.answers.empty()) return;
  std::error_code none;
  for (const std::string& name : inputs_of(options)) {
    std::filesystem::path input;
    try {
      input = resolve(name, options.test.base).path;
    } catch (const Error&) {
      continue;  // what is not there is told where it is read
    }
    FOVEA_CHECK(!std::filesystem::equivalent(options.answers, input, none), ErrorKind::bad_setting,
                "eval: --answers ", options.answers.string(), " would be written over ", name,
                ", which is data; name another file");
  }
  check_output(options.answers);
}

/// Before anything is computed.
void check(const EvalArguments& options) {
  FOVEA_CHECK(!options.dev || options.test.files.empty(), ErrorKind::bad_setting,
              "eval: --dev is the recipe's validation set; give either that or files");
  Dim last = 0;
  for (const Dim length : options.test.lengths) {
    FOVEA_CHECK(length > last, ErrorKind::bad_setting,
                "eval: --by-length takes lengths that rise, such as 8,12,16; found ", length,
                " after ", last);
    last = length;
  }
}

void print(const TestResult& result, bool as_json) {
  if (!as_json) {
    for (const Report& report : result.reports) {
      std::printf("%s  [%s]\n", report.text.c_str(), report.signature.c_str());
    }
    return;
  }
  Json json = Json::object();
  for (const Report& report : result.reports) {
    json[report.figure.name] = {
        {"value", report.figure.value}, {"text", report.text}, {"signature", report.signature}};
  }
  std::printf("%s\n", json.dump().c_str());
}

void eval_command(EvalArguments& options) {
  check(options);
  const std::unique_ptr<Runner> runner = Runner::load(options.model, options.settings);
  check_answers(options);
  if (options.dev) options.test.part = Part::dev;
  Progress progress;
  options.test.progress = [&](Dim done, Dim all) {
    if (!progress.due()) return;
    progress.show(static_cast<double>(done) / static_cast<double>(all), concat(done, " of ", all));
  };
  const TestResult result = runner->test(options.test);
  print(result, options.json);
  if (options.answers.empty()) return;
  FOVEA_CHECK(!result.answers.empty(), ErrorKind::bad_setting,
              "eval: --answers: a model of this task gives no answer to ",
              "each line; leave it out");
  std::string answers;
  for (const std::string& line : result.answers) answers += line + "\n";
  std::fflush(stdout);  // the figures are safe, whatever becomes of the answers
  write_output(options.answers, answers);
}

}  // namespace

void add_eval(CLI::App& app) {
  CLI::App* command = app.add_subcommand("eval", "Measure a model on a test set");
  auto options = std::make_shared<EvalArguments>();
  command->add_option("model", options->model, "Folder of a trained model")->required();
  command->add_option(
      "files", options->test.files,
      "As data.test of a recipe names them; none: the test set of the model's recipe");
  command->add_option("--links", options->test.links,
                      "Also the alignment error rate against these links of words (0-0 1?2)");
  command
      ->add_option(
          "--by-length", options->test.lengths,
          "Of translations also by words of the source: --by-length 8,12 measures 0-8, 9-12, ...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--dev", options->dev, "The validation set of the recipe instead");
  command->add_option("--answers", options->answers, "Write what the model said to this file");
  command->add_option("--set", options->settings, "Another setting: --set decode.beam=8")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "Figures as JSON");
  add_products(*command);
  command->footer(
      "  fovea eval runs/multi30k-en-de                       the test set of its recipe\n"
      "  fovea eval runs/multi30k-en-de --dev --set decode.beam=10\n"
      "  fovea eval runs/multi30k-en-de mine.en mine.de --answers out.de");
  command->callback([options] { eval_command(*options); });
}

}  // namespace fovea::app
