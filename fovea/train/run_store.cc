#include "fovea/train/run_store.h"

#include <algorithm>

#include "fovea/base/atomic_file.h"
#include "fovea/base/file_error.h"
#include "fovea/config/differences.h"
#include "fovea/train/checkpoint.h"

namespace fovea {
namespace {

constexpr const char *kWeights = "weights.", *kAverage = "average.", *kOptimizer = "optimizer.";
constexpr const char *kState = "state", *kRecipe = "recipe";

Params::Source with_prefix(const SafeTensors& file, std::string prefix) {
  return [file, prefix = std::move(prefix)](const std::string& name) {
    return file.find(prefix + name);
  };
}

/// What a user runs: the averages where there are some, the weights otherwise.
Params::Source model_of(const SafeTensors& file) {
  return [file](const std::string& name) {
    const Tensor average = file.find(kAverage + name);
    return average.defined() ? average : file.find(kWeights + name);
  };
}

/// "optimizer." of the only phase; of others "optimizer.generator."
std::string optimizer_prefix(const PhaseRun& one) {
  return one.phase.name.empty() ? kOptimizer : concat(kOptimizer, one.phase.name, ".");
}

std::vector<NamedTensor> tensors_of(const Run& run) {
  std::vector<NamedTensor> all;
  const auto put = [&](const std::string& prefix, const std::vector<NamedTensor>& tensors) {
    for (const auto& [name, tensor] : tensors) all.push_back({prefix + name, tensor});
  };
  put(kWeights, weights_of(*run.params));
  for (const PhaseRun& one : run.phases) put(optimizer_prefix(one), one.optimizer.states());
  for (const PhaseRun& one : run.phases) {
    if (one.average) put(kAverage, one.average->states());
  }
  return all;
}

Json json_in(const SafeTensors& file, const char* key) {
  const auto found = file.metadata().find(key);
  FOVEA_CHECK(found != file.metadata().end(), ErrorKind::bad_file, "checkpoint: ", key,
              " is missing");
  return Json::parse(found->second);
}

}  // namespace

std::vector<WeightAverage*> Run::averages() {
  std::vector<WeightAverage*> averages;
  for (PhaseRun& one : phases) {
    if (one.average) averages.push_back(&*one.average);
  }
  return averages;
}

void check_folder(const TrainOptions& options) {
  FOVEA_CHECK(!options.folder.empty(), ErrorKind::bad_setting, "train: a run needs a folder");
  FOVEA_CHECK(!(options.resume && options.overwrite), ErrorKind::bad_setting,
              "train: a run is either resumed or overwritten");
  const RunFolder folder(options.folder);
  if (!std::filesystem::is_directory(folder.path())) return;
  const RunLock lock(folder);
  folder.recover();
  folder.model_files();  // an Error now, not when the first checkpoint is due
  const std::string path = options.folder.string();
  FOVEA_CHECK(!folder.foreign(), folder.config().string(),
              ": is of something else; choose another folder");
  FOVEA_CHECK(options.resume || options.overwrite || !folder.used(), path,
              ": holds a run already; go on with it by --resume, begin anew by --overwrite, or ",
              "choose another folder");
  FOVEA_CHECK(!options.resume || !folder.used() || !folder.steps().empty(), ErrorKind::not_found,
              path, ": holds a model but no checkpoint to resume from");
}

RunStore::RunStore(const TrainConfig& config, const TrainOptions& options, Warn warn)
    : config_(config),
      folder_(options.folder),
      recipe_(options.recipe.is_null() ? write_config(config) : options.recipe),
      settings_(options.settings),
      warn_(std::move(warn)) {
  check_folder(options);
  folder_.prepare();
  lock_.emplace(folder_);
  if (options.overwrite) {
    folder_.set_aside();
    folder_.prepare();
  }
}

RunStore::~RunStore() {
  try {
    folder_.recover();
  } catch (const std::filesystem::filesystem_error& error) {
    warn_(concat("warning: ", message_of(error)));
  }
}

bool RunStore::load(Run& run) const {
  std::vector<Dim> steps = folder_.steps();
  if (steps.empty()) return false;
  for (; !steps.empty(); steps.pop_back()) {
    const std::filesystem::path path = folder_.checkpoint(steps.back());
    std::optional<SafeTensors> file;
    try {
      file = open_checkpoint(path);
    } catch (const Error& error) {
      warn_(concat("warning: ", error.what(), "; trying the one before"));
      continue;
    }
    const bool told = file->metadata().contains(kRecipe);  // not in an earlier version
    const std::string changed = told ? differences(json_in(*file, kRecipe), recipe_) : "";
    if (!changed.empty()) warn_("note: resumed with other settings than before: " + changed);
    try {
      load_weights(*run.params, with_prefix(*file, kWeights));
      for (PhaseRun& one : run.phases) {
        one.optimizer.load(with_prefix(*file, optimizer_prefix(one)));
        if (one.average) one.average->load(with_prefix(*file, kAverage));
      }
    } catch (const Error& error) {
      fail(error.kind(), path.string(), ": ", error.what(),
           changed.empty() ? "" : "; resume with the model, ",
           changed.empty() ? "" : "optimizer and average that the run began with");
    }
    read_config(json_in(*file, kState), run.state, path.string());
    return true;
  }
  fail(ErrorKind::bad_file, folder_.checkpoints().string(),
       ": every checkpoint is damaged; nothing to resume from");
}

void RunStore::keep_model(const Run& run) {
  model_.clear();
  for (auto& [name, tensor] : weights_of(*run.params)) model_.push_back({name, tensor.clone()});
  model_step_ = run.state.step;
}

void RunStore::save_model() {
  if (model_.empty()) return;
  write_safetensors(folder_.model(), model_, {{"step", std::to_string(model_step_)}});
  model_.clear();
}

void RunStore::save(const Run& run) {
  save_model();
  write_checkpoint(folder_.checkpoint(run.state.step), tensors_of(run),
                   {{kState, write_config(run.state).dump()}, {kRecipe, recipe_.dump()}});
  if (settings_) write_atomically(folder_.settings(), Json(*settings_).dump(1) + "\n");
  settings_.reset();
  folder_.forget_aside();
  prune(run.state);
}

std::string RunStore::newest() const {
  const std::vector<Dim> steps = folder_.steps();
  return steps.empty() ? "there is no checkpoint yet"
                       : "the last checkpoint is " + folder_.checkpoint(steps.back()).string();
}

std::vector<Dim> RunStore::best_steps(const TrainState& state) const {
  std::vector<Validation> best = state.validations;
  std::stable_sort(best.begin(), best.end(), [&](const Validation& a, const Validation& b) {
    if (a.value != b.value) return state.higher_is_better ? a.value > b.value : a.value < b.value;
    return a.step > b.step;
  });
  best.resize(std::min(best.size(), static_cast<std::size_t>(config_.average_checkpoints)));
  std::vector<Dim> steps;
  for (const Validation& v : best) steps.push_back(v.step);
  return steps;
}

void RunStore::prune(const TrainState& state) const {
  std::vector<Dim> steps = folder_.steps();
  std::erase_if(steps, [&](Dim step) { return step > state.step; });  // damaged: was passed over
  const auto keep = static_cast<std::size_t>(std::max(config_.keep, Dim{1}));
  if (steps.size() > keep) steps.erase(steps.begin(), steps.end() - static_cast<Dim>(keep));
  std::set<Dim> kept(steps.begin(), steps.end());
  for (const Dim step : best_steps(state)) kept.insert(step);
  folder_.keep_only(kept);
}

bool RunStore::load_mean_of_best(Run& run) const {
  std::vector<Params::Source> sources;
  for (const Dim step : best_steps(run.state)) {
    const std::filesystem::path path = folder_.checkpoint(step);
    if (!std::filesystem::exists(path)) continue;
    try {
      sources.push_back(model_of(open_checkpoint(path)));
    } catch (const Error& error) {
      warn_(concat("warning: ", error.what(), "; the mean goes without it"));
    }
  }
  if (sources.size() < 2) return false;
  load_mean(*run.params, sources);
  return true;
}

}  // namespace fovea
