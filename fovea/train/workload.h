/// What a run trains, as the loop sees it: batches that have losses, and figures on held-out data.
/// The loop knows nothing of text or images.
#pragma once

#include <string>
#include <vector>

#include "fovea/nn/params.h"
#include "fovea/nn/pass.h"
#include "fovea/train/phase.h"

namespace fovea {

/// A number on held-out data.
struct Figure {
  std::string name;  // "loss", "bleu"
  double value = 0;
  bool higher_is_better = false;
};

class Workload {
 public:
  virtual ~Workload() = default;

  virtual Params& params() = 0;
  /// Of the training set.
  virtual Dim examples() const = 0;
  /// The width of the model's rows, for schedules that depend on it; 0: it has none.
  virtual Dim model_width() const { return 0; }
  /// What who trains should know of the data: "3 of 600 examples left out: empty".
  virtual std::vector<std::string> notes() const { return {}; }
  /// The first is what the progress line shows.
  virtual std::vector<LossPart> parts() const = 0;
  /// What each step does, in order. By default all parameters are updated once, by parts(), as the
  /// recipe says: that is `whole`, from which others take what they do not change.
  virtual std::vector<Phase> phases(const Phase& whole) const { return {whole}; }

  /// Begins an epoch and gives its number of batches. The same epoch has the same batches in every
  /// run: that, and the number of the next batch, is the whole position in the data.
  virtual Dim begin_epoch(Dim epoch) = 0;
  /// Begins an update: from now on counts and losses are those of its phase.
  virtual void begin_update(const UpdateIndex& /*update*/) {}
  /// How much each part counts (predicted tokens, say) in a batch of the epoch; 0: not in it. Known
  /// before the losses are, so that several small batches can have the mean of a large one.
  virtual std::vector<double> counts(Dim batch) = 0;
  /// The sum of each part over the batch; undefined where its count is 0.
  virtual std::vector<Var> losses(Dim batch, const Pass& pass) = 0;
  /// For errors: "lines 12, 4711, ... of train.en".
  virtual std::string describe(Dim batch) = 0;

  /// Fits what is chosen after training steps (a threshold, statistics under averaged weights) and
  /// writes it to buffers. Called with the averages in place, before validation and before a model
  /// is kept. Training goes on with the buffers as they were.
  virtual void calibrate() {}
  /// On the validation set, with the parameters as they are now. Empty if there is no such set.
  virtual std::vector<Figure> validate() = 0;
  /// The names of those figures, so that a mistyped train.watch costs no training; none: not known
  /// before.
  virtual std::vector<std::string> figure_names() const { return {}; }
  /// Lines of JSON, as run_log.h has them, that show what the model does now with fixed examples:
  /// samples, a map of attention. Asked for only while somebody watches; none where a task has
  /// none.
  virtual std::vector<std::string> show(Dim /*step*/) { return {}; }
  /// Writes all that running the model needs except its weights (config.json, tokenizers). Returns
  /// the names of these files and folders in the folder: they belong to the run.
  virtual std::vector<std::string> save_rest(const std::string& folder) = 0;
};

}  // namespace fovea
