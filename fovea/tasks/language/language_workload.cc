#include "fovea/tasks/language/language_workload.h"

#include "fovea/tasks/language/generate.h"
#include "fovea/tasks/language/language_record.h"
#include "fovea/tasks/shown_examples.h"

namespace fovea {
namespace {

const LanguageRecipe& checked(const LanguageRecipe& recipe) {
  const LanguageEvaluation& evaluate = recipe.evaluate;
  check(recipe.decode);
  FOVEA_CHECK(recipe.decode.stop.empty() || recipe.decode.search != Search::beam,
              "decode.stop: the texts of a beam change as it goes and cannot be stopped; take ",
              "search = \"greedy\" or \"sample\"");
  FOVEA_CHECK(evaluate.stride >= 0 && evaluate.stride <= recipe.batch.context,
              "evaluate.stride: expected 1 to batch.context = ", recipe.batch.context,
              ", or 0 for windows side by side, found ", evaluate.stride);
  FOVEA_CHECK(evaluate.streams >= 1, "evaluate.streams: expected at least 1, found ",
              evaluate.streams);
  return recipe;
}

WritingModel new_model(LanguageRecipe recipe, const std::filesystem::path& base,
                       const std::filesystem::path& folder, bool resume) {
  locate(recipe.data, base);
  if (resume && std::filesystem::exists(folder / "config.json")) {  // what it began with stays
    recipe.model.out_bias = recipe.model.out_bias || WritingModel::recipe_in(folder).model.out_bias;
  }
  const bool known = resume && std::filesystem::exists(folder / "text.json");
  TextFlow text = known ? TextFlow(Tokenizer::load(folder, "text"))
                        : TextFlow::train(recipe.text, read_text(recipe.data, Part::train, base));
  auto params = std::make_unique<Params>(recipe.train.seed);
  return {std::move(recipe), std::move(text), std::move(params)};
}

}  // namespace

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

LanguageWorkload::LanguageWorkload(const LanguageRecipe& recipe, const std::filesystem::path& base,
                                   const std::filesystem::path& folder, bool resume)
    : model_(new_model(checked(recipe), base, folder, resume)) {
  std::filesystem::create_directories(folder);
  train_ = model_.text.encode(read_text(recipe.data, Part::train, base));
  if (has_part(recipe.data, Part::dev)) {
    dev_ = model_.text.encode(read_text(recipe.data, Part::dev, base));
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
  LanguageDecode decode = model_.recipe.decode;
  decode.n_best = 1;
  decode.max_length = static_cast<Dim>(2 * read);
  const auto written = generate(model_, std::span(&prompt, 1), {.decode = decode});
  ShownExamples shown{.samples = {{prompt, written[0].front().text}}};
  const std::vector<std::string> looks = model_.net.encoder->looks();
  if (!looks.empty()) {
    shown.first = record_of(model_, prompt, nullptr, {.layers = looks.back()});
  }
  return shown.lines(step);
}

}  // namespace fovea
