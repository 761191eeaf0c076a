#include "fovea/inspect/run_json.h"

#include <nlohmann/json.hpp>

#include "fovea/base/base64.h"
#include "fovea/picture/display_text.h"
#include "fovea/unicode/utf8.h"

namespace fovea {
namespace {

using nlohmann::json;

/// Each number in 16 bits, low byte first.
template <class Numbers, class Convert>
std::string packed(const Numbers& numbers, const Convert& in_16) {
  std::string bytes;
  for (const auto number : numbers) {
    const auto two = static_cast<std::uint16_t>(in_16(number));
    bytes += static_cast<char>(two & 255);
    bytes += static_cast<char>(two >> 8);
  }
  return to_base64(bytes);
}

json shown(const std::vector<std::string>& texts) {
  json out = json::array();
  for (const std::string& text : texts) out.push_back(displayable(text));
  return out;
}

json document_json(const DocumentHeat& heat) {
  heat.check();
  json sentences = json::array();
  for (const DocumentHeat::Sentence& one : heat.sentences) {
    sentences.push_back(
        {{"weight", one.weight}, {"words", shown(one.words)}, {"weights", one.weights}});
  }
  return {{"title", displayable(heat.title)}, {"sentences", std::move(sentences)}};
}

json layer_json(const RunRecord::Layer& layer) {
  return {{"name", layer.name},
          {"queries", layer.queries},
          {"keys", layer.keys},
          {"heads", layer.heads},
          {"kept", layer.kept()}};
}

/// An image, the first grid of tokens on it and its first boxes.
json image_json(const RunRecord& record, const RunRecord::Medium& medium) {
  const Image& image = medium.image;
  image.check("run: '" + medium.name + "'");
  const std::string_view pixels(reinterpret_cast<const char*>(image.pixels.data()),
                                image.pixels.size());
  json out = {{"width", image.width},
              {"height", image.height},
              {"channels", image.channels},
              {"pixels", to_base64(pixels)}};
  for (const RunRecord::Places& places : record.places) {
    if (places.medium != medium.name) continue;
    if (const auto* grid = std::get_if<RunRecord::Grid>(&places.at);
        grid && !out.contains("patches")) {
      out["patches"] = {{"sequence", places.sequence},
                        {"first", places.first},
                        {"rows", grid->rows},
                        {"columns", grid->columns}};
    }
    const auto* boxes = std::get_if<std::vector<RunRecord::Box>>(&places.at);
    if (!boxes || out.contains("glimpses")) continue;
    for (const RunRecord::Box& box : *boxes) {
      out["glimpses"].push_back({{"x", box.x},
                                 {"y", box.y},
                                 {"width", box.width},
                                 {"height", box.height},
                                 {"weight", box.weight}});
    }
  }
  return out;
}

void add_weights(const RunRecord::Layer& layer, json& to) {
  std::string weights = packed(layer.weights, in_16_bits);
  if (layer.keep == Keep::all) {
    to["weights"] = std::move(weights);
    return;
  }
  constexpr Dim none = 65535;
  FOVEA_CHECK(layer.cols <= none, ErrorKind::too_large, "page: '", layer.name, "' has ", layer.cols,
              " keys; a page can name ", none);
  to["top"] = {{"count", layer.top},
               {"keys", packed(layer.top_keys, [](std::int32_t k) { return k < 0 ? none : k; })},
               {"weights", std::move(weights)}};
}

}  // namespace

json run_json(const RunRecord& record, const std::string& id) {
  json out = {{"id", id},
              {"model", record.model},
              {"task", record.task},
              {"input", repaired_utf8(record.input)},
              {"output", repaired_utf8(record.output)},
              {"sequences", json::array()},
              {"layers", json::array()}};
  if (record.cut) out["cut"] = true;
  for (const RunRecord::Sequence& one : record.sequences) {
    out["sequences"].push_back({{"name", one.name}, {"tokens", shown(one.tokens)}});
  }
  for (const RunRecord::Layer& layer : record.layers) out["layers"].push_back(layer_json(layer));
  if (record.alignment) {
    const Dim head = record.alignment->head;
    out["alignment"] = {{"layer", record.alignment->layer},
                        {"head", head < 0 ? json("mean") : json(head)}};
  }
  for (const DocumentHeat& heat : record.documents) {
    out["documents"].push_back(document_json(heat));
  }
  if (!record.media.empty()) out["image"] = image_json(record, record.media.front());
  for (const RunRecord::Halting& one : record.halting) {
    out["halting"].push_back({{"sequence", one.sequence}, {"steps", one.steps}});
  }
  for (const RunRecord::Samples& one : record.samples) {
    out["samples"].push_back({{"layer", one.layer}, {"head", one.head}, {"keys", one.keys}});
  }
  return out;
}

json run_json_with_weights(const RunRecord& record, const std::string& id) {
  json out = run_json(record, id);
  for (std::size_t i = 0; i < record.layers.size(); ++i) {
    add_weights(record.layers[i], out["layers"][i]);
  }
  return out;
}

json measures_json(std::span<const LayerMeasures> measures) {
  json layers = json::array();
  for (const LayerMeasures& one : measures) {
    layers.push_back({{"name", one.name},
                      {"entropy", one.entropy},
                      {"distance", one.distance.empty() ? json() : json(one.distance)}});
  }
  return {{"layers", std::move(layers)}};
}

json samples_line(std::span<const TrainingSample> samples, Dim step) {
  json all = json::array();
  for (const TrainingSample& one : samples) {
    json& told = all.emplace_back(
        json{{"input", repaired_utf8(one.input)}, {"output", repaired_utf8(one.output)}});
    if (!one.reference.empty()) told["reference"] = repaired_utf8(one.reference);
  }
  return {{"kind", "samples"}, {"step", step}, {"samples", std::move(all)}};
}

json attention_line(const AttentionMap& map, Dim step) {
  map.check();
  return {{"kind", "attention"},
          {"step", step},
          {"title", displayable(map.title)},
          {"queries", shown(map.queries)},
          {"keys", shown(map.keys)},
          {"weights", packed(map.weights.span<float>(), in_16_bits)}};
}

}  // namespace fovea
