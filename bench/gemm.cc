/// The products of a linear layer at 1,024 rows, as a step of training does them: forward, gradient
/// of the input, gradient of the weight. Ours, and oneDNN's: the faster of its matmul primitive and
/// its sgemm for each product.
#include "fovea/kernels/gemm.h"

#include <algorithm>
#include <array>
#include <oneapi/dnnl/dnnl.hpp>

#include "bench/workload.h"

namespace fovea::bench {
namespace {

constexpr Dim rows = 1024;

struct Shape2 {
  Dim inputs, outputs;
};
/// Of a layer of the stack; the shapes of peer.py.
constexpr std::array<Shape2, 4> shapes = {{{512, 1536}, {512, 512}, {512, 2048}, {2048, 512}}};

/// c (m, n) = op(a) op(b), summed over k.
struct Product {
  std::string name;
  Dim m, n, k;
  bool transpose_a, transpose_b;
  Tensor a, b, c;

  double flops() const { return 2.0 * static_cast<double>(m * n * k); }
};

Product make_product(std::string name, Dim m, Dim n, Dim k, bool transpose_a, bool transpose_b) {
  return {std::move(name),
          m,
          n,
          k,
          transpose_a,
          transpose_b,
          transpose_a ? normal({k, m}) : normal({m, k}),
          transpose_b ? normal({n, k}) : normal({k, n}),
          Tensor::zeros({m, n})};
}

std::vector<Product> products() {
  std::vector<Product> all;
  for (const auto [in, out] : shapes) {
    const std::string name = "gemm-" + std::to_string(in) + "-" + std::to_string(out);
    all.push_back(make_product(name + "-forward", rows, out, in, false, true));  // y = x W'
    all.push_back(make_product(name + "-dx", rows, in, out, false, false));      // dx = dy W
    all.push_back(make_product(name + "-dw", out, in, rows, true, false));       // dW = dy' x
  }
  return all;
}

std::function<void()> ours(Product p) {
  return [p]() mutable {
    kernels::gemm(p.a.view<float>(), p.b.view<float>(), p.c.mutable_view<float>(),
                  {.transpose_a = p.transpose_a, .transpose_b = p.transpose_b});
  };
}

std::function<void()> onednn_sgemm(Product p) {
  return [p]() mutable {
    dnnl_sgemm(p.transpose_a ? 'T' : 'N', p.transpose_b ? 'T' : 'N', p.m, p.n, p.k, 1,
               p.a.data<float>(), p.a.cols(), p.b.data<float>(), p.b.cols(), 0,
               p.c.mutable_data<float>(), p.n);
  };
}

std::function<void()> onednn_matmul(Product p) {
  using Tag = dnnl::memory::format_tag;
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  static dnnl::stream stream(engine);
  const auto describe = [](Dim r, Dim c, bool transposed) {
    return dnnl::memory::desc({r, c}, dnnl::memory::data_type::f32, transposed ? Tag::ba : Tag::ab);
  };
  const auto a = describe(p.m, p.k, p.transpose_a);
  const auto b = describe(p.k, p.n, p.transpose_b);
  const auto c = describe(p.m, p.n, false);
  const dnnl::matmul matmul({dnnl::matmul::desc(a, b, c), engine});
  return [p, matmul,
          arguments = std::unordered_map<int, dnnl::memory>{
              {DNNL_ARG_SRC, {a, engine, p.a.mutable_raw()}},
              {DNNL_ARG_WEIGHTS, {b, engine, p.b.mutable_raw()}},
              {DNNL_ARG_DST, {c, engine, p.c.mutable_raw()}}}]() {
    matmul.execute(stream, arguments);
    stream.wait();
  };
}

/// The faster of the two, tried in turns.
std::function<void()> onednn(const Product& p) {
  std::function<void()> primitive = onednn_matmul(p), sgemm = onednn_sgemm(p);
  double of_primitive = 1e9, of_sgemm = 1e9;
  for (int turn = 0; turn < 5; ++turn) {
    of_primitive = std::min(of_primitive, seconds_of(primitive, 2));
    of_sgemm = std::min(of_sgemm, seconds_of(sgemm, 2));
  }
  return of_primitive <= of_sgemm ? primitive : sgemm;
}

template <class F>
std::vector<Part> each_product(const F& run_of) {
  std::vector<Part> parts;
  for (const Product& p : products()) {
    parts.push_back({.run = run_of(p), .flops = p.flops(), .name = p.name});
  }
  return parts;
}

/// All products of a layer, one after the other: the rate that a step could reach.
std::vector<Part> onednn_step() {
  const std::vector<Part> parts = each_product(onednn);
  double flops = 0;
  for (const Part& part : parts) flops += part.flops;
  return {{.run =
               [parts] {
                 for (const Part& part : parts) part.run();
               },
           .flops = flops}};
}

}  // namespace

std::vector<Workload> gemm_workloads() {
  return {{"gemm", [] { return each_product(ours); }},
          {"onednn", [] { return each_product(onednn); }},
          {"onednn-step", onednn_step}};
}

}  // namespace fovea::bench
