#include "fovea/tasks/tag/tag_workload.h"

#include <algorithm>

#include "fovea/ops/loss.h"
#include "fovea/tasks/pretrained.h"
#include "fovea/tasks/shown_examples.h"
#include "fovea/tasks/tag/tag_metrics.h"
#include "fovea/tasks/tag/tag_record.h"

namespace fovea {
namespace {

/// Learned from the words of all texts.
Tokenizer learned(const TokenizerConfig& config, std::span<const GivenText> texts) {
  std::size_t text = 0, word = 0;
  return Tokenizer::train(config, [&](std::string& line) {
    while (text < texts.size() && word == texts[text].words.size()) ++text, word = 0;
    if (text == texts.size()) return false;
    line = texts[text].words[word++];
    return true;
  });
}

TaggingModel new_model(TagRecipe recipe, std::span<const GivenText> train,
                       const std::filesystem::path& base, const std::filesystem::path& folder,
                       bool resume) {
  locate(recipe.data, base);
  learn_labels(recipe, train);
  auto [words, params] =
      begin_with(recipe.model.from, recipe.model, recipe.text.words, {base, folder, resume},
                 recipe.train.seed, [&] { return learned(recipe.text.words, train); });
  std::optional<Tokenizer> letters;
  if (recipe.text.letters) {
    const bool known = resume && std::filesystem::exists(folder / "letters.json");
    // A letter that stands only once teaches what an unknown one is.
    const TokenizerConfig of_letters = {
        .kind = TokenizerKind::characters, .vocabulary = 0, .min_count = 2};
    letters = known ? Tokenizer::load(folder, "letters") : learned(of_letters, train);
  }
  std::unique_ptr<const FrozenElmo> elmo;
  if (!recipe.model.elmo.empty()) {
    const std::filesystem::path kept = resume ? folder / elmo_folder : "";
    recipe.model.elmo = earlier_run("model.elmo", recipe.model.elmo, base, kept).string();
    elmo = std::make_unique<FrozenElmo>(recipe.model.elmo);
  }
  return {std::move(recipe), std::move(words), std::move(letters), std::move(params),
          std::move(elmo)};
}

/// d / (n + d) for each piece that stands n times in the corpus.
std::vector<float> dropouts_of(const Corpus& corpus, const Tokenizer& words, double d) {
  std::vector<double> counts(static_cast<std::size_t>(words.size()), 0);
  for (Dim e = 0; e < corpus.size(); ++e) {
    for (const std::int32_t piece : words_of(corpus, e).pieces) {
      ++counts[static_cast<std::size_t>(piece)];
    }
  }
  std::vector<float> dropped;
  for (const double n : counts) dropped.push_back(d == 0 ? 0 : static_cast<float>(d / (n + d)));
  for (const std::int32_t mark : words.controls()) dropped[static_cast<std::size_t>(mark)] = 0;
  return dropped;
}

/// The tags and the intents of some examples.
struct Targets {
  Tensor tags, intents;

