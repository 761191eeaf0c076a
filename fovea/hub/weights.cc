#include "fovea/hub/weights.h"

#include <set>

#include "fovea/config/config.h"

namespace fovea {
namespace {

constexpr const char *one_file = "model.safetensors", *index_file = "model.safetensors.index.json";

/// The shards that an index names, and which tensors it says each has.
std::map<std::string, std::string> shards_of(const std::filesystem::path& index) {
  const Json json = parse_json_file(index);
  const auto map = json.find("weight_map");
  FOVEA_CHECK(map != json.end() && map->is_object(), ErrorKind::bad_file, index.string(),
              ": expected an object \"weight_map\" from tensors to files");
  std::map<std::string, std::string> shards;
  for (const auto& [tensor, file] : map->items()) {
    FOVEA_CHECK(file.is_string(), ErrorKind::bad_file, index.string(), ": ", tensor,
                ": expected the name of a file");
    const std::string name = file.get<std::string>();
    FOVEA_CHECK(std::filesystem::path(name).filename() == name && !name.empty(),
                ErrorKind::bad_file, index.string(), ": ", tensor,
                ": expected a file of the same folder, found '", name, "'");
    shards[tensor] = name;
  }
  return shards;
}

std::vector<std::filesystem::path> safetensors_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
  }
  return files;
}

/// LayerNorm.gamma is LayerNorm.weight, LayerNorm.beta LayerNorm.bias.
std::string of_today(const std::string& name) {
  for (const auto& [before, today] : {std::pair{"gamma", "weight"}, std::pair{"beta", "bias"}}) {
    if (name.ends_with(concat("LayerNorm.", before))) {
      return name.substr(0, name.rfind('.') + 1) + today;
    }
  }
  return name;
}

}  // namespace

HubWeights HubWeights::open_file(const std::filesystem::path& path) {
  HubWeights weights;
  weights.folder_ = path;
  weights.add(path);
  return weights;
}

HubWeights HubWeights::open(const std::filesystem::path& folder) {
  HubWeights weights;
  weights.folder_ = folder;
  if (std::filesystem::exists(folder / one_file)) {
    weights.add(folder / one_file);
    return weights;
  }
  const std::vector<std::filesystem::path> others = safetensors_in(folder);
  if (!std::filesystem::exists(folder / index_file) && others.size() == 1) {
    weights.add(others.front());
    return weights;
  }
  FOVEA_CHECK(std::filesystem::exists(folder / index_file), ErrorKind::not_found, folder.string(),
              ": expected ", one_file, " or ", index_file, ", found ",
              others.empty() ? "neither" : "several others",
              "; models in other formats (.bin, .pt) are saved as safetensors by transformers' ",
              "save_pretrained");
  const auto shards = shards_of(folder / index_file);
  std::set<std::string> files;
  for (const auto& [tensor, file] : shards) files.insert(file);
  for (const std::string& file : files) weights.add(folder / file);
  for (const auto& [tensor, file] : shards) {
    FOVEA_CHECK(weights.has(of_today(tensor)), ErrorKind::bad_file, (folder / file).string(), ": ",
                tensor, " is missing, though ", index_file, " says that it is there");
  }
  return weights;
}

void HubWeights::add(const std::filesystem::path& path) {
  const SafeTensors file = SafeTensors::open(path);
  for (const std::string& name : file.names()) {
    FOVEA_CHECK(places_.emplace(of_today(name), Place{file, name}).second, ErrorKind::bad_file,
                path.string(), ": ", name, " is also in another file of the folder");
  }
}

Tensor HubWeights::operator()(const std::string& name) const {
  const auto at = places_.find(name);
  FOVEA_CHECK(at != places_.end(), ErrorKind::bad_file, folder_.string(), ": the tensor ", name,
              " is missing");
  return at->second.file.source()(at->second.name);
}

std::vector<std::string> HubWeights::names() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : places_) names.push_back(name);
  return names;
}

}  // namespace fovea
