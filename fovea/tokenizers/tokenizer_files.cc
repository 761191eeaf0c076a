/// Folders of models. Those without tokenizer.json become one here, as `transformers` makes one of
/// them, so that there is one reader.
#include <fstream>

#include "fovea/base/file_error.h"
#include "fovea/tokenizers/tokenizer_state.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;
using hub::JsonPart;

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  FOVEA_CHECK(in.is_open(), file_error_kind(path), path.string(), ": cannot be opened");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    FOVEA_CHECK(valid_utf8(line), ErrorKind::bad_file, path.string(), ":", lines.size() + 1,
                ": is no UTF-8");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  FOVEA_CHECK(in.is_open(), file_error_kind(path), path.string(), ": cannot be opened");
  return {std::istreambuf_iterator<char>(in), {}};
}

Json parsed(const std::string& text, const fs::path& path) {
  return parse_json(text, path.string());
}
Json read_json(const fs::path& path) { return parsed(read_text(path), path); }

/// tokenizer_config.json, and special_tokens_map.json for what it does not say.
Json read_settings(const fs::path& folder) {
  Json settings = Json::object();
  for (const char* name : {"special_tokens_map.json", "tokenizer_config.json"}) {
    if (!fs::exists(folder / name)) continue;
    const Json more = read_json(folder / name);
    FOVEA_CHECK(more.is_object(), ErrorKind::bad_file, (folder / name).string(),
                ": expected an object");
    for (const auto& [key, value] : more.items()) settings[key] = value;
  }
  return settings;
}

std::string setting(const JsonPart& settings, const char* key, const char* otherwise) {
  if (!settings.has(key)) return otherwise;
  const JsonPart found = settings.at(key);
  return found.json().is_object() ? found.text("content") : found.text();
}

/// The tokens with these names as added tokens, where the vocabulary has them.
Json special_tokens(const Json& vocabulary, const std::vector<std::string>& names) {
  Json added = Json::array();
  for (const std::string& name : names) {
    const auto found = vocabulary.find(name);
    if (found == vocabulary.end()) continue;
    added.push_back({{"id", *found},
                     {"content", name},
                     {"special", true},
                     {"normalized", false},
                     {"single_word", false},
                     {"rstrip", false},
                     {"lstrip", name == "<mask>"}});  // RoBERTa's takes the space before it
  }
  return added;
}

/// BERT: vocab.txt, a token a line.
Json wordpiece_json(const fs::path& path, const JsonPart& settings) {
  Json vocabulary = Json::object();
  std::int64_t id = 0;
  for (const std::string& line : lines_of(path)) {
    FOVEA_CHECK(vocabulary.emplace(line, id).second, ErrorKind::bad_file, path.string(), ":",
                id + 1, ": '", line, "' is there twice");
    ++id;
  }
  const std::string unknown = setting(settings, "unk_token", "[UNK]");
  const std::string cls = setting(settings, "cls_token", "[CLS]");
  const std::string sep = setting(settings, "sep_token", "[SEP]");
  for (const std::string& token : {cls, sep, unknown}) {
    FOVEA_CHECK(vocabulary.contains(token), ErrorKind::bad_file, path.string(), ": has no '", token,
                "'");
  }
  const bool lowercase = settings.flag("do_lower_case", true);
  return {{"version", "1.0"},
          {"added_tokens",
           special_tokens(vocabulary, {setting(settings, "pad_token", "[PAD]"), unknown, cls, sep,
                                       setting(settings, "mask_token", "[MASK]")})},
          {"normalizer",
           {{"type", "BertNormalizer"},
            {"clean_text", true},
            {"handle_chinese_chars", settings.flag("tokenize_chinese_chars", true)},
            {"strip_accents", settings.flag("strip_accents", lowercase)},
            {"lowercase", lowercase}}},
          {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
          {"post_processor",
           {{"type", "BertProcessing"},
            {"sep", {sep, vocabulary[sep]}},
            {"cls", {cls, vocabulary[cls]}}}},
          {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
          {"model",
           {{"type", "WordPiece"},
            {"unk_token", unknown},
            {"continuing_subword_prefix", "##"},
            {"max_input_chars_per_word", 100},
            {"vocab", vocabulary}}}};
}

/// GPT-2 and RoBERTa: vocab.json, and merges.txt with a pair a line.
Json byte_bpe_json(const fs::path& folder, const JsonPart& settings) {
  const fs::path path = folder / "vocab.json";
  const Json vocabulary = read_json(path);
  FOVEA_CHECK(vocabulary.is_object(), ErrorKind::bad_file, path.string(),
              ": expected an object of tokens and ids");
  Json merges = Json::array();
  for (const std::string& line : lines_of(folder / "merges.txt")) {
    if (!line.empty() && !(merges.empty() && line.starts_with("#version"))) merges.push_back(line);
  }
  const bool prefix_space = settings.flag("add_prefix_space", false);
  const Json bytes = {{"type", "ByteLevel"}, {"add_prefix_space", prefix_space}};
  const bool roberta = vocabulary.contains("<mask>");  // GPT-2 has no masks
  const std::string cls = setting(settings, "cls_token", "<s>");
  const std::string sep = setting(settings, "sep_token", "</s>");
  Json post = {{"type", "ByteLevel"}, {"trim_offsets", false}};
  if (roberta) {
    for (const std::string& token : {cls, sep}) {
      FOVEA_CHECK(vocabulary.contains(token), ErrorKind::bad_file, path.string(), ": has no '",
                  token, "'");
    }
    post = {{"type", "RobertaProcessing"},
            {"sep", {sep, vocabulary[sep]}},
            {"cls", {cls, vocabulary[cls]}},
            {"trim_offsets", true},
            {"add_prefix_space", prefix_space}};
  }
  return {{"version", "1.0"},
          {"added_tokens",
           special_tokens(vocabulary,
                          roberta ? std::vector<std::string>{cls, "<pad>", sep, "<unk>", "<mask>"}
                                  : std::vector<std::string>{"<|endoftext|>"})},
          {"pre_tokenizer", bytes},
          {"post_processor", post},
          {"decoder", {{"type", "ByteLevel"}}},
          {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}}};
}

}  // namespace

HubTokenizer HubTokenizer::load(const fs::path& folder) {
  const Json settings = read_settings(folder);
  const JsonPart config(settings, (folder / "tokenizer_config.json").string() + ": ");
  const auto made_of = [&](const Json& json, std::string text, const char* name) {
    auto state = std::make_shared<State>(JsonPart(json, (folder / name).string() + ": "), config);
    state->file = std::move(text);
    return HubTokenizer(std::move(state));
  };
  if (const fs::path path = folder / "tokenizer.json"; fs::exists(path)) {
    std::string text = read_text(path);
    const Json json = parsed(text, path);
    return made_of(json, std::move(text), "tokenizer.json");
  }
  if (fs::exists(folder / "vocab.txt")) {
    const Json json = wordpiece_json(folder / "vocab.txt", config);
    return made_of(json, json.dump(), "vocab.txt");
  }
  if (fs::exists(folder / "vocab.json") && fs::exists(folder / "merges.txt")) {
    const Json json = byte_bpe_json(folder, config);
    return made_of(json, json.dump(), "vocab.json");
  }
  fail(ErrorKind::not_found, folder.string(),
       ": has no tokenizer: expected tokenizer.json, or vocab.txt, or vocab.json ",
       "and merges.txt");
}

}  // namespace fovea
