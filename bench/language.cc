/// Language models as GPT-2: a step of training of the small one, and the training of a tiny one on
/// Shakespeare's characters from beginning to end.
#include <algorithm>
#include <fstream>
#include <memory>

#include "bench/workload.h"
#include "fovea/autograd/backward.h"
#include "fovea/data/find_data.h"
#include "fovea/ops/elementwise.h"
#include "fovea/tasks/language/language.h"
#include "fovea/train/clip.h"
#include "fovea/train/optimizers.h"
#include "fovea/train/schedule.h"

namespace fovea::bench {
namespace {

/// Both have as many heads as layers.
LanguageModelConfig gpt2(Dim layers, Dim width, Dim vocabulary, Dim context) {
  LanguageModelConfig c;
  c.layers = layers, c.width = width, c.hidden = 4 * width, c.heads = layers;
  c.vocabulary = vocabulary, c.longest = context, c.dropout = 0;
  return c;
}

struct Training {
  Params params;
  LanguageModel model;
  AdamW adam;

  explicit Training(const LanguageModelConfig& config)
      : params(/*seed=*/1),
        model(params.scope(), config),
        adam(params, {.beta2 = 0.99, .weight_decay = 0.1}) {}

  void step(const StretchRows& rows, double rate) {
    const Var sum = model.loss_sum(rows.read, rows.next, {});
    Gradients gradients = backward(scale(sum, 1.0 / static_cast<double>(rows.next.size())));
    clip_norm(gradients, params, 1);
    adam.step(gradients, rate);
  }
};

/// GPT-2 small: 12 layers of 768, 4 texts of 64 tokens.
std::vector<Part> gpt2_step() {
  constexpr Dim vocabulary = 50257, texts = 4, length = 64;
  Ids ids;
  for (Dim i = 0; i <= texts * length; ++i) {
    ids.push_back(static_cast<std::int32_t>(7919 * i % vocabulary));
  }
  std::vector<Stretch> stretches;
  for (Dim t = 0; t < texts; ++t) stretches.push_back({t * length, length});
  auto made = std::make_shared<Training>(gpt2(12, 768, vocabulary, 1024));
  return {{.run = [made, rows = rows_of(ids, stretches)] { made->step(rows, 1e-4); }}};
}

/// As many steps as in peer_language.py.
Dim shakespeare_steps() { return std::getenv("FOVEA_BENCH_QUICK") ? 20 : 250; }

/// 4 layers of 128, batches of 12 stretches of 64 characters: a new model each time.
void learn_shakespeare() {
  std::ifstream file(files() / "shakespeare.ids");
  Ids ids;
  for (std::int32_t id = 0; file >> id;) ids.push_back(id);
  const StretchConfig config = {.context = 64, .sequences = 12};
  const Stretches stretches = Stretches::shuffled(std::ssize(ids), config, 0);
  const Dim vocabulary = 1 + *std::max_element(ids.begin(), ids.end());
  Training training(gpt2(4, 128, vocabulary, config.context));
  const Dim steps = shakespeare_steps();
  const ScheduleConfig schedule = {
      .kind = ScheduleKind::cosine, .rate = 1e-3, .warmup = 100, .lowest = 1e-4};
  for (Dim step = 1; step <= steps; ++step) {
    training.step(rows_of(ids, stretches[step - 1]),
                  learning_rate(schedule, {.step = step, .total = steps}));
  }
}

}  // namespace

void write_shakespeare_ids() {
  DataParts data;
  data.train = {"tinyshakespeare:input.txt"};
  data.split = {.test = 0.1};
  const std::string text = read_text(data, fovea::Part::train, ".");
  const TextFlow flow = TextFlow::train({.kind = TokenizerKind::characters, .vocabulary = 0}, text);
  std::ofstream file(files() / "shakespeare.ids");
  for (const std::int32_t id : flow.encode(text)) file << id << '\n';
  FOVEA_CHECK(file.flush(), "fovea_bench: ", (files() / "shakespeare.ids").string(),
              " cannot be written");
}

std::vector<Workload> language_workloads() {
  return {{"gpt2-step", gpt2_step},
          {"shakespeare-train",
           [] { return std::vector<Part>{{.run = learn_shakespeare, .cold = true}}; }}};
}

}  // namespace fovea::bench
