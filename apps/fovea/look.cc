#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "fovea/base/atomic_file.h"
#include "fovea/inspect/image_heat.h"
#include "fovea/inspect/png_map.h"
#include "fovea/inspect/run_json.h"
#include "fovea/inspect/run_npz.h"
#include "fovea/inspect/svg_map.h"
#include "fovea/inspect/terminal.h"
#include "fovea/inspect/viewer_page.h"
#include "fovea/tasks/runner.h"
#include "input.h"
#include "products_option.h"

namespace fovea::app {
namespace {

struct LookArguments {
  std::filesystem::path model, page, picture, pixels, arrays, json;
  std::vector<std::string> lines, answers, settings;
  std::string keep = "all";
  RecordOptions record;
  bool every = false;
};

std::vector<std::string> all_lines(InputLines input) {
  std::vector<std::string> lines;
  for (std::string line; input.next(line);) lines.push_back(line);
  return lines;
}

/// "all" or "top-8".
void read_keep(const std::string& text, RecordOptions& options) {
  if (text == "all") return;
  constexpr std::string_view top = "top-";
  const HeadChoice count = text.starts_with(top)
                               ? HeadChoice::parse(std::string_view(text).substr(top.size()))
                               : HeadChoice{};
  FOVEA_CHECK(count.kind == HeadChoice::Kind::one && count.number >= 1, ErrorKind::bad_setting,
              "look: --keep is 'all' or such as 'top-8', not '", text, "'");
  options.keep = Keep::top;
  options.top = count.number;
}

/// Before anything is computed.
void check_files(const LookArguments& options) {
  for (const std::filesystem::path& file :
       {options.page, options.picture, options.pixels, options.arrays, options.json}) {
    if (!file.empty()) check_output(file);
  }
}

/// What says where the answer came from; otherwise the last layer that was kept.
AttentionMap main_map(const RunRecord& record) {
  if (record.alignment) return alignment_map(record);
  FOVEA_CHECK(!record.layers.empty(), "look: this model has no layer whose weights are a picture; ",
              "--html and --json show what there is");
  return map_of(record, record.layers.back().name);
}

std::string svg_of(const RunRecord& record, bool every) {
  if (every) return svg_maps(maps_of(record), record.input + " \u2192 " + record.output);
  if (const auto image = main_image(record)) return svg_image(*image);
  if (!record.documents.empty()) return svg_document(record.documents.front());
  return svg_map(main_map(record));
}

std::string png_of(const RunRecord& record) {
  const auto image = main_image(record);
  return image ? png_image(*image) : png_map(main_map(record));
}

void print(const RunRecord& record, const TerminalStyle& style) {
  std::printf("%s -> %s\n", record.input.c_str(), record.output.c_str());
  if (const auto image = main_image(record)) {
    std::printf("%s\n", terminal_image(*image, style).c_str());
  } else if (record.alignment || (record.documents.empty() && !record.layers.empty())) {
    std::printf("%s\n", terminal_map(main_map(record), style).c_str());
  }
  for (const RunRecord::Halting& halting : record.halting) {
    std::printf("%s\n", terminal_document(shaded_by(record, halting), style).c_str());
  }
  for (const DocumentHeat& heat : record.documents) {
    std::printf("%s\n", terminal_document(heat, style).c_str());
  }
}

/// What shows one run shows the first.
void write_files(const LookArguments& options, std::span<const RunRecord> records) {
  if (records.empty()) return;
  const RunRecord& first = records.front();
  if (!options.picture.empty()) write_output(options.picture, svg_of(first, options.every));
  if (!options.pixels.empty()) write_output(options.pixels, png_of(first));
  if (!options.arrays.empty()) write_output(options.arrays, npz_of(first));
  if (options.json.empty()) return;
  nlohmann::json runs = nlohmann::json::array();
  for (std::size_t i = 0; i < records.size(); ++i) {
    runs.push_back(run_json_with_weights(records[i], concat("r", i + 1)));
  }
  write_output(options.json, runs.dump());
}

void look_command(LookArguments& options) {
  read_keep(options.keep, options.record);
  check_files(options);
  const std::unique_ptr<Runner> runner = Runner::load(options.model, options.settings);
  const auto lines = all_lines(InputLines(options.lines));
  FOVEA_CHECK(!lines.empty(), "look: no line to look at, neither as an argument nor on stdin");
  std::vector<RunRecord> records = runner->record(lines, options.answers, options.record);
  const TerminalStyle style = style_of_terminal();
  for (RunRecord& record : records) {
    record.model = std::filesystem::absolute(options.model / ".").parent_path().filename();
    print(record, style);
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!records[i].cut) continue;
    std::fprintf(stderr,
                 "fovea: line %zu is longer than the model reads; what it did not read is not "
                 "shown\n",
                 i + 1);
  }
  write_files(options, records);
  if (options.page.empty()) return;
  write_html(options.page, records, "Where the model looked");
  std::printf("All layers and heads are in %s\n", options.page.c_str());
}

}  // namespace

void add_look(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("look", "See which input each part of an answer looked at");
  auto options = std::make_shared<LookArguments>();
  command->add_option("model", options->model, "Folder of a trained model")->required();
  command->add_option("text", options->lines, "Lines to answer; none: those of stdin");
  command->add_option("--answer", options->answers, "What it must answer, one for each line")
      ->allow_extra_args(false);
  command->add_option("--html", options->page, "Also a page with every layer and head");
  command->add_option("--svg", options->picture, "Also a picture of the first line's");
  command->add_option("--png", options->pixels, "Also as pixels: its weights, or the image shaded");
  command->add_option("--npz", options->arrays, "Also all its weights, for NumPy");
  command->add_option("--json", options->json, "Also everything as JSON");
  command->add_flag("--every", options->every, "With --svg: every layer and head, side by side");
  command->add_flag("--words", options->record.words,
                    "Join pieces to words, of models that translate or write");
  command->add_option("--layers", options->record.layers, "Only these: 'decoder.*.cross'");
  command->add_option("--heads", options->record.heads, "Only these: 0,2")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--keep", options->keep, "Which weights: all, or the largest such as top-8");
  command->add_option("--set", options->settings, "Another setting: --set decode.beam=8")
      ->allow_extra_args(false);
  add_products(*command);
  command->footer("Example:\n  fovea look runs/multi30k-en-de \"A dog runs.\" --html look.html");
  command->callback([options] { look_command(*options); });
}

}  // namespace fovea::app
