#include "fovea/inspect/run_record.h"

#include <algorithm>

namespace fovea {
namespace {

/// Rows of `from`, `count` numbers each, as rows of `to` from row `first` on.
template <class T>
void put_rows(const Tensor& from, Dim first, Dim count, T* to) {
  const auto numbers = from.to(dtype_of<T>);
  std::copy_n(numbers.template data<T>(), from.size(), to + first * count);
}

}  // namespace

Dim RunRecord::Layer::place_of(Dim head) const {
  const auto at = std::find(heads.begin(), heads.end(), head);
  FOVEA_CHECK(at != heads.end(), "layer '", name, "' has no head ", head, "; ", heads.size(),
              " were kept", heads.empty() ? "" : concat(", the last is ", heads.back()));
  return at - heads.begin();
}

void RunRecord::Layer::add_mean(Dim row, std::span<float> out) const {
  const float share = 1 / static_cast<float>(std::max<Dim>(head_count(), 1));
  for (Dim h = 0; h < head_count(); ++h) {
    visit(h, row,
          [&](Dim key, float weight) { out[static_cast<std::size_t>(key)] += share * weight; });
  }
}

std::string RunRecord::Layer::kept() const {
  return keep == Keep::top ? concat("top-", top) : "all";
}

Dim RunRecord::Places::count() const {
  if (const Grid* grid = std::get_if<Grid>(&at)) return grid->rows * grid->columns;
  if (const auto* boxes = std::get_if<std::vector<Box>>(&at)) return std::ssize(*boxes);
  return std::ssize(std::get<std::vector<Span>>(at));
}

const std::vector<std::string>& RunRecord::tokens(std::string_view sequence) const {
  for (const Sequence& one : sequences) {
    if (one.name == sequence) return one.tokens;
  }
  fail("run: there is no sequence '", sequence, "'");
}

const RunRecord::Layer* RunRecord::find(std::string_view layer) const {
  const auto at =
      std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.name == layer; });
  return at == layers.end() ? nullptr : &*at;
}

const RunRecord::Layer& RunRecord::layer(std::string_view name) const {
  const Layer* found = find(name);
  FOVEA_CHECK(found, "run: there is no layer '", name, "' among the ", layers.size(),
              " that were kept", layers.empty() ? "" : concat(" (", layers.front().name, ", ...)"));
  return *found;
}

void RunRecord::add(const AttentionRecord& seen, Dim sequence, const std::string& queries,
                    const std::string& keys) {
  const Part whole{&seen, sequence};
  add({&whole, 1}, queries, keys);
}

void RunRecord::add(std::span<const Part> parts, const std::string& queries,
                    const std::string& keys) {
  const AttentionRecord& first = *parts.front().seen;
  Layer layer{.name = first.layer,
              .queries = queries,
              .keys = keys,
              .heads = first.heads,
              .keep = first.keep,
              .top = first.keep == Keep::top ? first.top : 0,
              .rows = 0,
              .cols = std::ssize(tokens(keys)),
              .weights = {}};
  for (const auto& [seen, sequence] : parts) {
    FOVEA_CHECK(sequence >= 0 && sequence < seen->sequences(), "run: ", seen->layer, " saw ",
                seen->sequences(), " sequences; asked for ", sequence);
    FOVEA_CHECK(seen->keep != Keep::received, "run: of ", seen->layer,
                " only what each key received was kept");
    FOVEA_CHECK(seen->keys.length(sequence) == layer.cols, "run: ", seen->layer, " saw ",
                seen->keys.length(sequence), " keys, but '", keys, "' has ", layer.cols);
    layer.rows += seen->queries.length(sequence);
  }
  FOVEA_CHECK(layer.rows == std::ssize(tokens(queries)), "run: ", first.layer, " saw ", layer.rows,
              " queries, but '", queries, "' has ", tokens(queries).size(), " tokens");
  const Dim count = layer.keep == Keep::top ? layer.top : layer.cols;
  const auto size = static_cast<std::size_t>(layer.head_count() * layer.rows * count);
  layer.weights.resize(size);
  if (layer.keep == Keep::top) layer.top_keys.resize(size, -1);
  for (Dim h = 0; h < layer.head_count(); ++h) {
    Dim begin = h * layer.rows;
    for (const auto& [seen, sequence] : parts) {
      const Dim row = begin + seen->chosen(sequence).first;
      if (layer.keep == Keep::all) {
        put_rows(seen->matrix(sequence, h), row, count, layer.weights.data());
      } else {
        const AttentionRecord::Top largest = seen->largest(sequence, h);
        put_rows(largest.weights, row, count, layer.weights.data());
        put_rows(largest.keys, row, count, layer.top_keys.data());
      }
      begin += seen->queries.length(sequence);
    }
  }
  layers.push_back(std::move(layer));
}

