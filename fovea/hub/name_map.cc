#include "fovea/hub/name_map.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace fovea {
namespace {

Tensor transposed(const Tensor& x) {
  Tensor y = Tensor::empty({x.cols(), x.rows()});
  const auto from = x.view<float>();
  float* to = y.mutable_data<float>();
  for (Dim r = 0; r < x.rows(); ++r) {
    for (Dim c = 0; c < x.cols(); ++c) to[c * x.rows() + r] = from[r][c];
  }
  return y;
}

/// The rows of a matrix, or the numbers of a vector: what parameters are stacked by.
Dim extent(const Tensor& x) { return x.shape()[0]; }

Tensor part(const Tensor& x, Dim begin, Dim end) {
  Shape shape = x.shape();
  const Dim width = extent(x) == 0 ? 0 : x.size() / extent(x);
  shape = shape.rank() == 1 ? Shape{end - begin} : Shape{end - begin, width};
  return Tensor::from<float>(
      shape, x.span<float>().subspan(static_cast<std::size_t>(begin * width),
                                     static_cast<std::size_t>((end - begin) * width)));
}

Tensor stacked(const std::vector<Tensor>& parts, const std::string& name) {
  Dim rows = 0;
  const int rank = parts.front().shape().rank();
  const Dim width = rank == 1 ? 1 : parts.front().cols();
  for (const Tensor& x : parts) {
    FOVEA_CHECK(x.shape().rank() == rank && (rank == 1 || x.cols() == width), ErrorKind::bad_file,
                name, ": its parts do not fit on one another: ", parts.front().shape(), " and ",
                x.shape());
    rows += extent(x);
  }
  Tensor all = Tensor::empty(rank == 1 ? Shape{rows} : Shape{rows, width});
  float* to = all.mutable_data<float>();
  for (const Tensor& x : parts) to = std::copy_n(x.data<float>(), x.size(), to);
  return all;
}

Tensor read(const HubWeights& weights, const std::string& name, const TheirTensors& their) {
  std::vector<Tensor> parts;
  for (const std::string& one : their.names) {
    Tensor x = weights(one);
    FOVEA_CHECK(x.dtype() == DType::f32 && (x.shape().rank() == 1 || x.shape().rank() == 2),
                ErrorKind::bad_file, one,
                ": expected a vector or matrix of floats, found the shape ", x.shape());
    if (their.transposed && x.shape().rank() == 2) x = transposed(x);
    if (their.one_row) {
      FOVEA_CHECK(x.rows() == 1, ErrorKind::bad_file, one, ": expected one row, found the shape ",
                  x.shape());
      x = x.reshape({x.size()});
    }
    parts.push_back(std::move(x));
  }
  Tensor all = parts.size() == 1 ? parts.front() : stacked(parts, name);
  if (their.skipped == 0) return all;
  FOVEA_CHECK(extent(all) >= their.skipped, ErrorKind::bad_file, their.names.front(),
              ": expected more than ", their.skipped, " rows, found the shape ", all.shape());
  return part(all, their.skipped, extent(all));
}

}  // namespace

Params::Source source_of(HubWeights weights, NameMap names) {
  return [weights = std::move(weights), names = std::move(names)](const std::string& name) {
    const auto at = names.find(name);
    return at == names.end() ? Tensor() : read(weights, name, at->second);
  };
}

std::vector<NamedTensor> theirs(const Params& params, const NameMap& names) {
  std::vector<NamedTensor> all;
  for (const Parameter& parameter : params.all()) {
    const auto at = names.find(parameter.name);
    if (at == names.end()) continue;
    const TheirTensors& their = at->second;
    Tensor value = parameter.var.value();
    if (their.skipped > 0) {
      value = stacked({Tensor::zeros({their.skipped, value.cols()}), value}, parameter.name);
    }
    Dim begin = 0;
    for (std::size_t i = 0; i < their.names.size(); ++i) {
      const Dim rows = their.names.size() == 1 ? extent(value) : their.rows[i];
      Tensor one = their.names.size() == 1 ? value : part(value, begin, begin + rows);
      if (their.transposed && one.shape().rank() == 2) one = transposed(one);
      if (their.one_row) one = one.reshape({1, one.size()});
      all.push_back({their.names[i], one});
      begin += rows;
    }
  }
  return all;
}

}  // namespace fovea
