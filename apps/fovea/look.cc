#include <cstdio>
#include <fstream>
#include <iostream>

#include "commands.h"
#include "fovea/inspect/page.h"
#include "fovea/inspect/svg_map.h"
#include "fovea/inspect/terminal.h"
#include "fovea/tasks/runner.h"

namespace fovea::app {
namespace {

struct Options {
  std::filesystem::path model, page, picture;
  std::vector<std::string> lines, answers, settings;
  bool words = false, every = false;
};

std::vector<std::string> lines_of_stdin() {
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  return lines;
}

void write_picture(const std::filesystem::path& path, const Looked& looked, bool every) {
  std::ofstream out(path);
  if (every) {
    out << svg_maps(looked.maps, looked.line + " \u2192 " + looked.answer);
  } else {
    out << (looked.documents.empty() ? svg_map(looked.alignment)
                                     : svg_document(looked.documents.front()));
  }
  FOVEA_CHECK(out.flush(), path.string(), ": cannot be written");
}

void look_command(const Options& options) {
  const std::unique_ptr<Runner> runner = Runner::load(options.model, options.settings);
  const auto lines = options.lines.empty() ? lines_of_stdin() : options.lines;
  AttentionPage page{.title = "Where the model looked", .examples = {}};
  const TerminalStyle style = style_of_terminal();
  for (Looked& looked : runner->look(lines, options.answers, options.words)) {
    std::printf("%s -> %s\n", looked.line.c_str(), looked.answer.c_str());
    if (looked.alignment.weights.defined()) {
      std::printf("%s\n", terminal_map(looked.alignment, style).c_str());
    }
    for (const DocumentHeat& heat : looked.documents) {
      std::printf("%s\n", terminal_document(heat, style).c_str());
    }
    if (!options.picture.empty() && page.examples.empty()) {
      write_picture(options.picture, looked, options.every);
    }
    if (looked.alignment.weights.defined()) {
      looked.maps.insert(looked.maps.begin(), std::move(looked.alignment));
    }
    page.examples.push_back({looked.line + " -> " + looked.answer, std::move(looked.maps),
                             std::move(looked.documents)});
  }
  if (options.page.empty()) return;
  write_html(options.page, page);
  std::printf("All layers and heads are in %s\n", options.page.c_str());
}

}  // namespace

void add_look(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("look", "See which input each part of an answer looked at");
  auto options = std::make_shared<Options>();
  command->add_option("model", options->model, "Folder of a trained model")->required();
  command->add_option("text", options->lines, "Lines to answer; none: those of stdin");
  command->add_option("--answer", options->answers, "What it must answer, one for each line")
      ->allow_extra_args(false);
  command->add_option("--html", options->page, "Also a page with every layer and head");
  command->add_option("--svg", options->picture, "Also a picture of the first line's");
  command->add_flag("--every", options->every, "With --svg: every layer and head, side by side");
  command->add_flag("--words", options->words, "Join pieces to words");
  command->add_option("--set", options->settings, "Another setting: --set decode.beam=8")
      ->allow_extra_args(false);
  command->footer("Example:\n  fovea look runs/multi30k-en-de \"A dog runs.\" --html look.html");
  command->callback([options] { look_command(*options); });
}

}  // namespace fovea::app
