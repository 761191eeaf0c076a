/// Many examples through a model, in batches of like length and without gradients: what validation,
/// tests and runs share.
#pragma once

#include <functional>
#include <vector>

#include "fovea/autograd/var.h"
#include "fovea/data/batches.h"
#include "fovea/tasks/example_task.h"
#include "fovea/tasks/report.h"

namespace fovea {

/// One row of numbers, as most outputs are.
inline std::vector<float> row_of(const Tensor& rows, Dim row) {
  const float* from = rows.view<float>()[row];
  return {from, from + rows.cols()};
}

/// Told how many examples are done.
using Progressed = std::function<void(Dim)>;

/// Adds the losses of a batch to those of a data set.
template <class T>
void add_losses(const std::vector<Objective<T>>& objectives, Batch<typename T::Example> batch,
                const typename T::Forward& forward, Losses& losses) {
  losses.sums.resize(objectives.size()), losses.counts.resize(objectives.size());
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    const double count = objectives[i].count(batch);
    const Var sum = count > 0 ? objectives[i].sum(batch, forward) : Var();
    if (!sum.defined()) continue;
    losses.counts[i] += count;
    losses.sums[i] += sum.item();
  }
}

/// The outputs of examples 0, 1, ... in their order; example(i) gives them, `rows` what they cost.
/// Their losses too, if `losses` is not null.
template <class T, class Get>
std::vector<typename T::Output> outputs_of(const T& task, std::span<const std::int32_t> rows,
                                           const Get& example, Losses* losses = nullptr,
                                           const Progressed& progressed = {}) {
  const NoTape no_tape;
  const auto objectives = losses ? task.objectives() : std::vector<Objective<T>>();
  if (losses)
    *losses = {std::vector<double>(objectives.size()), std::vector<double>(objectives.size())};
  const Batches batches = Batches::unshuffled(rows, {.rows = task.recipe.batch.rows});
  std::vector<typename T::Output> all(rows.size());
  Dim done = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<typename T::Example> batch;
    for (const std::uint32_t e : batches[b]) batch.push_back(example(e));
    const typename T::Forward forward = task.forward(batch, {});
    if (losses) add_losses<T>(objectives, batch, forward, *losses);
    std::vector<typename T::Output> outputs = task.outputs(batch, forward);
    for (std::size_t k = 0; k < outputs.size(); ++k) all[batches[b][k]] = std::move(outputs[k]);
    done += std::ssize(outputs);
    if (progressed) progressed(done);
  }
  return all;
}

/// The same of queries.
template <class T>
std::vector<typename T::Output> outputs_of(const T& task,
                                           std::span<const typename T::Query> queries,
                                           const Progressed& progressed = {}) {
  std::vector<std::int32_t> rows;
  for (const auto& query : queries) {
    rows.push_back(static_cast<std::int32_t>(task.rows(query.example)));
  }
  return outputs_of(
      task, rows, [&](std::uint32_t i) { return queries[i].example; }, nullptr, progressed);
}

/// What a task says to each example of a part, and how good that is.
template <class T>
struct Evaluation {
  std::vector<typename T::Output> outputs;
  std::vector<Report> reports;
};

/// Of validation and test: the examples as they are viewed in epoch 0.
template <class T>
Evaluation<T> evaluate(const T& task, const Examples<typename T::Example>& examples, Part part,
                       const Progressed& progressed = {}) {
  const auto viewed = [&](std::uint32_t e) {
    return task.view(examples, {.part = part, .epoch = 0, .example = e});
  };
  Losses losses;
  Evaluation<T> found{outputs_of(task, examples.rows(), viewed, &losses, progressed), {}};
  typename T::Score score(task);
  for (std::size_t e = 0; e < found.outputs.size(); ++e) {
    score.add(viewed(static_cast<std::uint32_t>(e)), found.outputs[e]);
  }
  found.reports = score.reports(losses);
  return found;
}

template <class T>
typename T::Output output_of(const T& task, const typename T::Query& query) {
  return std::move(outputs_of(task, std::span(&query, 1)).front());
}

}  // namespace fovea
