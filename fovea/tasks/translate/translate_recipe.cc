#include "fovea/tasks/translate/translate_recipe.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "fovea/base/table_check.h"

namespace fovea {
namespace {

void check_neighbours(const TranslateRecipe& recipe) {
  FOVEA_CHECK(recipe.text.dropout == 0,
              "text.dropout: with data.neighbours a source is read as it ",
              "is looked up; expected 0, found ", recipe.text.dropout);
  FOVEA_CHECK(recipe.data.join == 1,
              "data.join: neighbours are those of single lines; expected 1, found ",
              recipe.data.join);
  FOVEA_CHECK(lag_of(recipe.model.config) == 0,
              "model.lag: neighbours are those of a whole source; ", "expected 0, found ",
              lag_of(recipe.model.config));
  std::visit(
      [](const auto& model) {
        if constexpr (requires { model.attention.reach; }) {
          const ReachKind reach = model.attention.reach;
          FOVEA_CHECK(reach != ReachKind::local_m && reach != ReachKind::monotone,
                      "model.attention.reach: neighbours stand after their source; expected ",
                      "\"global\" or \"local-p\", found \"", name_of(reach), "\"");
        }
        if constexpr (requires { model.tied == Tied::all; }) {
          FOVEA_CHECK(model.tied != Tied::all, "model.tied: with data.neighbours sources have ids ",
                      "of their own; expected \"output\" or \"none\", found \"all\"");
        }
      },
      recipe.model.config);
}

void check_objective(const TranslateRecipe& recipe) {
  const TranslateObjective& objective = recipe.objective;
  TableCheck("objective").shares({{"smoothing", objective.smoothing}});
  FOVEA_CHECK(objective.lags.empty() || lag_of(recipe.model.config) > 0,
              "objective.lags: only a model with a lag learns several; set model.lag");
  FOVEA_CHECK(!is_hard(recipe.model.config) || objective.direction != TargetDirection::both,
              "objective.direction: hard attention learns one direction");
  if (recipe.data.alignments.empty()) return;
  FOVEA_CHECK(recipe.data.join == 1, "data.join: links of words are those of single lines");
  FOVEA_CHECK(objective.direction != TargetDirection::reverse,
              "data.alignments: they guide a decoder that writes from left to right");
  FOVEA_CHECK(recipe.text.dropout == 0,
              "text.dropout: pieces that are cut anew are others than those that the links of ",
              "data.alignments join; leave one of them out");
}

bool names_a_file(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

}  // namespace

void check(const TranslateDecode& decode) {
  check(static_cast<const DecodeConfig&>(decode));
  FOVEA_CHECK(decode.ratio >= 0, "decode.ratio: expected at least 0, found ", decode.ratio);
  FOVEA_CHECK(decode.rerank >= 0 && decode.rerank <= 1,
              "decode.rerank: expected a weight from 0 to 1, found ", decode.rerank);
  FOVEA_CHECK(decode.lag >= -1,
              "decode.lag: expected at least 0, or -1 for that of the model, found ", decode.lag);
}

void check(const TranslateRecipe& recipe) {
  TableCheck("data").sizes({{"longest", recipe.data.longest}, {"join", recipe.data.join}});
  FOVEA_CHECK(recipe.text.dropout >= 0 && recipe.text.dropout <= 1,
              "text.dropout: expected 0 to 1, found ", recipe.text.dropout);
  if (recipe.data.neighbours) check_neighbours(recipe);
  std::set<std::string> names = {"source", "target", "config", "settings", "files"};
  for (std::size_t i = 0; i < recipe.heads.size(); ++i) {
    const TranslateHead& head = recipe.heads[i];
    const std::string table = concat("heads[", i, "]");
    FOVEA_CHECK(names_a_file(head.name), table, ".name: expected letters, digits, - and _, ",
                "found '", head.name, "'; its tokenizer is a file of that name");
    FOVEA_CHECK(names.insert(head.name).second, table, ".name: '", head.name,
                "' is the name of another file of the model's folder; take another");
    FOVEA_CHECK(!head.train.empty(), table, ".train: expected a file, line by line beside ",
                "data.train");
    FOVEA_CHECK(!head.dev.empty() || recipe.data.dev.empty(), table,
                ".dev: expected a file, line by line beside data.dev");
    TableCheck(table).layers("layers", 0, head.layers);
  }
  check_objective(recipe);
  check(recipe.decode);
  FOVEA_CHECK(recipe.decode.rerank == 0 || recipe.objective.direction == TargetDirection::both ||
                  !recipe.decode.second.empty(),
              "decode.rerank: only a model that learns both directions ranks by the other; set ",
              "objective.direction = \"both\", or name another model in decode.second");
  FOVEA_CHECK(recipe.evaluate.lines >= 0,
              "evaluate.lines: expected a number of lines, or 0 for all, found ",
              recipe.evaluate.lines);
  check(recipe.batch);
  check(recipe.model);
}

}  // namespace fovea
