#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "commands.h"
#include "fovea/base/machine.h"
#include "fovea/base/threads.h"
#include "fovea/config/config.h"
#include "fovea/data/find_data.h"
#include "fovea/kernels/amx.h"
#include "fovea/kernels/gemm.h"
#include "fovea/kernels/instruction_sets.h"
#include "fovea/kernels/products.h"
#include "versions.h"

namespace fovea::app {
namespace {

constexpr double kGiga = 1e9;

/// Of products of matrices: 1e9 operations a second, on one thread and on all.
struct Rates {
  double one = 0, all = 0;
};

/// What was found, in the order in which it is shown, and what is to be done about it.
struct Findings {
  Machine machine = this_machine();
  std::vector<std::string> instructions = kernels::instruction_sets();
  int threads = thread_count();
  Rates floats, bfloats, bytes;  // none of bfloat16 or int8 where this CPU does not multiply them
  std::vector<std::string> warnings = {};
};

/// Of a product of the size that a Transformer's layers have, the best of some in half a second.
/// Of int8 the weight is packed before, as it is in a model that is run.
double gemm_rate(int threads) {
  constexpr Dim rows = 1024, depth = 512, cols = 512;
  const std::vector<float> a(rows * depth, 0.5F), b(depth * cols, 0.25F);
  std::vector<float> c(rows * cols);
  std::optional<kernels::PackedMatrix<float>> weight;
  if (kernels::weight_products() == kernels::Products::int8) {
    weight = kernels::PackedMatrix<float>::of_weight(rows_of(b.data(), cols, depth));
  }
  const auto multiply = [&] {
    const auto x = rows_of(a.data(), rows, depth);
    const auto y = rows_of(c.data(), rows, cols);
    weight ? kernels::gemm(x, *weight, y) : kernels::gemm(x, rows_of(b.data(), depth, cols), y);
  };
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  const int before = thread_count();
  set_thread_count(threads);
  double best = 1e9;
  for (const auto begin = Clock::now(); seconds_since(begin) < 0.5;) {
    const auto one = Clock::now();
    multiply();
    best = std::min(best, seconds_since(one));
  }
  set_thread_count(before);
  return 2.0 * rows * depth * cols / best / kGiga;
}

/// What sets the number of threads.
std::string thread_limit(const Findings& found) {
  const DefaultThreads threads = default_threads(found.machine.cpus);
  if (threads.count != found.threads) return "--threads";
  switch (threads.limit) {
    case DefaultThreads::Limit::setting:
      return "OMP_NUM_THREADS";
    case DefaultThreads::Limit::cores:
      return "cores";
    case DefaultThreads::Limit::affinity:
      return "affinity";
    case DefaultThreads::Limit::quota:
      return "quota";
  }
  return "";
}

std::string described(const CpuQuota& quota) {
  return concat(quota.cores(), " cores (", quota.file.string(), ": ", quota.time, " of each ",
                quota.period, " microseconds)");
}

/// The same for people.
std::string described_limit(const Findings& found) {
  const std::string limit = thread_limit(found);
  const CpuLimits& cpus = found.machine.cpus;
  if (limit == "cores") return "one for each core";
  if (limit == "affinity") {
    return concat("the affinity mask allows ", cpus.affinity, " of ", cpus.cores, " cores");
  }
  if (limit == "quota") return concat("the container has a CPU quota of ", described(*cpus.quota));
  return concat("set by ", limit);
}

void check_threads(Findings& found) {
  const Machine& machine = found.machine;
  const auto warn = [&](const std::string& text) { found.warnings.push_back(text); };
  CpuLimits hard = machine.cpus;
  hard.setting = 0;
  const DefaultThreads best = default_threads(hard);
  if (found.threads > best.count) {
    const bool quota = best.limit == DefaultThreads::Limit::quota;
    warn(concat(found.threads, " threads on ",
                quota ? described(*hard.quota) : concat(best.count, " cores"),
                " wait for one another: use --threads ", best.count, ", or unset OMP_NUM_THREADS"));
  }
  if (found.threads > 1 && machine.load > 0.5 * machine.cpus.affinity) {
    warn(concat("other programs want ", machine.load, " of ", machine.cpus.affinity,
                " cores: these figures, and all else here, are slower than they could be"));
  }
  if (found.threads > 1 && found.floats.all < found.floats.one) {
    warn(concat(found.threads,
                " threads are slower than one: other programs use the cores; try --threads 1"));
  }
}

bool can_be_written(std::filesystem::path folder) {
  while (!std::filesystem::exists(folder) && folder.has_parent_path()) {
    folder = folder.parent_path();
  }
  return ::access(folder.c_str(), W_OK) == 0;
}

void check_rest(Findings& found) {
  const auto warn = [&](const std::string& text) { found.warnings.push_back(text); };
  const std::string& used = found.instructions.front();
  if (used.starts_with("SSE") || used.starts_with("EMU") || used.starts_with("SCALAR")) {
    warn(concat("this CPU has no AVX2: the kernels run on ", used, ", several times slower"));
  }
  if (found.machine.memory_available > 0 && found.machine.memory_available < kGiga) {
    warn(
        "less than 1 GB of memory is available: close other programs, or train with a smaller "
        "--set batch.rows");
  }
  for (const std::filesystem::path& folder : named_folders()) {
    if (!std::filesystem::is_directory(folder)) {
      warn(concat("FOVEA_DATA names ", folder.string(), ", which is not there"));
    }
  }
  if (!can_be_written(cache_folder())) {
    warn(concat(cache_folder().string(),
                " cannot be written, so `fovea data get` cannot work: set ",
                "FOVEA_CACHE to a folder that can"));
  }
}

Json as_json(const Findings& found) {
  Json libraries = Json::object(), data = Json::object();
  for (const auto& [name, version] : library_versions()) libraries[name] = version;
  for (const DataSet& set : catalogue()) data[std::string(set.name)] = status(set).complete();
  Json folders = Json::array();
  for (const std::filesystem::path& folder : named_folders()) folders.push_back(folder.string());
  const Machine& machine = found.machine;
  Json quota;
  if (const auto& limit = machine.cpus.quota) {
    quota = {{"cores", limit->cores()},
             {"time", limit->time},
             {"period", limit->period},
             {"file", limit->file.string()}};
  }
  return {{"cpu", machine.cpu},
          {"cores", machine.cpus.cores},
          {"affinity", machine.cpus.affinity},
          {"quota", quota},
          {"load", machine.load},
          {"threads", found.threads},
          {"thread_limit", thread_limit(found)},
          {"instructions", found.instructions},
          {"memory", machine.memory},
          {"memory_available", machine.memory_available},
          {"gemm_gflops", {{"one", found.floats.one}, {"all", found.floats.all}}},
          {"gemm_gflops_bfloat16", {{"one", found.bfloats.one}, {"all", found.bfloats.all}}},
          {"gemm_gflops_int8", {{"one", found.bytes.one}, {"all", found.bytes.all}}},
          {"libraries", libraries},
          {"data_folders", folders},
          {"cache", cache_folder().string()},
          {"data", data},
          {"warnings", found.warnings}};
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

void print(const Findings& found) {
  const auto line = [](const char* name, const std::string& text) {
    std::printf("%-13s %s\n", name, text.c_str());
  };
  const auto gigabytes = [](std::int64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f GB", static_cast<double>(bytes) / kGiga);
    return std::string(text);
  };
  const Machine& machine = found.machine;
  line("CPU", concat(machine.cpu.empty() ? "not known" : machine.cpu, ", ", machine.cpus.cores,
                     " cores, load ", machine.load));
  line("instructions",
       concat(found.instructions.front(), " is used of ", joined(found.instructions, ", ")));
  line("memory",
       concat(gigabytes(machine.memory), ", ", gigabytes(machine.memory_available), " available"));
  line("threads", concat(found.threads, ", ", described_limit(found)));
  const auto told = [](const Rates& rates) {
    return concat(static_cast<int>(rates.one), " GF/s on one thread, ", static_cast<int>(rates.all),
                  " on all");
  };
  line("products", told(found.floats));
  line("of bfloat16", kernels::can_multiply_bfloat16()
                          ? told(found.bfloats) + (kernels::can_multiply_amx() ? " by AMX" : "") +
                                "; train with --set train.products=bfloat16"
                          : "this CPU does not multiply them (AVX512_BF16)");
  line("of int8", kernels::can_multiply_int8() ? told(found.bytes) + "; run with --int8"
                                               : "this CPU does not multiply them (AVX512_VNNI)");
  std::vector<std::string> libraries, here, folders;
  for (const auto& [name, version] : library_versions()) libraries.push_back(name + " " + version);
  line("libraries", joined(libraries, ", "));
  for (const std::filesystem::path& folder : named_folders()) folders.push_back(folder.string());
  line("FOVEA_DATA", folders.empty() ? "not set" : joined(folders, ", "));
  line("cache", cache_folder().string());
  for (const DataSet& set : catalogue()) {
    if (status(set).complete()) here.emplace_back(set.name);
  }
  line("data here",
       here.empty() ? "none; `fovea data list` shows what there is" : joined(here, ", "));
  for (const std::string& warning : found.warnings) line("WARNING", warning);
  if (found.warnings.empty()) std::printf("All is well.\n");
}

Rates gemm_rates(int threads) {
  const double one = gemm_rate(1);
  return {one, threads > 1 ? gemm_rate(threads) : one};
}

void doctor_command(bool json) {
  Findings found;
  found.floats = gemm_rates(found.threads);
  if (kernels::can_multiply_bfloat16()) {
    const kernels::ProductsOf bfloats(kernels::Products::bfloat16);
    found.bfloats = gemm_rates(found.threads);
  }
  if (kernels::can_multiply_int8()) {
    const kernels::ProductsOf bytes(kernels::Products::int8);
    found.bytes = gemm_rates(found.threads);
  }
  check_threads(found);
  check_rest(found);
  if (json) {
    std::printf("%s\n", as_json(found).dump(2).c_str());
  } else {
    print(found);
  }
}

}  // namespace

void add_doctor(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("doctor", "How fast this machine is, and what stands in its way");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  command->footer(
      "Takes about three seconds. Products of matrices are most of the work of training.\n"
      "\n"
      "  fovea doctor\n"
      "  fovea --threads 4 doctor");
  command->callback([json] { doctor_command(*json); });
}

}  // namespace fovea::app
