#include "fovea/tasks/classify_image/classify_image.h"

#include "fovea/attention/probe.h"
#include "fovea/image/patches.h"
#include "fovea/image/png.h"
#include "fovea/image/resize.h"
#include "fovea/ops/loss.h"
#include "fovea/tasks/class_choice.h"
#include "fovea/tasks/image_files.h"
#include "fovea/tasks/task_entry.h"

namespace fovea {
void check(const ClassifyImageRecipe& recipe) {
  check(recipe.batch);
  check(recipe.model);
}

ClassifyImage::ClassifyImage(ClassifyImageRecipe with, TokenizerMap none,
                             std::unique_ptr<Params> weights)
    : ExampleTask{{std::move(with), std::move(none), std::move(weights)}},
      net(params->scope(), recipe.model) {
  check(recipe);
  FOVEA_CHECK(recipe.data.names.empty() || std::ssize(recipe.data.names) == recipe.model.classes,
              "data.names: ", recipe.data.names.size(), " names for ", recipe.model.classes,
              " classes");
}

ClassifyImage ClassifyImage::make(ClassifyImageRecipe recipe, const RunPlace&) {
  const LabelledImages images(recipe.data, Part::train);
  VitConfig& model = recipe.model;
  model.height = images.height(), model.image_width = images.width(), model.channels = 1;
  model.classes = images.classes();
  auto params = std::make_unique<Params>(recipe.train.seed);
  return {std::move(recipe), {}, std::move(params)};
}

void ClassifyImage::read(const ImageData& data, Part part, ExampleSink<Query>& sink) const {
  LabelledImages images(data, part);
  const std::vector<std::string>& files = files_of(data, part);
  const VitConfig& model = recipe.model;
  FOVEA_CHECK(images.height() == model.height && images.width() == model.image_width, files[0],
              ": expected images of ", model.height, " x ", model.image_width, " pixels, found ",
              images.height(), " x ", images.width());
  for (LabelledImages::Item item; images.next(item);) {
    FOVEA_CHECK(item.label < model.classes, files[1], ": image ", item.number, " has the label ",
                item.label, ", but training had only 0 to ", model.classes - 1);
    sink.add({{item.image.pixels, item.label}, concat("image ", item.number, " of ", files[0])},
             item.number);
  }
}

Image ClassifyImage::image_of(const Example& example) const {
  const VitConfig& model = recipe.model;
  return {model.height, model.image_width, model.channels, example.pixels};
}

std::string ClassifyImage::class_name(Dim label) const {
  const std::vector<std::string>& names = recipe.data.names;
  return names.empty() ? std::to_string(label) : names[static_cast<std::size_t>(label)];
}

Var ClassifyImage::forward(Batch<Example> batch, const Pass& pass) const {
  std::vector<Image> images;
  for (const Example& example : batch) images.push_back(image_of(example));
  return net(patch_rows(images, recipe.model.patch), pass);
}

std::vector<Objective<ClassifyImage>> ClassifyImage::objectives() const {
  return {{.part = {"loss"},
           .count = [](Batch<Example> batch) { return static_cast<double>(batch.size()); },
           .sum =
               [](Batch<Example> batch, const Var& logits) {
                 return cross_entropy(logits, labels_of(batch), {.reduction = Reduction::sum});
               }}};
}

std::vector<ClassifyImage::Output> ClassifyImage::outputs(Batch<Example>, const Var& logits) const {
  return class_probabilities(logits);
}

void ClassifyImage::Score::add(const Example& example, const Output& probabilities) {
  confusion.add(example.label, likeliest_class(probabilities));
}

std::vector<Report> ClassifyImage::Score::reports(const Losses& losses) const {
  return {loss_report(losses.mean(0)),
          share_report("accuracy", confusion.right(), confusion.total(), "the likeliest class")};
}

ClassifyImage::Query ClassifyImage::parse(const Input& input) const {
  request_of<NoOptions>(input);
  FOVEA_CHECK(input.media.size() == 1, "this model reads an image: expected one PNG, found ",
              input.media.size());
  const Media& file = input.media.front();
  const VitConfig& model = recipe.model;
  const Image image = with_channels(decode_png(file.bytes, file.name), model.channels);
  return {.example = {resize(image, model.height, model.image_width).pixels}, .name = file.name};
}

Answer ClassifyImage::answer(const Query& query, const Output& probabilities) const {
  Answer answer{.text = class_name(likeliest_class(probabilities)),
                .json = {{"image", query.name}}};
  answer.json["answer"] = answer.text;
  for (std::size_t c = 0; c < probabilities.size(); ++c) {
    answer.json["probabilities"][class_name(static_cast<Dim>(c))] = probabilities[c];
  }
  return answer;
}

RunRecord ClassifyImage::record(const Query& query, const RecordOptions& options) const {
  const NoTape no_tape;
  Probe probe(options.probe());
  const Batch<Example> batch(&query.example, 1);
  const Output probabilities = outputs(batch, forward(batch, {.probe = &probe})).front();
  RunRecord record{.output = class_name(likeliest_class(probabilities)),
                   .sequences = {{"image", {"[class]"}}}};
  record.add_patches("image", image_of(query.example),
                     {recipe.model.rows(), recipe.model.columns()});
  for (const AttentionRecord& seen : probe.records()) record.add(seen, 0, "image", "image");
  std::vector<std::string> layers;
  for (const AttentionLayer& layer : net.stack.attention_layers()) layers.push_back(layer.name);
  expect_layers(record, options, layers);
  record.align(layers.back());
  return record;
}

void ClassifyImage::show(std::span<const Query> queries, const Examples<Example>&,
                         ShownExamples& shown) const {
  for (const Query& query : queries) {
    shown.add(query.name, record(query, {}), class_name(query.example.label));
  }
}

extern constexpr Task classify_image_task = prediction_task<ClassifyImage>();

}  // namespace fovea
