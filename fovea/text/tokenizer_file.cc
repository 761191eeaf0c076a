/// Tokenizers in files. A file may come from anywhere and may be cut off: it is checked as a whole
/// before SentencePiece sees it.
#include <fstream>
#include <iterator>

#include "fovea/base/atomic_file.h"
#include "fovea/base/check.h"
#include "fovea/base/file_error.h"
#include "fovea/config/config.h"
#include "fovea/text/state.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

constexpr const char* format = "fovea tokenizer 1";
constexpr const char* advice =
    "; the file is damaged or of something else: copy it again, or train the tokenizer again";

/// What <name>.json holds.
struct TokenizerFile {
  std::string format = {};
  TokenizerConfig config = {};
  std::vector<std::string> symbols = {};
  std::string model_checksum = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit("format", format);
    visit("config", config);
    visit("symbols", symbols);
    visit("model_checksum", model_checksum);
  }
};

/// FNV-1a of Fowler, Noll and Vo, 64 bits. It finds accidents, not attacks.
std::string checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  std::ostringstream hex;
  hex << std::hex << hash;
  return hex.str();
}

std::string read_all(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  FOVEA_CHECK(in.is_open(), file_error_kind(path), path.string(),
              ": cannot be opened; is it where its .json is?");
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path file_of(const fs::path& folder, const std::string& name, const char* ending) {
  return folder / (name + ending);
}

bool has_model(TokenizerKind kind) {
  return kind == TokenizerKind::bpe || kind == TokenizerKind::unigram ||
         kind == TokenizerKind::marian;
}

/// Nobody sets what these files say: a wrong setting in them is a damaged file.
ErrorKind kind_in_file(const Error& error) {
  return error.kind() == ErrorKind::bad_setting ? ErrorKind::bad_file : error.kind();
}

}  // namespace

std::vector<std::string> Tokenizer::save(const fs::path& folder, const std::string& name) const {
  const TokenizerConfig& config = state_->config;
  const text::Learned& learned = state_->learned;
  TokenizerFile file{format, config, learned.symbols};
  std::vector<std::string> files;
  if (state_->hub) files = state_->hub->save(folder);
  if (has_model(config.kind)) {
    file.model_checksum = checksum(learned.model);
    write_atomically(file_of(folder, name, ".model"), learned.model);
    files.push_back(name + ".model");
  }
  write_atomically(file_of(folder, name, ".json"), write_config(file).dump(1) + "\n");
  files.push_back(name + ".json");
  return files;
}

Tokenizer Tokenizer::load(const fs::path& folder, const std::string& name) {
  const fs::path path = file_of(folder, name, ".json");
  const Json json = parse_json_file(path);
  TokenizerFile file;
  FOVEA_CHECK(json.is_object() && json.contains("format") && json["format"] == format,
              ErrorKind::bad_file, path.string(), ": expected a tokenizer (\"format\": \"", format,
              "\")", advice);
  try {
    read_config(json, file, path.string());
  } catch (const Error& error) {
    fail(kind_in_file(error), error.what());
  }
  if (file.config.kind == TokenizerKind::hub) {
    return Tokenizer::of(HubTokenizer::load(folder), file.config.vocabulary);
  }
  text::Learned learned{.symbols = std::move(file.symbols), .model = {}};
  const bool model = has_model(file.config.kind);
  const fs::path model_path = file_of(folder, name, ".model");
  if (model) {
    learned.model = read_all(model_path);
    FOVEA_CHECK(checksum(learned.model) == file.model_checksum, ErrorKind::bad_file,
                model_path.string(), ": is not the model that ", path.string(), " was saved with",
                advice);
  }
  try {
    return Tokenizer(std::make_shared<State>(std::move(file.config), std::move(learned)));
  } catch (const Error& error) {
    fail(kind_in_file(error), (model ? model_path : path).string(), ": ", error.what(), advice);
  }
}

}  // namespace fovea
