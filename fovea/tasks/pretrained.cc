#include "fovea/tasks/pretrained.h"

#include "fovea/formats/safetensors.h"
#include "fovea/tasks/model_folder.h"

namespace fovea {
namespace {

TextEncoderConfig encoder_of(const std::filesystem::path& folder) {
  const Json config = model_config(folder);
  const std::string place = (folder / "config.json").string();
  const bool there = config.contains("model") && config["model"].is_object() &&
                     config["model"].contains("encoder");
  FOVEA_CHECK(there, place, ": the model has no encoder of texts (model.encoder), so that ",
              "model.from cannot begin with it");
  TextEncoderConfig encoder;
  read_config(config["model"]["encoder"], encoder, place + ": model.encoder");
  return encoder;
}

}  // namespace

std::filesystem::path earlier_run(std::string_view setting, const std::string& name,
                                  const std::filesystem::path& base,
                                  const std::filesystem::path& kept) {
  std::filesystem::path folder = base / name;
  if (!std::filesystem::exists(folder)) folder = name;
  if (!std::filesystem::exists(folder)) folder = kept;
  FOVEA_CHECK(std::filesystem::exists(folder), setting, ": ", name,
              " is neither seen from the recipe's folder nor from the current one; train or ",
              "import it first, or name the folder of another model");
  return std::filesystem::absolute(folder).lexically_normal();
}

std::string located_run(const std::string& name, const std::filesystem::path& base) {
  const std::filesystem::path seen = base / name;
  if (name.empty() || !std::filesystem::exists(seen)) return name;
  return std::filesystem::absolute(seen).lexically_normal().string();
}

Pretrained Pretrained::open(const std::string& from, const std::filesystem::path& base) {
  std::filesystem::path folder = earlier_run("model.from", from, base);
  TextEncoderConfig encoder = encoder_of(folder);
  Tokenizer words = tokenizer_of_model(folder, "words", encoder.vocabulary);
  return {std::move(folder), std::move(encoder), std::move(words)};
}

TextEncoderConfig Pretrained::settings(const TextEncoderConfig& wanted,
                                       const TextEncoderConfig& unset) const {
  TextEncoderConfig own = encoder;
  own.dropout = wanted.dropout;
  own.attention_dropout = wanted.attention_dropout;
  own.activation_dropout = wanted.activation_dropout;
  if (own.kinds == 0) own.kinds = wanted.kinds;
  if (own.letters == 0) {
    own.letters = wanted.letters;
    own.letter_width = wanted.letter_width;
    own.letter_filters = wanted.letter_filters;
    own.letter_windows = wanted.letter_windows;
  }
  const Json asked = write_config(wanted), left = write_config(unset), has = write_config(own);
  for (const auto& [key, value] : asked.items()) {
    FOVEA_CHECK(value == has[key] || value == left[key], "model.encoder.", key, " = ", value.dump(),
                ", but the model in ", folder.string(), " has ", has[key].dump(),
                "; leave it out, or train another model to begin with");
  }
  return own;
}

std::unique_ptr<Params> Pretrained::params(std::uint64_t seed) const {
  const std::filesystem::path path = folder / "model.safetensors";
  const auto source = SafeTensors::open(path).source();
  return std::make_unique<Params>(seed, [source, path](const std::string& name) {
    const bool added = name.starts_with("encoder.letters") || name.starts_with("encoder.kinds");
    const bool of_encoder = name.starts_with("encoder.");
    if (!of_encoder && !name.starts_with("pooler.")) return Tensor();
    Tensor found = source(name);
    FOVEA_CHECK(found.defined() || !of_encoder || added, path.string(), ": has no ", name,
                ": the model has no encoder, or another one than its config.json says");
    return found;
  });
}

Tokenizer tokenizer_of_run(const RunPlace& place, const std::string& name,
                           const std::function<Tokenizer()>& learn) {
  const bool known = place.resume && std::filesystem::exists(place.folder / (name + ".json"));
  return known ? Tokenizer::load(place.folder, name) : learn();
}

Beginning begin_anew(const RunPlace& place, std::uint64_t seed,
                     const std::function<Tokenizer()>& learn) {
  return {tokenizer_of_run(place, "words", learn), std::make_unique<Params>(seed)};
}

Beginning begin_with(std::string& from, TextEncoderConfig& encoder, TokenizerConfig& words,
                     const RunPlace& place, std::uint64_t seed,
                     const std::function<Tokenizer()>& learn) {
  if (from.empty()) return begin_anew(place, seed, learn);
  const Pretrained before = Pretrained::open(from, place.base);
  from = before.folder.string();
  encoder = before.settings(encoder);
  words = before.words.config();
  return {before.words, before.params(seed)};
}

}  // namespace fovea
