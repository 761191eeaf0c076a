#include "fovea/tasks/elmo/elmo_workload.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/ops/reduce.h"
#include "fovea/ops/rows.h"
#include "fovea/tasks/shown_examples.h"

namespace fovea {
namespace {

// The fields of an example: tokens; their letters; how many letters each has.
constexpr Dim ids_field = 0, letters_field = 1, lengths_field = 2;

PartReader reader_of(const ElmoRecipe& recipe, Part part, const std::filesystem::path& base) {
  FOVEA_CHECK(files_of(recipe.data, part).size() == 1,
              "data: expected one file of text a part, found ", files_of(recipe.data, part).size());
  return {recipe.data, part, base};
}

Tokenizer learned(const ElmoRecipe& recipe, const TokenizerConfig& config,
                  const std::filesystem::path& base) {
  auto reader = std::make_shared<PartReader>(reader_of(recipe, Part::train, base));
  const auto lines = [reader](std::string& line) {
    std::vector<std::string> fields;
    if (!reader->next(fields)) return false;
    line = fields.front();
    return true;
  };
  return learn_tokenizer(config, lines, recipe.data);
}

ElmoModel new_model(ElmoRecipe recipe, const std::filesystem::path& base,
                    const std::filesystem::path& folder, bool resume) {
  FOVEA_CHECK(recipe.words.kind == TokenizerKind::words,
              "words.kind: ELMo reads words by their letters; expected words");
  locate(recipe.data, base);
  const bool known = resume && std::filesystem::exists(folder / "letters.json");
  const TokenizerConfig spelling = {.kind = TokenizerKind::characters,
                                    .vocabulary = 0,
                                    .form = recipe.words.form,
                                    .min_count = 3};
  Tokenizer words = known ? Tokenizer::load(folder, "words") : learned(recipe, recipe.words, base);
  Tokenizer letters = known ? Tokenizer::load(folder, "letters") : learned(recipe, spelling, base);
  auto params = std::make_unique<Params>(recipe.train.seed);
  return {std::move(recipe), std::move(words), std::move(letters), std::move(params)};
}

Corpus read_corpus(const ElmoModel& model, Part part, const std::filesystem::path& base,
                   const std::filesystem::path& scratch) {
  PartReader reader = reader_of(model.recipe, part, base);
  CorpusBuilder corpus(scratch, 3, false);
  for (std::vector<std::string> fields; reader.next(fields);) {
    for (const std::string& one : model.texts_of(fields.front())) {
      const ElmoText text = model.encode(model.pieces(one));
      if (text.ids.size() == 2) continue;  // no word
      Ids letters, lengths;
      for (const Ids& word : text.letters) {
        letters.insert(letters.end(), word.begin(), word.end());
        lengths.push_back(static_cast<std::int32_t>(word.size()));
      }
      corpus.add(std::vector<Ids>{text.ids, letters, lengths}, {}, reader.number());
    }
  }
  const Corpus made = corpus.finish();
  FOVEA_CHECK(made.size() > 0, "data: the ", name_of(part), " set has no words",
              why_empty(model.recipe.data, part));
  return made;
}

}  // namespace

ElmoWorkload::ElmoWorkload(const ElmoRecipe& recipe, const std::filesystem::path& base,
                           const std::filesystem::path& folder, bool resume)
    : model_(new_model(recipe, base, folder, resume)) {
  std::filesystem::create_directories(folder);
  Corpus train = read_corpus(model_, Part::train, base, folder);
  std::optional<Corpus> dev;
  if (has_part(recipe.data, Part::dev)) dev = read_corpus(model_, Part::dev, base, folder);
  take(std::move(train), std::move(dev), {ids_field}, model_.recipe.batch,
       model_.recipe.data.train.front());
}

ElmoBatch ElmoWorkload::batch(const Corpus& corpus, std::span<const std::uint32_t> examples) const {
  std::vector<std::span<const std::int32_t>> ids, letters;
  for (const std::uint32_t e : examples) {
    ids.push_back(corpus.ids(e, ids_field));
    std::span<const std::int32_t> rest = corpus.ids(e, letters_field);
    for (const std::int32_t length : corpus.ids(e, lengths_field)) {
      letters.push_back(rest.first(static_cast<std::size_t>(length)));
      rest = rest.subspan(static_cast<std::size_t>(length));
    }
  }
  const Sequences tokens = joined(ids);
  return {joined(letters), tokens.segments, tokens.ids};
}

std::vector<double> ElmoWorkload::counts(Dim number) {
  double tokens = 0;
  for (const std::uint32_t e : examples_of(number)) tokens += train().length(e, ids_field) - 1;
  return {tokens, tokens};
}

std::vector<Var> ElmoWorkload::losses(Dim number, const Pass& pass) {
  const ElmoBatch in = batch(train(), examples_of(number));
  const Elmo::Losses found =
      model_.net.losses(model_.net(in.letters, in.texts, pass), in.ids, in.texts);
  return {found.forward, found.backward};
}

std::vector<std::string> ElmoWorkload::figure_names() const {
  if (!dev()) return {};
  return {"loss", "perplexity", "perplexity.backward"};
}

std::vector<Figure> ElmoWorkload::validate() {
  if (!dev()) return {};
  const NoTape no_tape;
  double forward = 0, backward = 0, tokens = 0;
  const Batches batches = dev_batches();
  for (Dim b = 0; b < batches.size(); ++b) {
    const ElmoBatch in = batch(*dev(), batches[b]);
    const Elmo::Losses found =
        model_.net.losses(model_.net(in.letters, in.texts, {}), in.ids, in.texts);
    forward += found.forward.item();
    backward += found.backward.item();
    tokens += static_cast<double>(in.texts.rows() - in.texts.count());
  }
  return {{"loss", (forward + backward) / (2 * tokens), false},
          {"perplexity", std::exp(forward / tokens), false},
          {"perplexity.backward", std::exp(backward / tokens), false}};
}

std::vector<std::string> ElmoWorkload::show(Dim step) {
  const NoTape no_tape;
  const Corpus& corpus = dev() ? *dev() : train();
  std::vector<std::uint32_t> examples(
      std::min(ShownExamples::most, static_cast<std::size_t>(corpus.size())));
  std::iota(examples.begin(), examples.end(), 0U);
  const ElmoBatch in = batch(corpus, examples);
  // Forwards nothing is known of what follows, so that whole texts can be read.
  Ids rows;
  ShownExamples shown;
  for (const std::uint32_t e : examples) {
    const std::span<const std::int32_t> ids = corpus.ids(e, ids_field);
    const std::size_t last = (ids.size() - 1) / 2;  // of the beginning
    rows.push_back(static_cast<std::int32_t>(in.texts.begin(e)) + static_cast<std::int32_t>(last));
    shown.samples.push_back(
        {model_.words.decode(ids.first(last + 1)), "", model_.words.piece(ids[last + 1])});
  }
  const Var known = gather_rows(model_.net(in.letters, in.texts, {}).forward.back(),
                                Tensor::from<std::int32_t>({std::ssize(rows)}, rows));
  const Tensor next = argmax(model_.net.out.logits(known).value());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    shown.samples[i].output = model_.words.piece(next.data<std::int32_t>()[i]);
  }
  return shown.lines(step);
}

}  // namespace fovea
