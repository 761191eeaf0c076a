#include "fovea/tasks/classify/classify.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>

#include "fovea/base/table_check.h"
#include "fovea/ops/loss.h"
#include "fovea/tasks/class_choice.h"
#include "fovea/text/sentences.h"

namespace fovea {
namespace {

constexpr std::size_t label_column = 0, first_column = 1, second_column = 2;
constexpr std::size_t most_labels = 10'000;

PartReader labelled_reader(const ClassifyData& data, Part part, const ClassifyModel& model) {
  const bool pairs = reads_pairs(model);
  const std::size_t files = files_of(data, part).size(), wanted = pairs ? 3 : 2;
  FOVEA_CHECK(!has_part(data, part) || files == wanted, "data.", name_of(part), ": expected ",
              wanted, " files (labels, texts", pairs ? ", second texts" : "", ") for ",
              name_of(model.family), ", found ", files);
  return {data, part, ".", {.key = first_column}};
}

/// Those of the training part, sorted.
std::vector<std::string> learn_labels(const ClassifyRecipe& recipe) {
  PartReader reader = labelled_reader(recipe.data, Part::train, recipe.model);
  std::set<std::string> labels;
  for (std::vector<std::string> fields; reader.next(fields);) {
    labels.insert(fields[label_column]);
    FOVEA_CHECK(labels.size() <= most_labels, recipe.data.train.front(), ": more than ",
                most_labels, " different labels; is it the file of the texts?");
  }
  return {labels.begin(), labels.end()};
}

/// Learned from all texts of the training part.
Tokenizer learn_text_words(const ClassifyRecipe& recipe) {
  PartReader reader = labelled_reader(recipe.data, Part::train, recipe.model);
  std::vector<std::size_t> texts = {first_column};
  if (reads_pairs(recipe.model)) texts.push_back(second_column);
  const Tokenizer::Lines lines = field_lines(reader, texts);
  const auto plain = [&](std::string& line) {
    if (!lines(line)) return false;
    if (recipe.text.tags) line = without_tags(line);
    return true;
  };
  return learn_tokenizer(recipe.text.words, plain, recipe.data);
}

/// The class with this label, or else the only one with this name: a name that is also the label of
/// another class is ambiguous.
std::optional<Dim> class_of(const ClassifyData& data, const std::string& called) {
  const auto place_in = [&](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), called) - all.begin();
  };
  const Dim label = place_in(data.labels);
  if (label < std::ssize(data.labels)) return label;
  if (std::count(data.names.begin(), data.names.end(), called) != 1) return std::nullopt;
  return place_in(data.names);
}

/// "0 (neg), 1 (pos)".
std::string known_classes(const ClassifyData& data) {
  std::string known;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    known += concat(known.empty() ? "" : ", ", data.labels[i]);
    if (i < data.names.size()) known += concat(" (", data.names[i], ")");
  }
  return known;
}

/// What tells the texts of a line from those of others.
std::string text_key(const std::vector<std::string>& fields) {
  return fields[first_column] + "\t" + (fields.size() > second_column ? fields[second_column] : "");
}

/// The texts of dev and test that have files of their own.
std::unordered_set<std::string> held_out_texts(const ClassifyData& data,
                                               const ClassifyModel& model) {
  std::unordered_set<std::string> texts;
  for (const Part part : {Part::dev, Part::test}) {
    if (&files_of(data, part) == &data.train) continue;
    PartReader reader = labelled_reader(data, part, model);
    for (std::vector<std::string> fields; reader.next(fields);) texts.insert(text_key(fields));
  }
  return texts;
}

ClassifyRecipe sized(ClassifyRecipe recipe, const Tokenizer& words) {
  check(recipe);
  recipe.model.vocabulary = words.size();
  recipe.model.encoder.vocabulary = words.size();
  recipe.model.classes = std::ssize(recipe.data.labels);
  return recipe;
}

