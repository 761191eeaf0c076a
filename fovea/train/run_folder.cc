#include "fovea/train/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/config/config.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "step-", kSuffix = ".safetensors";

/// -1 if the file is no checkpoint.
Dim step_of(const std::string& name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return -1;
  const char* begin = name.data() + kPrefix.size();
  const char* end = name.data() + name.size() - kSuffix.size();
  Dim step = -1;
  const auto [stop, error] = std::from_chars(begin, end, step);
  return error == std::errc{} && stop == end ? step : -1;
}

/// Whether a file is one that we had half written: "model.safetensors.4711.part".
bool half_written(const fs::path& file) {
  const std::string process = file.stem().extension().string();
  return file.extension() == ".part" && process.size() > 1 &&
         process.find_first_not_of("0123456789", 1) == std::string::npos;
}

void remove_parts(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (half_written(entry.path())) fs::remove(entry.path());
  }
}

/// Whether a file is JSON of an object that has a text under the key; `begin`: how it begins.
bool says(const fs::path& file, const char* key, std::string_view begin) {
  try {
    const Json json = parse_json_file(file);
    const auto found = json.find(key);
    return found != json.end() && found->is_string() &&
           found->get_ref<const std::string&>().starts_with(begin);
  } catch (const Error&) {
    return false;
  }
}

/// What belongs to a run of a version that wrote no files.json: tokenizers, a table of neighbours,
/// models that the model takes along. This list is complete; newer runs have files.json.
std::set<std::string> unlisted_files(const fs::path& folder) {
  std::set<std::string> names = {"neighbours.tsv"};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    fs::path file = entry.path().filename();
    const std::string name = file;
    if (entry.is_directory()) {
      const bool model = name == "elmo" || name == "second" || name.starts_with("second-");
      if (model) names.insert(name);
    } else if (file.extension() == ".json" && says(entry.path(), "format", "fovea tokenizer")) {
      names.insert({name, file.replace_extension(".model")});
      const bool hub = parse_json_file(entry.path())["config"]["kind"] == "hub";
      if (hub) names.insert({"tokenizer.json", "tokenizer_config.json"});
    }
  }
  std::erase_if(names, [&](const std::string& name) { return !fs::exists(folder / name); });
  return names;
}

}  // namespace

fs::path RunFolder::checkpoint(Dim step) const {
  std::string digits = std::to_string(step);
  digits.insert(0, 8 - std::min<std::size_t>(8, digits.size()), '0');
  return checkpoints() / concat(kPrefix, digits, kSuffix);
}

std::vector<Dim> RunFolder::steps() const {
  std::vector<Dim> steps;
  if (!fs::is_directory(checkpoints())) return steps;
  for (const fs::directory_entry& entry : fs::directory_iterator(checkpoints())) {
    const Dim step = step_of(entry.path().filename().string());
    if (step >= 0) steps.push_back(step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

bool RunFolder::used() const { return fs::exists(model()) || !steps().empty(); }

bool RunFolder::foreign() const { return fs::exists(config()) && !says(config(), "task", ""); }

void RunFolder::prepare() const {
  std::error_code error;
  fs::create_directories(checkpoints(), error);
  FOVEA_CHECK(!error, ErrorKind::bad_file, checkpoints().string(),
              ": cannot be made: ", error.message());
  remove_parts(path_);
  remove_parts(checkpoints());
}

void RunFolder::keep_only(const std::set<Dim>& steps) const {
  for (const Dim step : this->steps()) {
    std::error_code stays;  // one too many is no reason to end
    if (!steps.contains(step)) fs::remove(checkpoint(step), stays);
  }
}

std::set<std::string> RunFolder::model_files() const {
  if (!fs::exists(files())) return unlisted_files(path_);
  try {
    const auto names = parse_json_file(files()).get<std::set<std::string>>();
    for (const std::string& name : names) {
      const bool plain = !name.empty() && fs::path(name).filename() == name;
      FOVEA_CHECK(plain && name != "." && name != "..", ErrorKind::bad_file, "'", name,
                  "' is not a plain name");
    }
    return names;
  } catch (const std::exception& error) {
    fail(ErrorKind::bad_file, files().string(),
         ": expected a list of names of files in this folder: ", error.what());
  }
}

void RunFolder::add_files(const std::vector<std::string>& names) const {
  std::set<std::string> all = model_files();
  all.insert(names.begin(), names.end());
  write_atomically(files(), Json(all).dump(1) + "\n");
}

std::vector<fs::path> RunFolder::parts() const {
  std::set<fs::path> all = {config(), model(),  settings(), metrics(),    events(),
                            curve(),  figure(), files(),    checkpoints()};
  for (const std::string& name : model_files()) all.insert(path_ / name);
  std::erase_if(all, [](const fs::path& path) { return !fs::exists(path); });
  return {all.begin(), all.end()};
}

bool RunFolder::stands_aside() const {
  return fs::is_directory(aside()) || fs::is_directory(moving());
}

void RunFolder::set_aside() const {
  if (!fs::is_directory(path_)) return;
  const std::vector<fs::path> all = parts();
  fs::create_directories(moving());
  for (const fs::path& part : all) fs::rename(part, moving() / part.filename());
  fs::rename(moving(), aside());  // now all of it is there
}

void RunFolder::forget_aside() const { fs::remove_all(aside()); }

void RunFolder::recover() const {
  if (fs::is_directory(aside())) {
    if (!steps().empty()) return forget_aside();
    for (const fs::path& part : parts()) fs::remove_all(part);
    fs::rename(aside(), moving());
  }
  if (!fs::is_directory(moving())) return;
  std::vector<fs::path> back;
  for (const fs::directory_entry& entry : fs::directory_iterator(moving())) {
    back.push_back(entry.path());
  }
  for (const fs::path& part : back) {
    fs::remove_all(path_ / part.filename());  // what a new run left that ended while saving
    fs::rename(part, path_ / part.filename());
  }
  fs::remove(moving());
}

RunLock::RunLock(const RunFolder& folder) : fd_(::open(folder.path().c_str(), O_RDONLY)) {
  const bool taken = fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!taken) return;  // where there are no locks, nobody is kept out
  ::close(fd_);
  fail(folder.path().string(), ": another process is training there; wait for its end, or choose ",
       "another folder");
}

RunLock::~RunLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace fovea
