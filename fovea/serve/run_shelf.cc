#include "fovea/serve/run_shelf.h"

#include "fovea/base/check.h"

namespace fovea::serve {

RunShelf::Entry RunShelf::put(RunRecord run) {
  const auto kept = std::make_shared<const RunRecord>(std::move(run));
  const std::lock_guard lock(mutex_);
  Entry entry{concat("r", since_, "-", next_++), kept};
  entries_.push_back(entry);
  bytes_ += kept->bytes();
  // The newest stays, however large.
  while (entries_.size() > 1 && (entries_.size() > most_runs_ || bytes_ > most_bytes_)) {
    bytes_ -= entries_.front().run->bytes();
    entries_.pop_front();
  }
  return entry;
}

std::shared_ptr<const RunRecord> RunShelf::find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.id == id) return entry.run;
  }
  return nullptr;
}

std::vector<RunShelf::Entry> RunShelf::all() const {
  const std::lock_guard lock(mutex_);
  return {entries_.rbegin(), entries_.rend()};
}

std::size_t RunShelf::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace fovea::serve
