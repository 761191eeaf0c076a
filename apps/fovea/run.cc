#include <algorithm>
#include <cctype>
#include <cstdio>
#include <span>
#include <utility>

#include "commands.h"
#include "fovea/tasks/runner.h"
#include "fovea/unicode/utf8.h"
#include "input.h"
#include "products_option.h"

namespace fovea::app {
namespace {

struct RunArguments {
  std::filesystem::path model;
  std::vector<std::string> lines, settings;
  Json fields = Json::object();  // options of the task: Input::fields
  bool json = false, live = false, of_many = false;
};

void write_now(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// `done`: how many lines were answered before these.
void answer(Runner& runner, std::span<const std::string> lines, std::size_t done,
            const RunArguments& options) {
  RunOptions run{.first = static_cast<Dim>(done), .of_many = options.of_many};
  const bool streamed = runner.streams() && lines.size() == 1 && !options.of_many && !options.json;
  if (streamed) run.on_text = write_now;
  for (const Answer& one : runner.run(runner.inputs_of(lines, options.fields), run)) {
    const std::string text = options.json ? one.json.dump() : streamed ? "" : one.text;
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
    ++done;
    if (one.cut) {
      std::fprintf(stderr,
                   "fovea: line %zu is longer than the model reads; only its beginning was "
                   "answered\n",
                   done);
    }
    if (!one.note.empty()) {
      std::fprintf(stderr, "fovea: line %zu: %s\n", done, one.note.c_str());
    }
  }
  std::fflush(stdout);
}

/// The same; those before a line that cannot be read have their answers.
void answer_readable(Runner& runner, std::span<const std::string> lines, std::size_t done,
                     const RunArguments& options) {
  try {
    answer(runner, lines, done, options);
  } catch (const LineError& error) {
    answer(runner, lines.first(error.line), done, options);
    fail(error.kind(), "line ", done + error.line + 1, ": ", error.what());
  }
}

/// Words of stdin as they come, each line an answer of its own. The last need not end.
void answer_live(Runner& runner) {
  std::unique_ptr<LiveAnswer> answer = runner.live();
  bool begun = false;  // a line with words in it
  std::string word;
  bool first = true;
  const auto end_word = [&] {
    if (std::exchange(first, false) && word.starts_with("\xEF\xBB\xBF")) word.erase(0, 3);
    if (word.empty()) return;
    write_now(answer->read(std::exchange(word, "")));
    begun = true;
  };
  const auto end_line = [&] {
    write_now((begun ? answer->finish() : "") + "\n");
    answer = runner.live();
    begun = false;
  };
  for (int c = 0; (c = std::getchar()) != EOF;) {
    if (std::isspace(c) == 0) {
      word += static_cast<char>(c);
      continue;
    }
    end_word();
    if (c == '\n') end_line();
  }
  end_word();
  if (begun) end_line();
}

/// As JSON, which is UTF-8.
Json repaired(const std::vector<std::string>& texts) {
  Json all = Json::array();
  for (const std::string& text : texts) all.push_back(repaired_utf8(text));
  return all;
}

void run_command(RunArguments& options) {
  FOVEA_CHECK(!options.live || options.lines.empty(), ErrorKind::bad_setting,
              "run: --live reads words from stdin as they are written; leave the text out");
  FOVEA_CHECK(
      !options.live || (!options.json && options.fields.empty()), ErrorKind::bad_setting,
      "run: --live writes words as they come, and nothing else; leave out --json, --align, ",
      "--prefix, --head and --nearest");
  for (const std::string& setting : options.settings) {
    const std::string key = setting.substr(0, setting.find('='));
    FOVEA_CHECK(!options.live || !key.starts_with("decode.") || key == "decode.lag" ||
                    key == "decode.ratio",
                ErrorKind::bad_setting, "run: --live takes the likeliest token each time; ", key,
                " would change nothing, leave it out");
  }
  const std::unique_ptr<Runner> runner = Runner::load(options.model, options.settings);
  for (const std::string& note : runner->notes(options.settings)) {
    std::fprintf(stderr, "note: %s\n", note.c_str());
  }
  if (options.live) return answer_live(*runner);
  InputLines input(options.lines);
  // A person waits for each line; a file is read in pieces that are worth a batch.
  const std::size_t at_once = input.typed() ? 1 : 512;
  std::vector<std::string> lines;
  std::size_t done = 0;
  for (std::string line; input.next(line);) {
    lines.push_back(std::move(line));
    if (lines.size() < at_once) continue;
    options.of_many = !input.typed();
    answer_readable(*runner, lines, done, options);
    done += lines.size();
    lines.clear();
  }
  answer_readable(*runner, lines, done, options);
}

}  // namespace

void add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Let a model answer lines of text");
  auto options = std::make_shared<RunArguments>();
  command->add_option("model", options->model, "Folder of a trained model")->required();
  command->add_option("text", options->lines, "Lines to answer; none: those of stdin");
  const auto shortcut = [&](const char* name, const char* key, const char* help) {
    command->add_option_function<std::string>(
        name,
        [options, key](const std::string& v) { options->settings.push_back(concat(key, "=", v)); },
        help);
  };
  shortcut("--search", "decode.search", "greedy, beam or sample");
  shortcut("--beam", "decode.beam", "Hypotheses that are followed at once");
  shortcut("--n-best", "decode.n_best", "Answers to each line");
  shortcut("--temperature", "decode.temperature", "Of sampling");
  shortcut("--top-k", "decode.top_k", "Sample of the k likeliest");
  shortcut("--top-p", "decode.top_p", "Sample of those that hold this much probability");
  shortcut("--min-p", "decode.min_p", "Sample of those with this share of the likeliest's");
  shortcut("--repetition-penalty", "decode.repetition_penalty",
           "Above 1: what was written is less likely to come again");
  shortcut("--seed", "decode.seed", "Of sampling");
  shortcut("--max-length", "decode.max_length", "Tokens to write at most");
  command
      ->add_option_function<std::vector<std::string>>(
          "--stop",
          [options](const std::vector<std::string>& stops) {
            options->settings.push_back(concat("decode.stop=", repaired(stops).dump()));
          },
          "What ends a text of a language model; several: --stop A --stop B")
      ->allow_extra_args(false);
  const auto field = [&](const char* name, const char* key, const char* help) {
    command->add_option_function<std::string>(
        name, [options, key](const std::string& v) { options->fields[key] = repaired_utf8(v); },
        help);
  };
  field("--prefix", "prefix", "What each answer must begin with");
  field("--head", "head", "Which head of a model with several");
  field("--nearest", "nearest",
        "With a model that makes vectors: the lines of this file nearest to each");
  command
      ->add_option_function<std::vector<std::string>>(
          "--set",
          [options](const std::vector<std::string>& more) {
            options->settings.insert(options->settings.end(), more.begin(), more.end());
          },
          "Another setting: --set decode.length_penalty=1")
      ->allow_extra_args(false);
  command->add_flag_function(
      "--align", [options](std::int64_t) { options->fields["align"] = true; },
      "Also which input each word attends to most (0-0 1-2)");
  command->add_flag("--live", options->live,
                    "Answer while the line is still being written, with a model trained to lag");
  command->add_flag("--json", options->json, "A JSON object a line, with scores");
  add_products(*command);
  command->footer(
      "Give --beam 1 for speed, --beam 5 --n-best 5 for choice, --json for scores.\n"
      "\n"
      "  fovea run runs/multi30k-en-de \"A dog runs.\"\n"
      "  fovea run runs/multi30k-en-de < in.txt > out.txt\n"
      "  fovea run runs/g2p-cmudict --n-best 3 --json colonel\n"
      "  fovea run runs/shakespeare --temperature 0.8 --top-p 0.95 \"As aliens entered our "
      "planet\"");
  command->callback([options] { run_command(*options); });
}

}  // namespace fovea::app