void RunRecord::add(Places where) {
  medium(where.medium);
  if (const Grid* grid = std::get_if<Grid>(&where.at)) {
    FOVEA_CHECK(grid->rows > 0 && grid->columns > 0, "run: '", where.sequence, "' has a grid of ",
                grid->rows, " x ", grid->columns, " places");
  }
  const Dim count = std::ssize(tokens(where.sequence));
  FOVEA_CHECK(where.first >= 0 && where.first + where.count() <= count, "run: '", where.sequence,
              "' has ", count, " tokens, but places of tokens ", where.first, " to ",
              where.first + where.count() - 1);
  places.push_back(std::move(where));
}

const RunRecord::Medium& RunRecord::medium(std::string_view name) const {
  for (const Medium& one : media) {
    if (one.name == name) return one;
  }
  fail("run: there is no medium '", name, "' among ", media.size());
}

void RunRecord::add_patches(const std::string& sequence, Image image, Grid grid) {
  const auto at = std::find_if(sequences.begin(), sequences.end(),
                               [&](const Sequence& one) { return one.name == sequence; });
  FOVEA_CHECK(at != sequences.end(), "run record: there is no sequence ", sequence);
  places.push_back({sequence, sequence, std::ssize(at->tokens), grid});
  media.push_back({sequence, std::move(image)});
  for (Dim r = 1; r <= grid.rows; ++r) {
    for (Dim c = 1; c <= grid.columns; ++c) at->tokens.push_back(concat("patch ", r, ",", c));
  }
}

void RunRecord::align(const std::string& layer, Dim head) {
  const Layer* found = find(layer);
  if (!found) return;
  const bool kept = std::find(found->heads.begin(), found->heads.end(), head) != found->heads.end();
  alignment = Alignment{layer, kept ? head : -1};
}

std::size_t RunRecord::bytes() const {
  std::size_t sum = 0;
  for (const Layer& layer : layers) {
    sum += layer.weights.size() * sizeof(float) + layer.top_keys.size() * sizeof(std::int32_t);
  }
  for (const Medium& medium : media) sum += medium.image.pixels.size();
  return sum;
}

AttentionMap map_of(const RunRecord& record, std::string_view name, Dim head) {
  const RunRecord::Layer& layer = record.layer(name);
  AttentionMap map{.title = concat(name, head < 0 ? " mean" : concat(" head ", head)),
                   .queries = record.tokens(layer.queries),
                   .keys = record.tokens(layer.keys),
                   .weights = Tensor::zeros({layer.rows, layer.cols})};
  const Dim place = head < 0 ? 0 : layer.place_of(head);
  float* to = map.weights.mutable_data<float>();
  for (Dim row = 0; row < layer.rows; ++row, to += layer.cols) {
    if (head < 0) {
      layer.add_mean(row, {to, static_cast<std::size_t>(layer.cols)});
    } else {
      layer.visit(place, row, [&](Dim key, float weight) { to[key] = weight; });
    }
  }
  return map;
}

AttentionMap alignment_map(const RunRecord& record) {
  FOVEA_CHECK(record.alignment, "run: no layer was kept that says where the answer came from");
  return map_of(record, record.alignment->layer, record.alignment->head);
}

std::vector<AttentionMap> maps_of(const RunRecord& record) {
  std::vector<AttentionMap> maps;
  for (const RunRecord::Layer& layer : record.layers) {
    for (const Dim head : layer.heads) maps.push_back(map_of(record, layer.name, head));
  }
  return maps;
}

DocumentHeat shaded_by(const RunRecord& record, std::string_view name, std::string title, Dim begin,
                       Dim end) {
  const RunRecord::Layer& layer = record.layer(name);
  end = std::min(end, layer.rows);
  std::vector<float> shades(static_cast<std::size_t>(layer.cols), 0);
  for (Dim row = begin; row < end; ++row) layer.add_mean(row, shades);
  for (float& shade : shades) shade /= static_cast<float>(std::max<Dim>(end - begin, 1));
  return {std::move(title), {{1, record.tokens(layer.keys), std::move(shades)}}};
}

DocumentHeat shaded_by(const RunRecord& record, const RunRecord::Halting& halting) {
  DocumentHeat::Sentence sentence{.weight = 1, .words = {}, .weights = halting.steps};
  const std::vector<std::string>& tokens = record.tokens(halting.sequence);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    sentence.words.push_back(concat(tokens[i], ":", halting.steps[i]));
  }
  return {concat(halting.sequence, ": steps of each position"), {std::move(sentence)}};
}

}  // namespace fovea
