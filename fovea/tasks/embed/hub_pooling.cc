#include "fovea/tasks/embed/hub_pooling.h"

#include "fovea/config/config.h"

namespace fovea {
namespace {

namespace fs = std::filesystem;

TextPooling pooling_of(const fs::path& path, Dim width) {
  const Json json = parse_json_file(path);
  FOVEA_CHECK(json.is_object(), path.string(), ": expected an object");
  const Json size = json.value("word_embedding_dimension", Json(width));
  FOVEA_CHECK(size == width, path.string(), ": word_embedding_dimension: expected ", width,
              ", found ", size.dump());
  std::optional<TextPooling> found;
  for (const auto& [key, value] : json.items()) {
    if (!key.starts_with("pooling_mode_") || value != true) continue;
    FOVEA_CHECK(!found, path.string(), ": several ways of pooling side by side are not supported");
    if (key == "pooling_mode_mean_tokens") found = TextPooling::mean;
    if (key == "pooling_mode_cls_token") found = TextPooling::first_row;
    if (key == "pooling_mode_max_tokens") found = TextPooling::max;
    FOVEA_CHECK(found, path.string(), ": ", key, " is not supported; mean, cls and max are");
  }
  FOVEA_CHECK(found, path.string(), ": no pooling_mode_... is true");
  return *found;
}

}  // namespace

HubPooling hub_pooling(const fs::path& folder, Dim width) {
  HubPooling all;
  const fs::path sizes = folder / "sentence_bert_config.json";
  if (fs::exists(sizes)) {
    const Json json = parse_json_file(sizes);
    if (json.is_object() && json.contains("max_seq_length") &&
        json["max_seq_length"].is_number_integer()) {
      all.longest = json["max_seq_length"].get<Dim>();
    }
  }
  const fs::path path = folder / "modules.json";
  if (!fs::exists(path)) return all;
  all.told = true;
  all.normalise = false;
  const Json modules = parse_json_file(path);
  FOVEA_CHECK(modules.is_array(), path.string(), ": expected a list of steps");
  for (const Json& step : modules) {
    FOVEA_CHECK(step.is_object() && step.contains("type") && step["type"].is_string() &&
                    step.contains("path") && step["path"].is_string(),
                path.string(), ": expected a type and a path for each step, found ", step.dump());
    const std::string type = step["type"].get<std::string>();
    const fs::path own = step["path"].get<std::string>();
    FOVEA_CHECK(own == own.filename(), path.string(), ": expected a folder beside it, found '",
                own.string(), "'");
    if (type.ends_with(".Transformer")) continue;
    if (type.ends_with(".Pooling")) {
      all.pooling = pooling_of(folder / own / "config.json", width);
    } else if (type.ends_with(".Normalize")) {
      all.normalise = true;
    } else {
      fail(path.string(), ": a step of the type '", type,
           "' is not supported; Transformer, Pooling and Normalize are");
    }
  }
  return all;
}

}  // namespace fovea
