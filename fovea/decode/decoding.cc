#include "fovea/decode/decoding.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/threads.h"
#include "fovea/kernels/grain.h"
#include "fovea/kernels/top.h"

namespace fovea {
namespace {

bool in_order(std::span<const Dim> from, Dim count) {
  if (std::ssize(from) != count) return false;
  for (Dim i = 0; i < count; ++i) {
    if (from[static_cast<std::size_t>(i)] != i) return false;
  }
  return true;
}

/// Which request a row of a step belongs to, and which of its hypotheses it is.
struct Row {
  Searching* request = nullptr;
  Dim open = 0;
};

std::vector<Row> open_rows(const Decoding::Requests& requests) {
  std::vector<Row> rows;
  for (const auto& request : requests) {
    for (Dim i = 0; i < std::ssize(request->open()); ++i) rows.push_back({request.get(), i});
  }
  return rows;
}

}  // namespace

Decoding::Decoding(std::shared_ptr<Stepper> stepper, Requests requests)
    : stepper_(std::move(stepper)), requests_(std::move(requests)), coverage_(requests_.size()) {
  std::vector<std::span<const std::int32_t>> prefixes;
  for (const auto& request : requests_) prefixes.emplace_back(request->job().request.prefix);
  next_ = joined(prefixes);
}

Dim Decoding::rows() const {
  Dim rows = 0;
  for (const auto& request : requests_) rows += std::ssize(request->open());
  return rows;
}

Decoding::Requests Decoding::step() {
  const std::vector<Row> hypotheses = open_rows(requests_);
  const bool coverage = std::ranges::any_of(
      requests_, [](const auto& request) { return request->job().config.coverage_penalty > 0; });
  stepper_->track_coverage(coverage);
  stepper_->capture(
      std::ranges::any_of(requests_, [](const auto& request) { return request->job().capture; }));
  Tensor logits = stepper_->step(next_);  // (hypotheses, vocabulary)
  check(logits);
  if (!logits.unique()) logits = logits.clone();
  if (coverage) coverage_.add(stepper_->coverage());
  if (const auto captured = stepper_->captured()) {
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      const auto [request, open] = hypotheses[i];
      if (request->job().capture) request->add_captured(open, captured, static_cast<Dim>(i));
    }
  }
  std::vector<float> log_sums(hypotheses.size());
  const Rows<float> x = logits.mutable_view<float>();
  parallel_for(x.rows, kernels::row_grain(x.cols), [&](Dim begin, Dim end) {
    for (Dim i = begin; i < end; ++i) {
      const auto [request, open] = hypotheses[static_cast<std::size_t>(i)];
      float& log_sum = log_sums[static_cast<std::size_t>(i)];
      log_sum = kernels::log_sum_exp(x[i], x.cols);
      if (!std::isfinite(log_sum)) continue;
      request->constraints().apply(request->open()[static_cast<std::size_t>(open)].text.ids, x[i]);
      request->read(open, {x[i], static_cast<std::size_t>(x.cols)}, log_sum);
    }
  });
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const auto [request, open] = hypotheses[i];
    FOVEA_CHECK(std::isfinite(log_sums[i]), "decode: the logits of request ", request->job().key,
                " after ", request->open()[static_cast<std::size_t>(open)].text.ids.size(),
                " tokens are not finite (logsumexp ", log_sums[i], "); are the model's weights?");
  }

  Requests done, still;
  std::vector<Dim> from;
  Dim first = 0;  // of the request's hypotheses in this step
  for (auto& request : requests_) {
    const Dim count = std::ssize(request->open());
    const double beta = request->job().config.coverage_penalty;
    for (const Dim i :
         request->advance([&](Dim i) { return coverage_.penalty(first + i, beta); })) {
      from.push_back(first + i);
    }
    first += count;
    (request->open().empty() ? done : still).push_back(std::move(request));
  }
  requests_ = std::move(still);
  if (!in_order(from, std::ssize(hypotheses))) select(from);
  expect_last();
  return done;
}

void Decoding::check(const Tensor& logits) const {
  FOVEA_CHECK(logits.rows() == rows(), "decode: expected logits of ", rows(), " hypotheses, found ",
              logits.shape());
  const Dim vocabulary = logits.cols();
  for (const auto& request : requests_) {
    request->constraints().check(vocabulary);
    for (const std::int32_t id : request->forced_text()) {
      FOVEA_CHECK(id >= 0 && id < vocabulary, "decode: forced id ", id,
                  ", the model's vocabulary has ", vocabulary);
    }
  }
}

void Decoding::select(std::span<const Dim> from) {
  if (from.empty()) return;
  stepper_->select(from);
  coverage_.select(from);
}

void Decoding::expect_last() {
  const Dim count = rows();
  next_ = {Tensor::empty({count}, DType::i32), Segments::uniform(count, 1)};
  std::int32_t* ids = next_.ids.mutable_data<std::int32_t>();
  for (const auto& request : requests_) {
    for (const Open& open : request->open()) *ids++ = open.text.ids.back();
  }
}

void Decoding::join(Decoding other) {
  if (other.empty()) return;
  if (empty()) {
    *this = std::move(other);
    return;
  }
  stepper_->join(*other.stepper_);
  coverage_.join(std::move(other.coverage_));
  std::move(other.requests_.begin(), other.requests_.end(), std::back_inserter(requests_));
  expect_last();
}

void Decoding::drop(const std::function<bool(Dim)>& unwanted) {
  std::vector<Dim> from;
  Requests wanted;
  Dim first = 0;
  for (auto& request : requests_) {
    const Dim count = std::ssize(request->open());
    if (!unwanted(request->job().key)) {
      for (Dim i = 0; i < count; ++i) from.push_back(first + i);
      wanted.push_back(std::move(request));
    }
    first += count;
  }
  const bool some = std::ssize(from) < first;
  requests_ = std::move(wanted);
  if (!some) return;
  select(from);
  expect_last();
}

}  // namespace fovea
