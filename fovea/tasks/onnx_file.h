/// A net of one of our models as one ONNX file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/config/config.h"
#include "fovea/onnx/text_models.h"

namespace fovea {

template <class Net>
std::vector<std::filesystem::path> write_onnx(const std::filesystem::path& out,
                                              const Params& params, const Net& net,
                                              std::string_view task,
                                              const std::vector<std::string>& labels = {}) {
  onnx::Graph graph(params);
  onnx::add_model(graph, net);
  graph.note("task", std::string(task));
  if (!labels.empty()) graph.note("labels", Json(labels).dump());
  graph.write(out);
  return {out};
}

}  // namespace fovea
