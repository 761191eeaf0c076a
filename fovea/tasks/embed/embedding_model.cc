#include "fovea/tasks/embed/embedding_model.h"

#include <algorithm>

#include "fovea/ops/matmul.h"
#include "fovea/tasks/marked_text.h"
#include "fovea/tasks/model_folder.h"

namespace fovea {
namespace {

EmbedRecipe sized(EmbedRecipe recipe, const Tokenizer& words) {
  TextEncoderConfig& encoder = recipe.model.encoder;
  encoder.vocabulary = words.size();
  FOVEA_CHECK(encoder.letters == 0, "model.encoder.letters: letters are not read here");
  if (encoder.family == TextFamily::transformer && encoder.positions == Positions::learned) {
    recipe.data.longest = std::min(recipe.data.longest, encoder.longest - 2);
  }
  FOVEA_CHECK(recipe.data.longest > 0, "data.longest: expected at least one token, found ",
              recipe.data.longest);
  return recipe;
}

PartReader reader_of(const EmbedData& data, Part part, const std::filesystem::path& base) {
  FOVEA_CHECK(!has_part(data, part) || files_of(data, part).size() == 2,
              "data: expected two files (texts that belong together), found ",
              files_of(data, part).size());
  return {data, part, base};
}

}  // namespace

EmbeddingModel::EmbeddingModel(EmbedRecipe with, Tokenizer text, std::unique_ptr<Params> weights)
    : recipe(sized(std::move(with), text)),
      words(std::move(text)),
      params(std::move(weights)),
      encoder(params->scope(), recipe.model) {}

EmbeddingModel EmbeddingModel::load(const std::filesystem::path& folder,
                                    const std::vector<std::string>& settings, Use use) {
  auto recipe = recipe_of_model<EmbedRecipe>(folder, settings);
  Tokenizer words = tokenizer_of_model(folder, "words", recipe.model.encoder.vocabulary);
  return {std::move(recipe), std::move(words), weights_of_model(folder, use)};
}

void EmbeddingModel::save_rest(const std::filesystem::path& folder) const {
  words.save(folder, "words");
  save_config(folder, write_config(recipe), {"words"});
}

Ids EmbeddingModel::encode(std::string_view text, bool* cut) const {
  const TextLayout& layout = words.layout();
  return marked(words.encode(text), layout, recipe.data.longest + layout.single_count(), cut);
}

Tensor embed(const EmbeddingModel& model, std::span<const Ids> texts,
             const std::function<void(Dim)>& progress) {
  const NoTape no_tape;
  std::vector<std::int32_t> rows;
  for (const Ids& text : texts) rows.push_back(static_cast<std::int32_t>(text.size()));
  const Batches batches = Batches::unshuffled(rows, {.rows = model.recipe.batch.rows});
  const Dim width = model.encoder.encoder->width();
  Tensor all = Tensor::empty({static_cast<Dim>(texts.size()), width}, DType::f32);
  Dim done = 0;
  for (Dim b = 0; b < batches.size(); ++b) {
    std::vector<Ids> together;
    for (const std::uint32_t i : batches[b]) together.push_back(texts[i]);
    const Tensor made = model.encoder({joined(together)}, {}).value();
    for (std::size_t i = 0; i < together.size(); ++i) {
      const float* from = made.view<float>()[static_cast<Dim>(i)];
      std::copy_n(from, width, all.mutable_data<float>() + batches[b][i] * width);
    }
    done += made.rows();
    if (progress) progress(done);
  }
  return all;
}

std::vector<std::vector<Neighbour>> nearest(const Tensor& asked, const Tensor& among, Dim count) {
  const NoTape no_tape;
  constexpr Dim at_once = 256;  // so that the table of products stays small
  std::vector<std::vector<Neighbour>> all;
  for (Dim begin = 0; begin < asked.rows(); begin += at_once) {
    const Tensor some = asked.slice(begin, std::min(begin + at_once, asked.rows()));
    const Tensor products = matmul(Var(some), Var(among), {.transpose_b = true}).value();
    for (Dim i = 0; i < products.rows(); ++i) {
      std::vector<Neighbour>& row = all.emplace_back();
      for (Dim j = 0; j < products.cols(); ++j) row.push_back({j, products.view<float>()[i][j]});
      const auto kept = std::min<std::ptrdiff_t>(count, products.cols());
      std::partial_sort(row.begin(), row.begin() + kept, row.end(),
                        [](const Neighbour& a, const Neighbour& b) {
                          return a.likeness != b.likeness ? a.likeness > b.likeness : a.row < b.row;
                        });
      row.resize(static_cast<std::size_t>(kept));
    }
  }
  return all;
}

Dim found_own(const Tensor& asked, const Tensor& among) {
  Dim found = 0, row = 0;
  for (const auto& neighbours : nearest(asked, among, 1)) found += neighbours[0].row == row++;
  return found;
}

Tokenizer train_words(const EmbedRecipe& recipe, const std::filesystem::path& base) {
  PartReader reader = reader_of(recipe.data, Part::train, base);
  std::vector<std::string> fields;
  std::size_t next = 0;
  const auto lines = [&](std::string& line) {
    if (next == fields.size()) {
      if (!reader.next(fields)) return false;
      next = 0;
    }
    line = fields[next++];
    return true;
  };
  return learn_tokenizer(recipe.words, lines, recipe.data);
}

Corpus read_corpus(const EmbeddingModel& model, const EmbedData& data, Part part,
                   const std::filesystem::path& base, const std::filesystem::path& scratch) {
  PartReader reader = reader_of(data, part, base);
  CorpusBuilder corpus(scratch, 2, false);
  for (std::vector<std::string> fields; reader.next(fields);) {
    corpus.add(std::vector<Ids>{model.encode(fields[0]), model.encode(fields[1])}, {},
               reader.number());
  }
  const Corpus made = corpus.finish();
  FOVEA_CHECK(made.size() > 0, "data: the ", name_of(part), " set has no pairs",
              why_empty(data, part));
  return made;
}

}  // namespace fovea
