#include "fovea/text/tokenizer.h"

#include <charconv>
#include <cstdio>

#include "commands.h"
#include "fovea/config/config.h"
#include "fovea/data/find_data.h"
#include "input.h"

namespace fovea::app {
namespace {

/// A tokenizer in a folder, and what to do with it.
struct TokenizerArguments {
  std::filesystem::path folder;
  std::string name = "source";
  std::vector<std::string> text;
  std::vector<std::string> files, settings;  // of train
  Dim pieces = 20;                           // of show
  bool ids = false, pieces_asked = false, json = false;

  /// The one that is named, or the one that a model of texts has.
  Tokenizer load() const {
    const auto there = [&](const std::string& file) {
      return std::filesystem::exists(folder / (file + ".json"));
    };
    for (const char* other : {"words", "text"}) {
      if (!there(name) && there(other)) return Tokenizer::load(folder, other);
    }
    return Tokenizer::load(folder, name);
  }
};

void train_command(const TokenizerArguments& options) {
  Json json = Json::object();
  for (const std::string& setting : options.settings) set_value(json, setting);
  TokenizerConfig config;
  read_config(json, config, "tokenizer");
  const auto file = options.folder / (options.name + ".json"),
             model = options.folder / (options.name + ".model");
  for (const std::filesystem::path& there : {file, model}) {
    FOVEA_CHECK(!std::filesystem::exists(there), there.string(),
                ": is there already; remove it, or choose another --out or --name");
  }
  std::vector<TextReader> readers;
  for (const std::string& name : options.files) readers.emplace_back(resolve(name, "."));
  std::size_t at = 0;
  const Tokenizer tokenizer = Tokenizer::train(config, [&](std::string& line) {
    while (at < readers.size() && !readers[at].next(line)) ++at;
    return at < readers.size();
  });
  std::filesystem::create_directories(options.folder);
  tokenizer.save(options.folder, options.name);
  std::printf("%lld ids, in %s\n", static_cast<long long>(tokenizer.size()), file.c_str());
}

void encode_command(const TokenizerArguments& options) {
  const Tokenizer tokenizer = options.load();
  InputLines input(options.text);
  for (std::string line; input.next(line);) {
    std::string out;
    for (const std::int32_t id : tokenizer.encode(line)) {
      if (!out.empty()) out += ' ';
      out += options.ids ? std::to_string(id) : tokenizer.piece(id);
    }
    std::printf("%s\n", out.c_str());
    if (input.typed()) std::fflush(stdout);
  }
}

Ids parse_ids(const std::string& line, Dim size) {
  Ids ids;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) {
      std::int32_t id = -1;
      const auto [last, error] = std::from_chars(line.data() + begin, line.data() + end, id);
      FOVEA_CHECK(error == std::errc() && last == line.data() + end && id >= 0 && id < size,
                  "decode: expected ids from 0 to ", size - 1, ", found '",
                  line.substr(begin, end - begin), "'");
      ids.push_back(id);
    }
    begin = end + 1;
  }
  return ids;
}

void decode_command(const TokenizerArguments& options) {
  const Tokenizer tokenizer = options.load();
  InputLines input(options.text);
  for (std::string line; input.next(line);) {
    std::printf("%s\n", tokenizer.decode(parse_ids(line, tokenizer.size())).c_str());
    if (input.typed()) std::fflush(stdout);
  }
}

