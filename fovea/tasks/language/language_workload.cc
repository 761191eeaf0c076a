#include "fovea/tasks/language/language_workload.h"

#include "fovea/tasks/shown_examples.h"

namespace fovea {
CarriedStates::CarriedStates(Params& params, const LanguageModel& net, const StretchConfig& streams,
                             Dim hidden)
    : names_(net.encoder->states()), streams_(streams.sequences) {
  const Scope scope = params.scope() / "carried";
  for (const std::string& name : names_) {
    states_.push_back(scope.buffer(name, {streams_, hidden}, init::zeros()));
  }
}

Cache CarriedStates::begin(Dim batch) const {
  Cache cache(streams_);
  for (std::size_t i = 0; batch > 0 && i < names_.size(); ++i) {
    cache.set_state(names_[i], states_[i].value().clone());  // whose memory keep() will overwrite
  }
  return cache;
}

void CarriedStates::keep(const Cache& cache) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Tensor after = cache.state(names_[i]);
    std::copy_n(after.data<float>(), after.size(),
                states_[i].mutable_value().mutable_data<float>());
  }
}

LanguageWorkload::LanguageWorkload(const LanguageRecipe& recipe, const RunPlace& place)
    : model_(WritingModel::make(recipe, place)) {
  std::filesystem::create_directories(place.folder);
  train_ = model_.text.encode(read_text(recipe.data, Part::train));
  if (has_part(recipe.data, Part::dev)) {
    dev_ = model_.text.encode(read_text(recipe.data, Part::dev));
  }
  if (model_.recurrent()) {
    carried_.emplace(*model_.params, model_.net, recipe.batch, recipe.model.hidden);
  }
}

Dim LanguageWorkload::begin_epoch(Dim epoch) {
  const StretchConfig& batch = model_.recipe.batch;
  stretches_ = model_.recurrent() ? Stretches::streams(examples(), batch, epoch)
                                  : Stretches::shuffled(examples(), batch, epoch);
  return stretches_.size();
}

std::vector<double> LanguageWorkload::counts(Dim batch) {
  double count = 0;
  for (const Stretch& stretch : stretches_[batch]) count += static_cast<double>(stretch.length);
  return {count};
}

std::vector<Var> LanguageWorkload::losses(Dim batch, const Pass& pass) {
  const StretchRows rows = rows_of(train_, stretches_[batch]);
  if (!carried_) return {model_.net.loss_sum(rows.read, rows.next, pass)};
  Cache cache = carried_->begin(batch);
  Pass with = pass;
  with.cache = &cache;
  const Var loss = model_.net.loss_sum(rows.read, rows.next, with);
  carried_->keep(cache);
  return {loss};
}

std::string LanguageWorkload::describe(Dim batch) {
  std::string places;
  for (const Stretch& stretch : stretches_[batch]) {
    if (places.size() > 80) return concat("tokens ", places, ", ... of the text");
    places +=
        concat(places.empty() ? "" : ", ", stretch.begin, " to ", stretch.begin + stretch.length);
  }
  return concat("tokens ", places, " of the text");
}

std::vector<std::string> LanguageWorkload::figure_names() const {
  if (dev_.empty()) return {};
  return {"loss", "perplexity"};
}

std::vector<Figure> LanguageWorkload::validate() {
  if (dev_.empty()) return {};
  const Perplexity perplexity = measure(model_, dev_);
  return {{"loss", perplexity.nats_per_token(), false}, {"perplexity", perplexity.value(), false}};
}

std::vector<std::string> LanguageWorkload::show(Dim step) {
  constexpr std::size_t read = 24;  // tokens
  const Ids& ids = dev_.empty() ? train_ : dev_;
  const std::string prompt = model_.text.decode(std::span(ids).first(std::min(read, ids.size())));
  const auto writer = writer_of(model_);
  WriteSettings settings = writer->defaults();
  settings.decode.n_best = 1;
  settings.decode.max_length = static_cast<Dim>(2 * read);
  const auto written = writer->write({{.line = prompt, .settings = settings}}, 1);
  ShownExamples shown{.samples = {{prompt, written[0].texts.front().text}}};
  const std::vector<std::string> looks = model_.net.encoder->looks();
  if (!looks.empty()) {
    shown.first = record_of(model_, prompt, nullptr, {.layers = looks.back()});
  }
  return shown.lines(step);
}

}  // namespace fovea
