#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "fovea/base/atomic_file.h"
#include "fovea/formats/safetensors.h"
#include "fovea/formats/safetensors_dtype.h"

namespace fovea {
namespace {

/// The largest elements first: then each tensor is aligned if the first one is.
std::vector<const NamedTensor*> in_order_of_alignment(std::span<const NamedTensor> tensors) {
  std::vector<const NamedTensor*> order;
  for (const NamedTensor& t : tensors) order.push_back(&t);
  std::stable_sort(order.begin(), order.end(), [](const NamedTensor* a, const NamedTensor* b) {
    return size_of(a->tensor.dtype()) > size_of(b->tensor.dtype());
  });
  return order;
}

std::string header_of(const std::string& path, const std::vector<const NamedTensor*>& order,
                      const SafeTensors::Metadata& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::set<std::string> names = {"__metadata__"};
  std::size_t at = 0;
  for (const auto* named : order) {
    const auto& [name, tensor] = *named;
    FOVEA_CHECK(tensor.defined(), path, ": tensor ", name, " is not defined");
    FOVEA_CHECK(names.insert(name).second, path, ": two tensors are called ", name);
    std::vector<Dim> extents;
    for (int i = 0; i < tensor.shape().rank(); ++i) extents.push_back(tensor.shape()[i]);
    header[name] = {{"dtype", safetensors_name(tensor.dtype())},
                    {"shape", extents},
                    {"data_offsets", {at, at + tensor.bytes()}}};
    at += tensor.bytes();
  }
  return header.dump();
}

}  // namespace

void write_safetensors(const std::string& name, const ByteSink& sink,
                       std::span<const NamedTensor> tensors,
                       const SafeTensors::Metadata& metadata) {
  const std::vector<const NamedTensor*> order = in_order_of_alignment(tensors);
  std::string header;
  try {
    header = header_of(name, order, metadata);
  } catch (const nlohmann::json::exception& error) {  // a name that is not UTF-8
    fail(name, ": the header cannot be written: ", error.what());
  }
  constexpr std::size_t alignment = 64;
  std::uint64_t length = header.size();
  while ((sizeof(length) + length) % alignment != 0) ++length;
  header.resize(length, ' ');

  sink(&length, sizeof(length));
  sink(header.data(), header.size());
  for (const auto* named : order) sink(named->tensor.raw(), named->tensor.bytes());
}

void write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                       const SafeTensors::Metadata& metadata) {
  AtomicFile file(path);
  write_safetensors(
      path.string(), [&](const void* data, std::size_t bytes) { file.write(data, bytes); }, tensors,
      metadata);
  file.commit();
}

}  // namespace fovea
