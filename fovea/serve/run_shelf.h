/// The latest runs that clients wanted to look into. Bounded: the oldest are
/// forgotten.
#pragma once

#include <ctime>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/inspect/run_record.h"

namespace fovea::serve {

/// Any thread may call these.
class RunShelf {
 public:
  RunShelf(std::size_t runs, std::size_t bytes) : most_runs_(runs), most_bytes_(bytes) {}

  struct Entry {
    std::string id;
    std::shared_ptr<const RunRecord> run;
  };
  /// Keeps a run under a new name.
  Entry put(RunRecord run);
  /// Null if there is none of this name, or none any more.
  std::shared_ptr<const RunRecord> find(std::string_view id) const;
  /// The newest first.
  std::vector<Entry> all() const;
  std::size_t bytes() const;

 private:
  std::size_t most_runs_, most_bytes_;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  // the oldest first
  std::size_t bytes_ = 0, next_ = 1;
  std::time_t since_ = std::time(nullptr);  // another server's runs have other names
};

}  // namespace fovea::serve