TextBatch text_batch(Batch<ClassifyExample> batch) {
  std::vector<std::span<const std::int32_t>> sentences, second;
  std::vector<Dim> counts;
  for (const ClassifyExample& example : batch) {
    std::span<const std::int32_t> rest = example.words;
    for (const std::int32_t length : example.sentences) {
      sentences.push_back(rest.first(static_cast<std::size_t>(length)));
      rest = rest.subspan(static_cast<std::size_t>(length));
    }
    counts.push_back(std::ssize(example.sentences));
    second.emplace_back(example.second);
  }
  return {joined(sentences), Segments::of_lengths(counts), joined(second)};
}

}  // namespace

void check(const ClassifyRecipe& recipe) {
  const ClassifyData& data = recipe.data;
  TableCheck("data").sizes({{"longest", data.longest}});
  FOVEA_CHECK(data.names.empty() || data.labels.empty() || data.names.size() == data.labels.size(),
              "data.names: ", data.names.size(), " names for ", data.labels.size(), " labels");
  TableCheck("text").sizes({{"sentence", recipe.text.sentence}});
  TableCheck("text").shares({{"word_dropout", recipe.text.word_dropout}});
  TableCheck("objective").shares({{"smoothing", recipe.objective.smoothing}});
  FOVEA_CHECK(recipe.model.from.empty() || recipe.model.family == ClassifierFamily::encoder,
              "model.from: only family = \"encoder\" can begin with another model");
  FOVEA_CHECK(recipe.model.encoder.letters == 0,
              "model.encoder.letters: letters are not read when texts are classified");
  check(recipe.batch);
  check(recipe.model);
}

Classify::Classify(ClassifyRecipe with, TokenizerMap texts, std::unique_ptr<Params> weights)
    : ExampleTask{{sized(std::move(with), texts.at("words")), texts, std::move(weights)}},
      words(texts.at("words")),
      net(TextClassifier::make(params->scope(), recipe.model)) {
  FOVEA_CHECK(max_words() > 0, "model.encoder.longest: ", recipe.model.encoder.longest,
              " positions are too few for the marks around a text; give more");
}

Classify Classify::make(ClassifyRecipe recipe, const RunPlace& place) {
  ClassifyModel& model = recipe.model;
  model.pairs = model.family == ClassifierFamily::encoder && recipe.data.train.size() == 3;
  if (recipe.data.labels.empty()) recipe.data.labels = learn_labels(recipe);
  auto [words, params] = begin_with(model.from, model.encoder, recipe.text.words, place,
                                    recipe.train.seed, [&] { return learn_text_words(recipe); });
  return {std::move(recipe), {{"words", words}}, std::move(params)};
}

void Classify::read(const ClassifyData& data, Part part, ExampleSink<Query>& sink) const {
  std::unordered_set<std::string> elsewhere;
  if (part == Part::train && data.apart) elsewhere = held_out_texts(data, recipe.model);
  PartReader reader = labelled_reader(data, part, recipe.model);
  for (std::vector<std::string> fields; reader.next(fields);) {
    const std::optional<Dim> label = class_of(data, fields[label_column]);
    FOVEA_CHECK(label, files_of(data, part).front(), ":", reader.number(), ": label '",
                fields[label_column], "' is not one of those of training: ", known_classes(data));
    if (elsewhere.contains(text_key(fields))) {
      sink.skip("also in dev or test (data.apart)");
      continue;
    }
    Query query = query_of(fields[first_column], pairs() ? fields[second_column] : "");
    query.example.label = static_cast<std::int32_t>(*label);
    sink.add(std::move(query), reader.number());
  }
}

