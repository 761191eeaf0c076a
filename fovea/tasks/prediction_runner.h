/// A trained model that answers inputs one by one, as the program and the server drive it. The task
/// says how inputs are read and what is answered (example_task.h).
#pragma once

#include "fovea/tasks/evaluation.h"
#include "fovea/tasks/prediction_session.h"
#include "fovea/tasks/runner.h"

namespace fovea {

template <class T>
class PredictionRunner : public Runner {
 public:
  using Example = typename T::Example;
  using Query = typename T::Query;

  PredictionRunner(const std::filesystem::path& folder, const std::vector<std::string>& settings)
      : task_(load_model<T>(folder, settings, Use::run)) {}

  Abilities abilities() const override { return T::abilities; }

  std::vector<Answer> run(std::span<const Input> inputs, const RunOptions& options) const override {
    const std::vector<Query> queries = parsed(inputs);
    const auto outputs = outputs_of<T>(task_, queries, options.progress);
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      answers.push_back(task_.answer(queries[i], outputs[i]));
      if (answers.back().cut) answers.back().json["cut"] = true;
    }
    return answers;
  }

  std::shared_ptr<const Prepared> prepare(const Input& input) const override {
    auto prepared = std::make_shared<PreparedQuery<Query>>();
    prepared->query = task_.parse(input);
    prepared->rows = task_.rows(prepared->query.example);
    return prepared;
  }
  std::unique_ptr<Session> session() const override {
    return std::make_unique<PredictionSession<T>>(task_);
  }

  TestResult test(const TestOptions& options) const override {
    expect_plain(options, T::name);
    auto data = task_.recipe.data;
    read_from(data, options.part, options.files);
    locate(data, options.base);
    Gathered read(task_);
    task_.read(data, options.part, read);
    const Examples<Example> examples = read.examples.finish();
    FOVEA_CHECK(examples.size() > 0, "data: the ", name_of(options.part), " set has no examples",
                why_empty(data, options.part));
    const Evaluation<T> found = evaluate(task_, examples, options.part, [&](Dim done) {
      if (options.progress) options.progress(done, examples.size());
    });
    TestResult result{.reports = test_reports(found.reports), .sources = {}, .answers = {}};
    for (std::size_t i = 0; i < read.queries.size(); ++i) {
      result.answers.push_back(task_.answer(read.queries[i], found.outputs[i]).text);
    }
    return result;
  }

  using Runner::record;
  std::vector<RunRecord> record(std::span<const Input> inputs, std::span<const std::string> answers,
                                const RecordOptions& options) const override {
    FOVEA_CHECK(answers.empty(), "look: --answer works only with models that generate text; leave ",
                "it out");
    FOVEA_CHECK(!options.words, "look: --words joins the pieces of models that generate text; a ",
                "model of the task ", T::name, " is shown by what it reads. Leave out --words");
    std::vector<RunRecord> records;
    for (const Query& query : parsed(inputs)) {
      const std::string& text = inputs[records.size()].text;
      records.push_back(task_.record(query, options));
      records.back().task = T::name;
      records.back().input = text;
    }
    return records;
  }
  using Runner::run;

 private:
  struct Gathered : ExampleSink<Query> {
    explicit Gathered(const T& of) : task(of) {}
    const T& task;
    std::vector<Query> queries;
    ExampleWriter<Example> examples{std::filesystem::temp_directory_path()};
    void add(Query query, std::int64_t line) override {
      examples.add(query.example, task.rows(query.example), line);
      queries.push_back(std::move(query));
    }
    void skip(const std::string&) override {}
  };

  std::vector<Query> parsed(std::span<const Input> inputs) const {
    return read_each(inputs, [&](const Input& input) { return task_.parse(input); });
  }

  T task_;
};

}  // namespace fovea
