/// Our side of the benchmark: `fovea_bench NAME` makes a workload, warms it up, says so in a line
/// of JSON, and then answers lines:
///   go N      runs each part N times:  the seconds of one run of each part
///   memory                             the bytes by which resident memory has grown
/// NAME-bfloat16 is the same with products of bfloat16, NAME-int8 with weights of int8.
/// bench/run talks to it and to PyTorch (peer.py) in turns.
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/workload.h"
#include "fovea/base/check.h"
#include "fovea/kernels/products.h"
#include "oneapi/dnnl/dnnl.h"

namespace fovea::bench {
namespace {

std::vector<Workload> all_workloads() {
  std::vector<Workload> all;
  for (auto family : {gemm_workloads, attention_workloads, stack_workloads, capture_workloads,
                      lstm_workloads, translate_workloads, decode_workloads, epoch_workloads,
                      language_workloads, tagging_workloads, infer_workloads}) {
    for (Workload& workload : family()) all.push_back(std::move(workload));
  }
  return all;
}

double run_all(const std::vector<Part>& parts) {
  double seconds = 0;
  for (const Part& part : parts) seconds += seconds_of(part.run, 1);
  return seconds;
}

/// Seconds of a run when warm, at least a guess.
double warm_up(const std::vector<Part>& parts) {
  if (parts.front().cold) return 60;
  run_all(parts);
  return std::min(run_all(parts), run_all(parts));
}

nlohmann::json about(const std::vector<Part>& parts) {
  std::set<std::string> notes;
  nlohmann::json names = nlohmann::json::array(), flops = nlohmann::json::array();
  nlohmann::json answers = nlohmann::json::array(), values = nlohmann::json::array();
  for (const Part& part : parts) {
    if (!part.note.empty()) notes.insert(part.note);
    names.push_back(part.name);
    flops.push_back(part.flops);
    for (const Ids& ids : part.answers) answers.push_back(ids);
    for (const float value : part.values) values.push_back(value);
  }
  return {{"seconds", warm_up(parts)}, {"notes", notes},  {"parts", names}, {"flops", flops},
          {"answers", answers},        {"values", values}};
}

void answer(const std::vector<Part>& parts) {
  std::cout << about(parts) << std::endl << std::setprecision(9);
  for (std::string command; std::cin >> command;) {
    if (command == "memory") {
      std::cout << growth();
    } else if (int times = 0; command == "go" && std::cin >> times) {
      for (const Part& part : parts) std::cout << seconds_of(part.run, times) << ' ';
    }
    std::cout << std::endl;
  }
}

/// As the ending of the name says, which is taken off.
kernels::Products products_of(std::string& name) {
  for (const kernels::Products products : {kernels::Products::bfloat16, kernels::Products::int8}) {
    const std::string ending =
        concat("-", kernels::names_of(products)[static_cast<std::size_t>(products)]);
    if (!name.ends_with(ending)) continue;
    const bool can = products == kernels::Products::int8 ? kernels::can_multiply_int8()
                                                         : kernels::can_multiply_bfloat16();
    FOVEA_CHECK(can, name, ": this CPU does not multiply ", ending.substr(1));
    name.resize(name.size() - ending.size());
    return products;
  }
  return kernels::Products::float32;
}

int main(int argc, char** argv) {
  std::string name = argc > 1 ? argv[1] : "";
  const kernels::ProductsOf guard(products_of(name));
  if (name == "--about") {
    const dnnl_version_t* version = dnnl_version();
    std::cout << nlohmann::json{{"compiler", "g++ " __VERSION__},
                                {"onednn", std::to_string(version->major) + "." +
                                               std::to_string(version->minor) + "." +
                                               std::to_string(version->patch)}}
              << std::endl;
    return 0;
  }
  if (name == "--multi30k") {
    write_multi30k_ids();
    return 0;
  }
  if (name == "--shakespeare") {
    write_shakespeare_ids();
    return 0;
  }
  if (name == "--conll2003") {
    write_conll2003_ids();
    return 0;
  }
  for (const Workload& workload : all_workloads()) {
    if (workload.name != name) continue;
    answer(workload.make());
    return 0;
  }
  std::cerr << "fovea_bench: no workload '" << name << "'; there are:";
  for (const Workload& workload : all_workloads()) std::cerr << ' ' << workload.name;
  std::cerr << '\n';
  return 2;
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  try {
    return fovea::bench::main(argc, argv);
  } catch (const fovea::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