  Targets(const Corpus& corpus, std::span<const std::uint32_t> examples) {
    Ids all, asked;
    for (const std::uint32_t e : examples) {
      const auto ids = tags_of(corpus, e);
      all.insert(all.end(), ids.begin(), ids.end());
      asked.push_back(intent_of(corpus, e));
    }
    tags = Tensor::from<std::int32_t>({static_cast<Dim>(all.size())}, all);
    intents = Tensor::from<std::int32_t>({static_cast<Dim>(asked.size())}, asked);
  }
};

bool all_known(const Corpus& corpus, std::uint32_t example) {
  const auto tags = tags_of(corpus, example);
  return std::all_of(tags.begin(), tags.end(), [](std::int32_t tag) { return tag >= 0; });
}

}  // namespace

TagWorkload::TagWorkload(const TagRecipe& recipe, const std::filesystem::path& base,
                         const std::filesystem::path& folder, bool resume)
    : TagWorkload(recipe, read_texts(recipe, Part::train, base), base, folder, resume) {}

TagWorkload::TagWorkload(const TagRecipe& recipe, std::vector<GivenText> given,
                         const std::filesystem::path& base, const std::filesystem::path& folder,
                         bool resume)
    : model_(new_model(recipe, given, base, folder, resume)) {
  std::filesystem::create_directories(folder);
  std::optional<Corpus> dev;
  if (has_part(recipe.data, Part::dev)) {
    dev_texts_ = read_texts(recipe, Part::dev, base);
    dev = corpus_of(model_, dev_texts_, folder);
  }
  take(corpus_of(model_, given, folder), std::move(dev), {pieces_field}, recipe.batch,
       model_.recipe.data.train.front());
  dropped_ = dropouts_of(train(), model_.words, recipe.text.word_dropout);
}

std::vector<LossPart> TagWorkload::parts() const {
  if (!model_.has_intents()) return {{"loss"}};
  return {{"loss"}, {"loss.intent", model_.recipe.objective.intent}};
}

std::vector<double> TagWorkload::counts(Dim batch) {
  const auto examples = examples_of(batch);
  double words = 0;
  for (const std::uint32_t e : examples) words += static_cast<double>(tags_of(train(), e).size());
  if (!model_.has_intents()) return {words};
  const auto asked = std::count_if(examples.begin(), examples.end(), [&](std::uint32_t e) {
    return intent_of(train(), e) >= 0;  // others have no loss
  });
  return {words, static_cast<double>(asked)};
}

Ids TagWorkload::changed(std::span<const std::int32_t> pieces, std::uint32_t example) const {
  const Draws drops = {
      model_.recipe.train.seed ^ 0xd809,
      static_cast<std::uint64_t>(epoch()) << 32 | static_cast<std::uint64_t>(example)};
  Ids read(pieces.begin(), pieces.end());
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (drops.uniform(i) < dropped_[static_cast<std::size_t>(read[i])]) {
      read[i] = model_.words.special().unknown;
    }
  }
  return read;
}

std::vector<Var> TagWorkload::losses(Dim batch, const Pass& pass) {
  const auto examples = examples_of(batch);
  std::vector<WordIds> texts;
  std::vector<Ids> read;  // what texts look at
  read.reserve(examples.size());
  for (const std::uint32_t e : examples) {
    texts.push_back(words_of(train(), e));
    texts.back().pieces = read.emplace_back(changed(texts.back().pieces, e));
  }
  const TagBatch rows = model_.batch(texts);
  const Targets targets(train(), examples);
  const Tagger::Scores scores = (*model_.tagger)(rows, pass);
  std::vector<Var> losses = {model_.tagger->tag_loss(scores.tags, rows.words, targets.tags)};
  if (model_.has_intents()) {
    losses.push_back(cross_entropy(scores.intents, targets.intents, {.reduction = Reduction::sum}));
  }
  return losses;
}

std::vector<std::string> TagWorkload::figure_names() const {
  std::vector<std::string> names;
  if (!dev()) return names;
  TagScore score;
  for (const GivenText& text : dev_texts_) score.with_intent += !text.intent.empty();
  for (const Figure& figure : figures_of(score, 0)) names.push_back(figure.name);
  return names;
}

std::vector<Figure> TagWorkload::validate() {
  if (!dev()) return {};
  const NoTape no_tape;
  const Batches batches = dev_batches();
  TagScore score;
  double loss = 0, counted = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<WordIds> texts;
    for (const std::uint32_t e : batches[b]) texts.push_back(words_of(*dev(), e));
    const TagBatch rows = model_.batch(texts);
    const Tagger::Scores scores = (*model_.tagger)(rows, {});
    std::vector<TaggedText> found = model_.read_out(scores, rows.words);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const GivenText& given = dev_texts_[batches[b][i]];
      found[i].tags.resize(given.words.size(), "O");
      score.add(given, found[i]);
    }
    // A tag that training never saw has no loss, so its batch is left out of it.
    if (!std::all_of(batches[b].begin(), batches[b].end(),
                     [&](std::uint32_t e) { return all_known(*dev(), e); })) {
      continue;
    }
    loss +=
        model_.tagger->tag_loss(scores.tags, rows.words, Targets(*dev(), batches[b]).tags).item();
    counted += static_cast<double>(rows.words.rows());
  }
  return figures_of(score, counted == 0 ? 0 : loss / counted);
}

std::vector<std::string> TagWorkload::show(Dim step) {
  ShownExamples shown;
  for (std::size_t i = 0; i < std::min(ShownExamples::most, dev_texts_.size()); ++i) {
    const GivenText& given = dev_texts_[i];
    std::string line;
    for (const std::string& word : given.words) line += (line.empty() ? "" : " ") + word;
    shown.add(line, record_of(model_, line, {}),
              tagged_line(given.words, {.tags = given.tags, .intent = given.intent}));
  }
  return shown.lines(step);
}

}  // namespace fovea
