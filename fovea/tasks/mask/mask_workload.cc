#include "fovea/tasks/mask/mask_workload.h"

#include <algorithm>

#include "fovea/ops/loss.h"
#include "fovea/tasks/encoder_record.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"

namespace fovea {
namespace {

MaskedLanguageModel new_model(MaskRecipe recipe, const std::filesystem::path& base,
                              const std::filesystem::path& folder, bool resume) {
  locate(recipe.data, base);
  auto [words, params] = begin_anew({base, folder, resume}, recipe.train.seed,
                                    [&] { return train_words(recipe, base); });
  return {std::move(recipe), std::move(words), std::move(params)};
}

}  // namespace

MaskWorkload::MaskWorkload(const MaskRecipe& recipe, const std::filesystem::path& base,
                           const std::filesystem::path& folder, bool resume)
    : model_(new_model(recipe, base, folder, resume)) {
  std::filesystem::create_directories(folder);
  const auto read = [&](Part part) { return read_corpus(model_, recipe.data, part, base, folder); };
  std::optional<Corpus> held_out;
  if (has_part(recipe.data, Part::dev)) held_out = read(Part::dev);
  take(read(Part::train), std::move(held_out), {0, 1}, recipe.batch,
       "the training text, counted from its first file on");
  texts_.emplace(model_, train());
  if (dev()) dev_texts_.emplace(model_, *dev());
}

const MaskedBatch& MaskWorkload::made(Dim batch) {
  if (!made_ || made_->epoch != epoch() || made_->batch != batch) {
    made_ = Made{epoch(), batch, texts_->batch(examples_of(batch), epoch())};
  }
  return made_->rows;
}

std::vector<LossPart> MaskWorkload::parts() const {
  std::vector<LossPart> all = {{"loss"}};
  if (model_.model.next) all.push_back({"next"});
  return all;
}

std::vector<double> MaskWorkload::counts(Dim batch) {
  const MaskedBatch& rows = made(batch);
  std::vector<double> all = {static_cast<double>(rows.targets.size())};
  if (model_.model.next) all.push_back(static_cast<double>(rows.texts_with_second()));
  return all;
}

std::vector<Var> MaskWorkload::losses(Dim batch, const Pass& pass) {
  made(batch);
  const MaskedBatch rows = std::move(made_->rows);  // what a step makes is gone when it ends
  made_.reset();
  const MaskedModel& model = model_.model;
  const Var h = (*model.encoder)(rows.rows, pass);  // (N, W)
  std::vector<Var> all = {model.loss(model.hidden(h, rows.places), rows.targets)};
  if (!model.next) return all;
  all.emplace_back();
  if (rows.texts_with_second() > 0) {
    all.back() = cross_entropy(model.next_logits(h, rows.rows.tokens.segments, pass), rows.follows,
                               {.reduction = Reduction::sum});
  }
  return all;
}

std::vector<std::string> MaskWorkload::figure_names() const {
  if (!dev_texts_) return {};
  std::vector<std::string> names = {"loss", "accuracy"};
  if (model_.model.next) names.push_back("next-accuracy");
  return names;
}

std::vector<Figure> MaskWorkload::validate() {
  if (!dev_texts_) return {};
  const MaskScore score = measure(model_, *dev_texts_);
  const auto share = [](double part, Dim all) {
    return part / static_cast<double>(std::max<Dim>(all, 1));
  };
  std::vector<Figure> figures = {
      {"loss", share(score.loss, score.asked), false},
      {"accuracy", 100 * share(static_cast<double>(score.right), score.asked), true}};
  if (model_.model.next) {
    figures.push_back(
        {"next-accuracy", 100 * share(static_cast<double>(score.pairs_right), score.pairs), true});
  }
  return figures;
}

std::vector<std::string> MaskWorkload::show(Dim step) {
  constexpr std::size_t longest = 20;
  const Corpus& corpus = dev() ? *dev() : train();
  ShownExamples shown;
  std::vector<Ids> hidden;
  for (Dim e = 0; e < std::min<Dim>(ShownExamples::most, corpus.size()); ++e) {
    const auto all = corpus.ids(e, 0);
    const auto text = all.first(std::min(longest, all.size()));
    const std::size_t middle = text.size() / 2;
    const std::string line = concat(model_.words.decode(text.first(middle)), " ", mask_name, " ",
                                    model_.words.decode(text.subspan(middle + 1)));
    hidden.push_back(model_.encode(line));
    shown.samples.push_back({line, "", model_.words.decode(text.subspan(middle, 1))});
  }
  if (hidden.empty()) return {};
  const auto found = fill_masks(model_, hidden, 1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].empty()) continue;
    const std::int32_t likeliest = found[i].front().front().id;
    shown.samples[i].output = model_.words.decode(std::span(&likeliest, 1));
  }
  record_last_look(*model_.model.encoder, model_.words, hidden[0], shown.first);
  return shown.lines(step);
}

}  // namespace fovea
