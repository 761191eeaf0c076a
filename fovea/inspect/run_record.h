/// What a model did with one input, and the attention weights that were kept of it: what `fovea
/// look` draws, what a server answers from and what a page holds. Plain data, apart from the arena
/// that models compute in: it may be kept for long and be read by any thread.
/// web/INTERFACE.md says how it is told to the viewer.
///
///   Probe probe({.where = "decoder.*.cross", .keep = Keep::top});
///   model(batch, {.probe = &probe});
///   RunRecord record{.input = "A dog", .sequences = {{"source", {"A", "dog"}}, {"target",
///   {...}}}}; record.add(*probe.find("decoder.3.cross"), 0, "target", "source"); std::cout <<
///   terminal_map(map_of(record, "decoder.3.cross"));
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fovea/attention/probe.h"
#include "fovea/image/image.h"
#include "fovea/inspect/attention_map.h"
#include "fovea/inspect/document_heat.h"

namespace fovea {

struct RunRecord {
  struct Sequence {
    std::string name;
    std::vector<std::string> tokens;
  };

  /// The weights of one attention layer.
  struct Layer {
    std::string name;
    std::string queries, keys;   // the sequences: who looks, and at what
    std::vector<Dim> heads;      // those that were kept, rising
    Keep keep = Keep::all;       // all or top
    Dim top = 0;                 // of Keep::top: how many of each row
    Dim rows = 0, cols = 0;      // queries, keys
    std::vector<float> weights;  // (heads, rows, cols); of Keep::top (heads, rows, top)
    std::vector<std::int32_t> top_keys = {};  // of Keep::top: whose they are; -1: nobody's

    /// Calls each(key, weight) for what was kept of a row of the h-th head that was kept.
    template <class Each>
    void visit(Dim h, Dim row, const Each& each) const {
      const Dim count = keep == Keep::top ? top : cols, begin = (h * rows + row) * count;
      for (Dim i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(begin + i);
        const Dim key = keep == Keep::top ? top_keys[at] : i;
        if (key >= 0 && weights[at] != 0) each(key, weights[at]);
      }
    }
    Dim head_count() const { return static_cast<Dim>(heads.size()); }
    /// Where a head of this number stands among those that were kept; throws if it was not.
    Dim place_of(Dim head) const;
    /// out += the mean of all heads, of one row.
    void add_mean(Dim row, std::span<float> out) const;
    /// What was kept: "all", "top-8".
    std::string kept() const;
  };

  /// What to show first: a layer, and a head or (-1) the mean of its heads.
  struct Alignment {
    std::string layer;
    Dim head = -1;
  };

  /// How many steps each token took, of models that decide on it themselves.
  struct Halting {
    std::string sequence;
    std::vector<float> steps;
  };

  /// What hard attention took: for each query the keys that were drawn.
  struct Samples {
    std::string layer;
    Dim head = 0;
    std::vector<std::vector<Dim>> keys;
  };

  /// An input or output that is not text, as the model read or wrote it.
  struct Medium {
    std::string name;
    Image image;
  };

  /// Cells of equal size that cover an image, row by row.
  struct Grid {
    Dim rows = 0, columns = 0;
  };
  /// A rectangle, in pixels from the upper left corner.
  struct Box {
    float x = 0, y = 0, width = 0, height = 0;
    float weight = 1;  // how much the model relied on it, from 0 to 1
  };
  /// A stretch of time, in seconds.
  struct Span {
    double begin = 0, end = 0;
  };

  /// Where the tokens of a sequence are in a medium: token `first` + i is at place i.
  struct Places {
    std::string sequence, medium;
    Dim first = 0;
    std::variant<Grid, std::vector<Box>, std::vector<Span>> at;

    Dim count() const;
  };

  std::string model = {}, task = {}, input = {}, output = {};
  std::vector<Sequence> sequences = {};
  std::vector<Layer> layers = {};  // in the order in which the model computed them
  std::optional<Alignment> alignment = {};
  std::vector<DocumentHeat> documents = {};
  std::vector<Halting> halting = {};
  std::vector<Samples> samples = {};
  std::vector<Medium> media = {};
  std::vector<Places> places = {};
  bool cut = false;  // the input was longer than the model reads: the rest is not in here

  const std::vector<std::string>& tokens(std::string_view sequence) const;
  const Layer* find(std::string_view layer) const;
  /// The same; throws if it was not kept.
  const Layer& layer(std::string_view name) const;

  /// Adds what a probe kept of one sequence of its batch. Rows that the probe was not asked for
  /// have weights 0. What each key received makes no layer: Keep::received is an Error.
  void add(const AttentionRecord& seen, Dim sequence, const std::string& queries,
           const std::string& keys);
  /// The same of queries that came one after the other: all parts are of the same layer, and have
  /// the same keys.
  struct Part {
    const AttentionRecord* seen;
    Dim sequence;
  };
  void add(std::span<const Part> parts, const std::string& queries, const std::string& keys);
  /// Adds where tokens are; the sequence, its tokens and the medium must exist.
  void add(Places where);
  const Medium& medium(std::string_view name) const;
  /// Adds an image and, as further tokens of a sequence, its patches, row by row.
  void add_patches(const std::string& sequence, Image image, Grid grid);
  /// Shows a layer first, if it was kept.
  void align(const std::string& layer, Dim head = -1);
  /// Bytes of weights and media.
  std::size_t bytes() const;
};

/// A picture of one head, by its number, or (-1) of the mean of a layer's heads. What was not kept
/// is 0. Titles are such as "decoder.3.cross head 2".
AttentionMap map_of(const RunRecord& record, std::string_view layer, Dim head = -1);
/// Of what the record shows first; it must have such a thing.
AttentionMap alignment_map(const RunRecord& record);
/// Of every head of every layer.
std::vector<AttentionMap> maps_of(const RunRecord& record);

/// The tokens of a sequence shaded by what rows [begin, end) of a layer gave them, on average over
/// rows and heads.
DocumentHeat shaded_by(const RunRecord& record, std::string_view layer, std::string title,
                       Dim begin = 0, Dim end = std::numeric_limits<Dim>::max());
/// The steps that each token took, as its shade.
DocumentHeat shaded_by(const RunRecord& record, const RunRecord::Halting& halting);

}  // namespace fovea
