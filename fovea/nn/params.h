/// The parameters of a model. A layer's constructor asks a Scope for each of its parameters by
/// name, once; the same constructor draws them at random or takes them from a file.
///
///   Params params(/*seed=*/1);                                           // draws
///   Params params(SafeTensors::open("model.safetensors").source());      // loads: see formats/
///   Linear layer(params.scope() / "encoder" / 0 / "query", 512, 512);
///   // encoder.0.query.weight, encoder.0.query.bias
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fovea/autograd/var.h"
#include "fovea/kernels/gemm.h"
#include "fovea/nn/init.h"

namespace fovea {

class Scope;

struct Parameter {
  std::string name;
  Var var;
  bool trained =
      true;  // false: a buffer, saved and loaded with the rest but left alone by optimizers
};

/// A weight in the form that products read; empty unless it was packed. A layer shares it with its
/// Params.
using PackedWeight = std::shared_ptr<std::optional<kernels::PackedMatrix<float>>>;

/// What parameters are taken for.
enum class Use {
  train,  // as they are, in memory of their own; or to be run as well, by way of pack()
  run,    // once: no gradients, and linear layers have their weights in packed form alone
};

class Params {
 public:
  /// A tensor for a name, or an undefined one if there is none of that name. Names can be mapped
  /// here: that is how checkpoints of others are read.
  using Source = std::function<Tensor(const std::string& name)>;

  /// Draws each parameter from (seed, its name): adding a layer does not change the others.
  explicit Params(std::uint64_t seed, DType dtype = DType::f32) : seed_(seed), dtype_(dtype) {}
  /// Takes each parameter from `source`, which must have it in the right shape.
  explicit Params(Source source, DType dtype = DType::f32)
      : dtype_(dtype), source_(std::move(source)) {}
  /// The same for a model that is trained or is only run, which takes tensors as `source` gives
  /// them, mapped files included. `blame`: what an error begins with, if it does not fit.
  Params(Source source, Use use, std::string blame = "params")
      : dtype_(DType::f32), source_(std::move(source)), use_(use), blame_(std::move(blame)) {}
  /// Draws what `source` does not have: a new head on layers that were trained before.
  Params(std::uint64_t seed, Source source)
      : seed_(seed), dtype_(DType::f32), source_(std::move(source)), draws_missing_(true) {}
  Params(const Params&) = delete;
  Params& operator=(const Params&) = delete;

  Scope scope();

  /// In the order in which they were made.
  const std::deque<Parameter>& all() const { return all_; }
  std::deque<Parameter>& all() { return all_; }
  /// Null if there is none of that name.
  const Parameter* find(std::string_view name) const;
  /// How many numbers are trained.
  Dim size() const;

  /// Packs the weights of linear layers once, for inference: few rows then cost what reading the
  /// weights costs. Whoever changes parameters unpacks first; optimizers do. Those that are only
  /// run were packed when they were made, and stay so.
  void pack();
  void unpack();

 private:
  friend class Scope;
  Var make(std::string name, Shape shape, const Init& init, bool trained);

  std::uint64_t seed_ = 0;
  DType dtype_;
  Source source_;
  Use use_ = Use::train;
  bool draws_missing_ = false;
  std::string blame_ = "params";
  std::deque<Parameter> all_;
  std::vector<std::pair<std::function<Tensor()>, PackedWeight>> packable_;
};

/// The weight (out, in) of a linear layer.
struct Weight {
  Var plain;  // only a shape in a model that is only run
  PackedWeight packed;
};

/// A place in the tree of names. Cheap to copy; must not outlive its Params.
class Scope {
 public:
  Scope operator/(std::string_view name) const;
  Scope operator/(Dim index) const { return *this / std::to_string(index); }

  /// This scope's own name: what a probe or an error calls the layer.
  const std::string& name() const { return name_; }

  Var param(std::string_view name, Shape shape, const Init& init) const;
  /// Something that is learned otherwise than by gradient (running statistics).
  Var buffer(std::string_view name, Shape shape, const Init& init) const;
  /// A parameter that nothing but linear maps reads.
  Weight weight(std::string_view name, Shape shape, const Init& init) const;
  /// Where the packed form of a weight (out, in) will be that others read too.
  PackedWeight packed(const Var& weight) const;
  /// The same for a weight that is computed from parameters.
  PackedWeight packed(std::function<Tensor()> weight) const;

 private:
  friend class Params;
  Scope(Params& params, std::string name) : params_(&params), name_(std::move(name)) {}
  std::string join(std::string_view name) const;

  Params* params_;
  std::string name_;
};

}  // namespace fovea
