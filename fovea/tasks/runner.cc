#include "fovea/tasks/runner.h"

namespace fovea {

ProbeConfig RecordOptions::probe() const {
  // The largest of words are not those of pieces: all are kept until they are joined.
  return {.where = layers,
          .keep = words ? Keep::all : keep,
          .top = top,
          .heads = heads,
          .limit = limit,
          .or_top = true};
}

std::vector<Input> Runner::inputs_of(std::span<const std::string> lines, const Json& fields) const {
  if (!abilities().media) return fovea::inputs_of(lines, fields);
  std::vector<Input> inputs;
  for (const std::string& file : lines) {
    try {
      inputs.push_back(media_input(file));
    } catch (const Error& error) {
      throw LineError(inputs.size(), error);
    }
    inputs.back().fields = fields;
  }
  return inputs;
}

std::shared_ptr<const Prepared> Runner::prepare(const Input&) const { return nullptr; }

std::vector<std::string> Runner::notes(std::span<const std::string>) const { return {}; }

std::unique_ptr<LiveAnswer> Runner::live() const {
  fail("live: this model answers when the text has ended");
}

void expect_plain(const TestOptions& options, std::string_view task) {
  FOVEA_CHECK(options.links.empty(), "eval: --links measures alignments of models of the task ",
              "translate; this one is of the task ", task);
  FOVEA_CHECK(options.lengths.empty(), "eval: --by-length works for models of the task translate; ",
              "this one is of the task ", task);
}

void expect_answers(std::size_t inputs, std::span<const std::string> answers) {
  FOVEA_CHECK(answers.empty() || answers.size() == inputs, "look: ", inputs, " inputs, but ",
              answers.size(), " answers");
}

void expect_layers(const RunRecord& record, const RecordOptions& options,
                   std::span<const std::string> there_are) {
  if (!record.layers.empty() || options.layers == "*") return;
  std::string names;
  for (const std::string& name : there_are) names += concat(names.empty() ? "" : ", ", name);
  fail("look: no layer of this model is called '", options.layers, "'; among others there are ",
       names.empty() ? "none" : names);
}

}  // namespace fovea
