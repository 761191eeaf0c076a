/// What a benchmark is made of.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tensor/sequences.h"

namespace fovea::bench {

/// One thing to be timed, warm: inputs are made, memory is mapped.
struct Part {
  std::function<void()> run;
  double flops = 0;                // of one run, where the rate matters
  std::string name = {};           // where a workload has several parts
  std::string note = {};           // how it is done, where there was a choice
  bool cold = false;               // takes minutes: measured without a run before
  std::vector<Ids> answers = {};   // what it found, where others should find the same
  std::vector<float> values = {};  // numbers that others should find to rounding
};

struct Workload {
  std::string name;
  std::function<std::vector<Part>()> make;
};

/// One family each, in the file of its name; fovea_bench.cc lists them.
std::vector<Workload> gemm_workloads();
std::vector<Workload> attention_workloads();
std::vector<Workload> stack_workloads();
std::vector<Workload> capture_workloads();
std::vector<Workload> lstm_workloads();
std::vector<Workload> translate_workloads();
std::vector<Workload> decode_workloads();
std::vector<Workload> epoch_workloads();
std::vector<Workload> language_workloads();
std::vector<Workload> tagging_workloads();
std::vector<Workload> infer_workloads();

/// Where bench/run keeps what both sides read: FOVEA_BENCH_FILES.
std::filesystem::path files();
/// multi30k.ids, in that folder. An Error if Multi30k is not on this machine.
void write_multi30k_ids();
/// shakespeare.ids, the characters of the first nine tenths of tiny Shakespeare.
void write_shakespeare_ids();
/// conll2003.ids, of CoNLL-2003 or drawn.
void write_conll2003_ids();

/// As of sentences: from 8 to 56, 32 a sequence on average. The same list as in peer.py.
Segments real_lengths(Dim count);
Segments equal_lengths();

/// Normal numbers, the same each time.
Tensor normal(Shape shape, double deviation = 1);

/// Average seconds of one run.
double seconds_of(const std::function<void()>& run, int times);

/// From here on memory counts: what is resident now is not part of the workload.
void begin_growth();
/// Bytes by which the peak of resident memory has grown since.
double growth();

}  // namespace fovea::bench
