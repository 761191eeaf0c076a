/// What a run tells about itself, for programs: metrics.jsonl, one JSON object a line, and the
/// same numbers for TensorBoard.
///
///   {"kind": "train", "step": 100, "epoch": 0, "losses": {"loss": 4.2}, "learning_rate": ...,
///    "gradient_norm": ..., "per_second": ..., "seconds": ...}
///   With several phases, rate and norm are the first one's, and others follow by their names:
///   "learning_rate.generator", "gradient_norm.generator".
///   {"kind": "validation", "step": 100, "epoch": 0, "figures": {"loss": 4.1}, "better": true,
///    "seconds": ...}
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fovea/train/log_file.h"
#include "fovea/train/run_folder.h"
#include "fovea/train/tensorboard.h"
#include "fovea/train/workload.h"

namespace fovea {

/// How long the files were when a checkpoint was written: nothing stands twice after a resume.
struct LogSizes {
  Dim metrics = 0, events = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("metrics", metrics);
    visit("events", events);
  }
};

/// The training since the last line: means of the losses, and how fast it went.
struct TrainLine {
  Dim step = 0, epoch = 0;
  std::vector<Figure> losses;
  std::vector<Figure> updates;  // learning rate and norm of the gradients, of each phase
  double per_second = 0;        // of what the first loss counts
  double seconds = 0;           // of the whole run
};

struct ValidationLine {
  Dim step = 0, epoch = 0;
  std::vector<Figure> figures;
  bool better = false;
  double seconds = 0;
};

/// The calls give false when the disk is full: a run goes on without its log.
class RunLog {
 public:
  /// `watcher`, if there is one, is told each line, first those that are there already.
  RunLog(const RunFolder& folder, const LogSizes& sizes,
         std::function<void(const std::string& line)> watcher = {});

  bool write(const TrainLine& line);
  bool write(const ValidationLine& line);
  /// Synced to disk.
  LogSizes sizes();

 private:
  bool append(Dim step, const std::string& line, const std::vector<Scalar>& scalars);

  LogFile metrics_, events_;
  std::function<void(const std::string& line)> watcher_;
};

}  // namespace fovea
