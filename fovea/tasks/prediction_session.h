/// Inputs of many callers, answered whole by a task of example_task.h: those that wait are computed
/// together, about so many rows a turn.
#pragma once

#include <deque>

#include "fovea/tasks/evaluation.h"
#include "fovea/tasks/session.h"

namespace fovea {

template <class Query>
struct PreparedQuery : Prepared {
  Query query;
};

template <class T>
class PredictionSession : public Session {
 public:
  using Query = typename T::Query;

  /// The task must live longer.
  explicit PredictionSession(const T& task) : task_(task) {}

  Dim rows() const override { return rows_; }
  bool empty() const override { return waits_.empty(); }

  std::vector<WrittenLine> admit(std::vector<WriteRequest> requests) override {
    for (WriteRequest& request : requests) {
      auto prepared = std::dynamic_pointer_cast<const PreparedQuery<Query>>(request.prepared);
      FOVEA_CHECK(prepared, ErrorKind::internal, "session: a request that was not prepared");
      rows_ += prepared->rows;
      waits_.push_back({request.key, std::move(prepared)});
    }
    return {};
  }

  std::vector<WrittenLine> step(Dim max_rows) override {
    std::vector<Waiting> turn;
    Dim rows = 0;
    while (!waits_.empty() && (turn.empty() || rows + waits_.front().prepared->rows <= max_rows)) {
      rows += waits_.front().prepared->rows;
      turn.push_back(std::move(waits_.front()));
      waits_.pop_front();
    }
    rows_ -= rows;
    try {
      return answered(turn);
    } catch (const std::exception&) {  // one of them cannot be answered: each by itself
      std::vector<WrittenLine> all;
      for (const Waiting& one : turn) all.push_back(answered_alone(one));
      return all;
    }
  }

  void drop(const std::function<bool(Dim)>& unwanted) override {
    std::erase_if(waits_, [&](const Waiting& one) {
      if (!unwanted(one.key)) return false;
      rows_ -= one.prepared->rows;
      return true;
    });
  }

 private:
  struct Waiting {
    Dim key;
    std::shared_ptr<const PreparedQuery<Query>> prepared;
  };

  std::vector<WrittenLine> answered(std::span<const Waiting> turn) const {
    std::vector<Query> queries;
    for (const Waiting& one : turn) queries.push_back(one.prepared->query);
    const auto outputs = outputs_of<T>(task_, queries);
    std::vector<WrittenLine> all;
    for (std::size_t i = 0; i < turn.size(); ++i) {
      WrittenLine& line = all.emplace_back(WrittenLine{.key = turn[i].key});
      line.answer = task_.answer(queries[i], outputs[i]);
      if (line.answer->cut) line.answer->json["cut"] = true;
      line.cut = line.answer->cut;
      line.read = line.answer->json.value("tokens", Dim(0));
    }
    return all;
  }

  WrittenLine answered_alone(const Waiting& one) const {
    try {
      return std::move(answered(std::span(&one, 1)).front());
    } catch (const std::exception& error) {
      return {.key = one.key, .error = error.what(), .error_kind = error_kind(error)};
    }
  }

  const T& task_;
  std::deque<Waiting> waits_;
  Dim rows_ = 0;
};

}  // namespace fovea
