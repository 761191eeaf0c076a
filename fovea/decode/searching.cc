#include "fovea/decode/searching.h"

#include <algorithm>

namespace fovea {
namespace {

void check(const DecodeJob& job) {
  const Dim given = std::ssize(job.request.prefix);
  FOVEA_CHECK(given > 0, "decode: request ", job.key,
              " has an empty prefix, expected at least the symbol that texts begin with");
  FOVEA_CHECK(job.request.control >= 0 && job.request.control <= given, "decode: request ", job.key,
              " has ", job.request.control, " control symbols in a prefix of ", given);
}

/// A copy with one element more, in memory of that size at once.
template <class T>
std::vector<T> appended(const std::vector<T>& row, T last) {
  std::vector<T> result;
  result.reserve(row.size() + 1);
  result.assign(row.begin(), row.end());
  result.push_back(last);
  return result;
}

}  // namespace

std::unique_ptr<Searching> Searching::begin(DecodeJob job, std::int32_t end,
                                            std::span<const std::int32_t> suppressed) {
  check(job.config);
  check(job);
  job.config.min_length = std::max(job.config.min_length, job.request.min_length);
  Constraints constraints(end, job.config, suppressed);
  switch (job.config.search) {
    case Search::greedy:
      return greedy_search(std::move(job), std::move(constraints));
    case Search::beam:
      return beam_search(std::move(job), std::move(constraints));
    case Search::sample:
      return job.config.temperature == 0 ? greedy_search(std::move(job), std::move(constraints))
                                         : sample_search(std::move(job), std::move(constraints));
  }
  fail(ErrorKind::internal, "decode: no such search");
}

Searching::Searching(DecodeJob job, Constraints constraints)
    : job_(std::move(job)), constraints_(std::move(constraints)), open_(1) {
  const auto forced = forced_text();
  open_[0].text.ids.assign(forced.begin(), forced.end());
  open_[0].text.token_log_probabilities.assign(forced.size(), 0.0F);
}

std::span<const std::int32_t> Searching::forced_text() const {
  return std::span(job_.request.prefix).subspan(static_cast<std::size_t>(job_.request.control));
}

std::vector<Hypothesis> Searching::take_found() {
  rank(found_);
  if (std::ssize(found_) > job_.config.n_best) {
    found_.resize(static_cast<std::size_t>(job_.config.n_best));
  }
  return std::move(found_);
}

void Searching::add_captured(Dim i, std::shared_ptr<const StepCapture> step, Dim hypothesis) {
  auto& steps = open_[static_cast<std::size_t>(i)].text.captured;
  steps = std::make_shared<const CapturedSteps>(CapturedSteps{steps, std::move(step), hypothesis});
}

Open Searching::longer(const Open& open, std::int32_t id, float log_probability) const {
  const Hypothesis& text = open.text;
  Open result{.sample = open.sample};
  result.text.finished = id == constraints_.end();
  result.text.ids = result.text.finished ? text.ids : appended(text.ids, id);
  result.text.token_log_probabilities = appended(text.token_log_probabilities, log_probability);
  result.text.log_probability = text.log_probability + static_cast<double>(log_probability);
  result.text.captured = text.captured;
  return result;
}

Dim Searching::limit() const {
  const Dim own = job_.request.max_length, all = job_.config.max_length;
  return std::max(own > 0 ? std::min(own, all) : all, std::ssize(forced_text()) + 1);
}

bool Searching::show(const Open& open) const {
  return job_.watch && job_.watch(job_.key, open.sample, open.text);
}

bool Searching::closed(const Open& open) const {
  return open.text.finished || std::ssize(open.text.ids) >= limit();
}

Hypothesis Searching::scored(Open open, double penalty) const {
  Hypothesis& text = open.text;
  text.score =
      normalised(text.log_probability, text.length(), job_.config.length_penalty) + penalty;
  return std::move(text);
}

}  // namespace fovea
