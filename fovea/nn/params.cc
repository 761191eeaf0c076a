#include "fovea/nn/params.h"

#include <algorithm>

namespace fovea {
namespace {

/// FNV-1a: the same for a name on every machine.
std::uint64_t hash(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (unsigned char c : name) h = (h ^ c) * 0x100000001b3U;
  return h;
}

}  // namespace

Scope Params::scope() { return Scope(*this, ""); }

const Parameter* Params::find(std::string_view name) const {
  const auto at =
      std::find_if(all_.begin(), all_.end(), [&](const Parameter& p) { return p.name == name; });
  return at == all_.end() ? nullptr : &*at;
}

Dim Params::size() const {
  Dim size = 0;
  for (const Parameter& p : all_) size += p.trained ? p.var.value().size() : 0;
  return size;
}

void Params::pack() {
  for (auto& [weight, packed] : packable_) {
    if (!*packed && dtype_ == DType::f32)
      *packed = kernels::PackedMatrix<float>::of_weight(weight().view<float>());
  }
}

void Params::unpack() {
  FOVEA_CHECK(use_ == Use::train,
              "params: a model that is only run cannot be changed; load it with Use::train");
  for (auto& [weight, packed] : packable_) packed->reset();
}

Var Params::make(std::string name, Shape shape, const Init& init, bool trained) {
  FOVEA_CHECK(!find(name), "params: two parameters are called ", name);
  Tensor value;
  if (source_) value = source_(name);
  if (source_ && (value.defined() || !draws_missing_)) {
    FOVEA_CHECK(value.defined(), ErrorKind::bad_file, blame_, ": ", name, " ", shape,
                " is missing from the source");
    FOVEA_CHECK(value.shape() == shape, ErrorKind::bad_file, blame_, ": ", name,
                ": expected the shape ", shape, ", found ", value.shape());
    value = value.to(dtype_);
    if (use_ == Use::train && !value.unique()) value = value.clone();  // training writes into it
  } else {
    value = Tensor::empty(shape, dtype_);
    init(value, Draws{.seed = seed_, .site = hash(name)});
  }
  const bool gradient = trained && use_ == Use::train;
  Var var = gradient ? Var::parameter(std::move(value)) : Var(std::move(value));
  all_.push_back({std::move(name), var, trained});
  return var;
}

std::string Scope::join(std::string_view name) const {
  return name_.empty() ? std::string(name) : concat(name_, ".", name);
}

Scope Scope::operator/(std::string_view name) const { return Scope(*params_, join(name)); }

Var Scope::param(std::string_view name, Shape shape, const Init& init) const {
  return params_->make(join(name), shape, init, true);
}

Weight Scope::weight(std::string_view name, Shape shape, const Init& init) const {
  Weight made{.plain = param(name, shape, init), .packed = {}};
  made.packed = packed(made.plain);
  if (params_->use_ == Use::run) {
    made.plain = Tensor::only_shape(shape);
    params_->all_.back().var = made.plain;
  }
  return made;
}

PackedWeight Scope::packed(const Var& weight) const {
  const PackedWeight slot = packed([weight] { return weight.value(); });
  if (params_->use_ == Use::run) weight.value().let_go();
  return slot;
}

PackedWeight Scope::packed(std::function<Tensor()> weight) const {
  auto slot = std::make_shared<PackedWeight::element_type>();
  if (params_->use_ == Use::run) {
    *slot = kernels::PackedMatrix<float>::of_weight(weight().view<float>());
  } else {
    params_->packable_.emplace_back(std::move(weight), slot);
  }
  return slot;
}

Var Scope::buffer(std::string_view name, Shape shape, const Init& init) const {
  return params_->make(join(name), shape, init, false);
}

}  // namespace fovea
