/// Training of a task whose data are examples: what the loop in train/ drives. The task says how
/// examples are read, what they lose and how they are scored (example_task.h). A task whose
/// validation is more than the outputs of examples derives from ExampleTraining.
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "fovea/tasks/evaluation.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/tasks/skipped_examples.h"

namespace fovea {

template <class T>
class ExampleTraining : public Workload {
 public:
  using Example = typename T::Example;
  using Query = typename T::Query;

  /// Reads the data, learns what the task learns from it (or takes what is in the run's folder, if
  /// the run is resumed) and draws the model. The recipe's names are located.
  ExampleTraining(const typename T::Recipe& recipe, const RunPlace& place)
      : task_(T::make(recipe, place)), objectives_(task_.objectives()) {
    std::filesystem::create_directories(place.folder);
    read(Part::train, place.folder, train_);
    if (has_part(task_.recipe.data, Part::dev)) read(Part::dev, place.folder, dev_.emplace());
  }

  const T& task() const { return task_; }
  const Examples<Example>& train() const { return train_; }
  const std::optional<Examples<Example>>& dev() const { return dev_; }
  const std::vector<Objective<T>>& objectives() const { return objectives_; }

  Params& params() override { return *task_.params; }
  Dim examples() const override { return train_.size(); }
  Dim model_width() const override { return task_.model_width(); }
  std::vector<std::string> notes() const override { return skipped_.notes(); }

  std::vector<LossPart> parts() const override {
    std::vector<LossPart> parts;
    for (const Objective<T>& objective : objectives_) parts.push_back(objective.part);
    return parts;
  }

  Dim begin_epoch(Dim epoch) override {
    epoch_ = epoch;
    views_.clear();
    batches_.emplace(train_.rows(), task_.recipe.batch, epoch);
    return batches_->size();
  }

  std::vector<double> counts(Dim batch) override {
    const std::vector<Example>& views =
        views_.insert_or_assign(batch, views_of(batch)).first->second;
    std::vector<double> counts;
    for (const Objective<T>& objective : objectives_) counts.push_back(objective.count(views));
    return counts;
  }

  std::vector<Var> losses(Dim batch, const Pass& pass) override {
    const auto counted = views_.extract(batch);
    const std::vector<Example> views = counted ? std::move(counted.mapped()) : views_of(batch);
    const typename T::Forward forward = task_.forward(views, pass);
    std::vector<Var> sums;
    for (const Objective<T>& objective : objectives_) {
      sums.push_back(objective.count(views) > 0 ? objective.sum(views, forward) : Var());
    }
    return sums;
  }

  std::string describe(Dim batch) override {
    return concat(train_.lines((*batches_)[batch]), " of ", task_.line_source());
  }

  std::vector<std::string> show(Dim step) override {
    ShownExamples shown;
    task_.show(shown_, dev_ ? *dev_ : train_, shown);
    return shown.lines(step);
  }

  std::vector<std::string> save_rest(const std::string& folder) override {
    return task_.save_rest(folder);
  }

 private:
  /// Stores examples, and keeps the first queries to show them.
  class Writer : public ExampleSink<Query> {
   public:
    Writer(ExampleTraining& work, Part part, const std::filesystem::path& scratch)
        : work_(work), part_(part), examples_(scratch) {
      work_.shown_.clear();
    }
    void add(Query query, std::int64_t line) override {
      if (part_ == Part::train) work_.skipped_.count("");
      examples_.add(query.example, work_.task_.rows(query.example), line);
      if (work_.shown_.size() < ShownExamples::most) work_.shown_.push_back(std::move(query));
    }
    void skip(const std::string& reason) override {
      if (part_ == Part::train) work_.skipped_.count(reason);
    }
    Examples<Example> finish() { return examples_.finish(); }

   private:
    ExampleTraining& work_;
    Part part_;
    ExampleWriter<Example> examples_;
  };

  void read(Part part, const std::filesystem::path& scratch, Examples<Example>& into) {
    Writer writer(*this, part, scratch);
    task_.read(task_.recipe.data, part, writer);
    into = writer.finish();
    const std::vector<std::string> skipped =
        part == Part::train ? notes() : std::vector<std::string>();
    FOVEA_CHECK(into.size() > 0, "data: the ", name_of(part), " set has no examples",
                skipped.empty() ? why_empty(task_.recipe.data, part) : ": " + skipped.front());
    task_.take(part, into);
  }

  std::vector<Example> views_of(Dim batch) const {
    std::vector<Example> views;
    for (const std::uint32_t e : (*batches_)[batch]) {
      views.push_back(
          task_.view(train_, {.part = Part::train, .epoch = epoch_, .example = e, .batch = batch}));
    }
    return views;
  }

  T task_;
  std::vector<Objective<T>> objectives_;
  SkippedExamples skipped_;
  Examples<Example> train_;
  std::optional<Examples<Example>> dev_;
  std::vector<Query> shown_;  // of dev, or else of train
  Dim epoch_ = 0;
  std::optional<Batches> batches_;
  std::map<Dim, std::vector<Example>> views_;  // of batches that were counted and not yet computed
};

template <class T>
class ExampleWorkload : public ExampleTraining<T> {
 public:
  using ExampleTraining<T>::ExampleTraining;

  std::vector<std::string> figure_names() const override {
    if (!this->dev()) return {};
    const std::vector<double> zeros(this->objectives().size());
    const typename T::Score nothing(this->task());
    std::vector<std::string> names;
    for (const Figure& figure : validation_figures(nothing.reports({zeros, zeros}))) {
      names.push_back(figure.name);
    }
    return names;
  }

  std::vector<Figure> validate() override {
    if (!this->dev()) return {};
    return validation_figures(evaluate(this->task(), *this->dev(), Part::dev).reports);
  }
};

}  // namespace fovea