Classify::Example Classify::view(const Examples<Example>& examples, const Visit& visit) const {
  Example example = examples[visit.example];
  const auto share = static_cast<float>(recipe.text.word_dropout);
  if (visit.part != Part::train || share == 0) return example;
  const auto drop = [&](Ids& ids, std::uint64_t text) {
    const std::uint64_t site = static_cast<std::uint64_t>(visit.epoch) << 33 |
                               static_cast<std::uint64_t>(visit.example) << 1 | text;
    const Draws draws = {recipe.train.seed ^ 0xd809, site};
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool mark = words.is_control(ids[i]);
      if (!mark && draws.uniform(i) < share) ids[i] = words.special().unknown;
    }
  };
  drop(example.words, 0);
  drop(example.second, 1);
  return example;
}

Classify::Forward Classify::forward(Batch<Example> batch, const Pass& pass) const {
  return {.logits = net->logits(text_batch(batch), pass),
          .smoothing = pass.rng ? recipe.objective.smoothing : 0};
}

std::vector<Objective<Classify>> Classify::objectives() const {
  return {{.part = {"loss"},
           .count = [](Batch<Example> batch) { return static_cast<double>(batch.size()); },
           .sum =
               [](Batch<Example> batch, const Forward& forward) {
                 return cross_entropy(
                     forward.logits, labels_of(batch),
                     {.smoothing = forward.smoothing, .reduction = Reduction::sum});
               }}};
}

std::vector<Classify::Output> Classify::outputs(Batch<Example>, const Forward& forward) const {
  return class_probabilities(forward.logits);
}

void Classify::Score::add(const Example& example, const Output& probabilities) {
  confusion.add(example.label, likeliest_class(probabilities));
}

std::vector<Report> Classify::Score::reports(const Losses& losses) const {
  const double macro = 100 * confusion.macro_f1();
  std::vector<Report> reports = {
      loss_report(losses.mean(0)),
      share_report("accuracy", confusion.right(), confusion.total(), "the likeliest class"),
      percent_report("macro-f1", macro, formatted("macro F1 = %.2f %%", macro),
                     "mean of the classes")};
  for (Dim c = 0; c < confusion.classes(); ++c) {
    const ClassScore score = confusion.score(c);
    const std::string& name = task.class_name(c);
    const double f1 = 100 * score.f1();
    reports.push_back(
        percent_report("f1." + name, f1,
                       formatted("  F1 = %.2f %%, precision %.2f %%, recall %.2f %%, of %lld", f1,
                                 100 * score.precision(), 100 * score.recall(),
                                 static_cast<long long>(score.given)),
                       name));
    reports.back().shown = Report::Shown::in_test;
  }
  return reports;
}

Classify::Query Classify::parse(const Input& input) const {
  request_of<NoOptions>(input);
  const std::string& line = input.text;
  if (!pairs()) return query_of(line, "");
  const std::size_t tab = line.find('\t');
  FOVEA_CHECK(tab != std::string::npos, "this model reads two texts: expected a line with a tab ",
              "between them, found '", line, "'");
  return query_of(line.substr(0, tab), line.substr(tab + 1));
}

Answer Classify::answer(const Query& query, const Output& probabilities) const {
  const std::string& best = class_name(likeliest_class(probabilities));
  Answer answer{.text = best, .json = {{"text", query.first}, {"answer", best}}, .cut = query.cut};
  if (pairs()) answer.json["second"] = query.second;
  for (std::size_t c = 0; c < probabilities.size(); ++c) {
    answer.json["probabilities"][class_name(static_cast<Dim>(c))] = probabilities[c];
  }
  return answer;
}

void Classify::show(std::span<const Query> queries, const Examples<Example>&,
                    ShownExamples& shown) const {
  for (const Query& query : queries) {
    const Example& example = query.example;
    const std::string first = words.decode(example.words);
    shown.add(pairs() ? first + " | " + words.decode(example.second) : first, observe(query, {}),
              class_name(example.label));
  }
}

const std::string& Classify::class_name(Dim label) const {
  const ClassifyData& data = recipe.data;
  return (data.names.empty() ? data.labels : data.names)[static_cast<std::size_t>(label)];
}

}  // namespace fovea
