#include "fovea/tasks/model_folder.h"

#include "fovea/base/atomic_file.h"
#include "fovea/base/file_error.h"
#include "fovea/data/sha256.h"
#include "fovea/formats/mapped_file.h"
#include "fovea/formats/safetensors.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

fs::path tokenizer_file(const fs::path& folder, const std::string& name) {
  return folder / (name + ".json");
}

void expect_own(const fs::path& folder, const std::string& name) {
  const Json config = parse_json_file(folder / "config.json");
  const auto known = config.find(tokenizers_key);
  if (known == config.end() || !known->contains(name)) return;
  const fs::path path = tokenizer_file(folder, name);
  FOVEA_CHECK((*known)[name] == sha256_of(path), path.string(), ": is not the tokenizer that ",
              (folder / "config.json").string(), " was saved with, so its ids mean other words; ",
              "take the one that was written with this model");
}

}  // namespace

std::vector<std::string> save_config(const fs::path& folder, Json recipe,
                                     const TokenizerMap& tokenizers) {
  std::vector<std::string> files;
  for (const auto& [name, text] : tokenizers) {
    for (std::string& file : text.save(folder, name)) files.push_back(std::move(file));
    recipe[tokenizers_key][name] = sha256_of(tokenizer_file(folder, name));
  }
  write_atomically(folder / "config.json", recipe.dump(2) + "\n");
  files.push_back("config.json");
  return files;
}

void fail_in(const fs::path& folder, const Error& error) {
  const std::string name = folder.string(), message = error.what();
  const bool named =
      message.starts_with(name) &&
      (name.ends_with('/') || message[name.size()] == '/' || message[name.size()] == ':');
  fail(error.kind(), named ? "" : name + ": ", message);
}

Tokenizer tokenizer_of_model(const fs::path& folder, const std::string& name) {
  Tokenizer tokenizer = Tokenizer::load(folder, name);
  expect_own(folder, name);
  return tokenizer;
}

Tokenizer tokenizer_of_model(const fs::path& folder, const std::string& name, Dim size) {
  Tokenizer tokenizer = Tokenizer::load(folder, name);
  FOVEA_CHECK(tokenizer.size() == size, tokenizer_file(folder, name).string(), ": a tokenizer of ",
              tokenizer.size(), " ids, but config.json says ", size,
              "; it belongs to another model, take the one that was written with this");
  expect_own(folder, name);
  return tokenizer;
}

std::unique_ptr<Params> weights_of_model(const std::filesystem::path& folder, Use use) {
  return std::make_unique<Params>(
      SafeTensors::open(folder / "model.safetensors").source(), use,
      folder.string() + ": config.json and model.safetensors do not belong together");
}

void take_along(const fs::path& from, const fs::path& to, const std::vector<std::string>& files) {
  try {
    if (fs::exists(to) && fs::equivalent(from, to)) return;
    fs::create_directories(to);
  } catch (const fs::filesystem_error& error) {
    fail(message_of(error));
  }
  for (const std::string& name : files) {
    const auto contents = MappedFile::open(from / name);
    AtomicFile file(to / name);
    file.write(contents->bytes().data(), contents->bytes().size());
    file.commit();
  }
}

}  // namespace fovea