void show_command(const TokenizerArguments& options) {
  const Tokenizer tokenizer = options.load();
  const Dim shown = std::min(options.pieces, tokenizer.size());
  Json json = write_config(tokenizer.config());
  json["size"] = tokenizer.size();
  if (options.json) {
    for (Dim id = 0; id < shown; ++id) {
      json["pieces"].push_back(tokenizer.piece(static_cast<std::int32_t>(id)));
    }
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  for (const char* key : {"kind", "size", "form", "lowercase", "controls"}) {
    std::printf(
        "%-10s %s\n", key,
        json[key].is_string() ? json[key].get<std::string>().c_str() : json[key].dump().c_str());
  }
  for (Dim id = 0; id < shown; ++id) {
    std::printf("%10lld %s\n", static_cast<long long>(id),
                tokenizer.piece(static_cast<std::int32_t>(id)).c_str());
  }
}

using Run = void (*)(const TokenizerArguments&);

std::pair<CLI::App*, std::shared_ptr<TokenizerArguments>> add(CLI::App& tokenizer, const char* name,
                                                              const char* about, Run run) {
  CLI::App* command = tokenizer.add_subcommand(name, about);
  auto options = std::make_shared<TokenizerArguments>();
  command->callback([options, run] { run(*options); });
  return {command, options};
}

std::pair<CLI::App*, std::shared_ptr<TokenizerArguments>> add_user(CLI::App& tokenizer,
                                                                   const char* name,
                                                                   const char* about, Run run) {
  auto [command, options] = add(tokenizer, name, about, run);
  command->add_option("folder", options->folder, "Of a tokenizer or a model")->required();
  command->add_option("--name", options->name, "source, target or what it was given")
      ->capture_default_str();
  return {command, options};
}

void add_training(CLI::App& tokenizer) {
  auto [command, options] = add(tokenizer, "train", "Learn one from text", train_command);
  command
      ->add_option("files", options->files, "Of text: lines.txt, pairs.tsv#2, multi30k:train.en.gz")
      ->required();
  command->add_option("--out", options->folder, "Folder to write it to")->required();
  command->add_option("--name", options->name, "Of its files there")->capture_default_str();
  const auto setting = [command = command, options = options](const char* name, const char* key,
                                                              const char* help) {
    command->add_option_function<std::string>(
        name,
        [options, key](const std::string& v) { options->settings.push_back(concat(key, "=", v)); },
        help);
  };
  setting("--kind", "kind", "bpe, unigram, characters, words or bytes; default: bpe");
  setting("--vocabulary", "vocabulary", "Ids in all; default: 8000");
  setting("--form", "form", "Of Unicode; default: nfkc");
  setting("--coverage", "coverage", "Of the text's characters (bpe, unigram)");
  setting("--min-count", "min_count", "What is rarer is unknown (characters, words)");
  command->add_flag_callback(
      "--lowercase", [options = options] { options->settings.emplace_back("lowercase=true"); },
      "Of all text");
  command->footer(
      "  fovea tokenizer train all.txt --kind bpe --vocabulary 8000 --lowercase --out pieces");
}

}  // namespace

void add_tokenizer(CLI::App& app) {
  CLI::App* tokenizer = app.add_subcommand("tokenizer", "Text to ids and back");
  tokenizer->require_subcommand(1);
  tokenizer->footer(
      "  fovea tokenizer train all.txt --vocabulary 8000 --out pieces\n"
      "  fovea tokenizer encode pieces \"Two dogs play.\"       its pieces; --ids: numbers\n"
      "  fovea tokenizer encode pieces --ids < in.txt | fovea tokenizer decode pieces\n"
      "  fovea tokenizer show runs/multi30k-en-de              that of a model");
  add_training(*tokenizer);
  auto [encode, encoding] = add_user(*tokenizer, "encode", "Lines to pieces", encode_command);
  encode->add_option("text", encoding->text, "Lines to encode; none: those of stdin");
  CLI::Option* ids = encode->add_flag("--ids", encoding->ids, "Numbers");
  encode->add_flag("--pieces", encoding->pieces_asked, "What a person reads (the default)")
      ->excludes(ids);
  auto [decode, decoding] = add_user(*tokenizer, "decode", "Ids to lines", decode_command);
  decode->add_option("ids", decoding->text, "Each a line: \"17 4 2\"; none: lines of stdin");
  auto [show, showing] = add_user(*tokenizer, "show", "What a tokenizer is", show_command);
  show->add_option("--pieces", showing->pieces, "How many to show")->capture_default_str();
  show->add_flag("--json", showing->json, "As JSON");
}

}  // namespace fovea::app
