/// Tokenizers as the tokenizer.json of Hugging Face's tokenizers says the same. One difference is
/// theirs: a text that spells "<s>" gives the control symbol there.
#include <algorithm>

#include "fovea/base/atomic_file.h"
#include "fovea/config/config.h"
#include "fovea/text/split.h"
#include "fovea/text/state.h"

namespace fovea {
namespace {

using Pieces = std::vector<std::pair<std::string, float>>;  // and their scores, by id

/// The form, the case, and one space between words, of which "▁" is one, too.
Json normalizer_of(const TokenizerConfig& config) {
  const char* form = config.form == TextForm::nfc ? "NFC" : "NFKC";
  Json steps = Json::array();
  if (config.form != TextForm::none) steps.push_back({{"type", form}});
  if (config.lowercase) {
    steps.push_back({{"type", "Lowercase"}});
    if (config.form != TextForm::none) steps.push_back({{"type", form}});
  }
  steps.push_back({{"type", "Replace"}, {"pattern", {{"Regex", "[\\s▁]+"}}}, {"content", " "}});
  steps.push_back({{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}});
  return {{"type", "Sequence"}, {"normalizers", steps}};
}

Json metaspace() {
  return {{"type", "Metaspace"},
          {"replacement", text::space_mark},
          {"prepend_scheme", "always"},
          {"split", true}};
}

/// SentencePiece merges any two neighbours that together are a piece, the best piece first; there
/// merges are pairs: all that make a piece, the best piece's first.
Json merges_of(const Pieces& pieces, std::size_t first) {
  std::map<std::string_view, std::size_t> ids;
  for (std::size_t id = first; id < pieces.size(); ++id) ids.emplace(pieces[id].first, id);
  std::vector<std::size_t> order;
  for (std::size_t id = first; id < pieces.size(); ++id) order.push_back(id);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return pieces[a].second > pieces[b].second;
  });
  Json merges = Json::array();
  for (const std::size_t id : order) {
    const std::string& piece = pieces[id].first;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::size_t cut = 0;
    text::for_each_character(piece, [&](std::string_view character) {
      cut += character.size();
      const auto left = ids.find(std::string_view(piece).substr(0, cut));
      const auto right = ids.find(std::string_view(piece).substr(cut));
      if (cut < piece.size() && left != ids.end() && right != ids.end()) {
        pairs.emplace_back(left->second, right->second);
      }
    });
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [left, right] : pairs) {
      merges.push_back(pieces[left].first + " " + pieces[right].first);
    }
  }
  return merges;
}

Json model_of(TokenizerKind kind, const Pieces& pieces, std::size_t first) {
  if (kind == TokenizerKind::unigram) {
    return {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", pieces}, {"byte_fallback", false}};
  }
  Json vocabulary = Json::object();
  for (std::size_t id = 0; id < pieces.size(); ++id) vocabulary[pieces[id].first] = id;
  return {{"type", "BPE"},       {"unk_token", pieces[0].first},
          {"fuse_unk", true},    {"byte_fallback", false},
          {"vocab", vocabulary}, {"merges", merges_of(pieces, first)}};
}

Json added_tokens(const Pieces& pieces, std::size_t first) {
  Json added = Json::array();
  for (std::size_t id = 0; id < first; ++id) {
    added.push_back({{"id", id},
                     {"content", pieces[id].first},
                     {"single_word", false},
                     {"lstrip", false},
                     {"rstrip", false},
                     {"normalized", false},
                     {"special", true}});
  }
  return added;
}

/// The marks around one text and around two.
Json template_of(const TextLayout& layout, const Pieces& pieces) {
  Json special = Json::object();
  const auto put = [&](Json& to, const Ids& marks, std::int32_t kind) {
    for (const std::int32_t id : marks) {
      const std::string& name = pieces[static_cast<std::size_t>(id)].first;
      special[name] = {{"id", name}, {"ids", {id}}, {"tokens", {name}}};
      to.push_back({{"SpecialToken", {{"id", name}, {"type_id", kind}}}});
    }
  };
  const auto text = [](const char* name, std::int32_t kind) -> Json {
    return {{"Sequence", {{"id", name}, {"type_id", kind}}}};
  };
  Json single = Json::array(), pair = Json::array();
  put(single, layout.before, 0);
  single.push_back(text("A", 0));
  put(single, layout.after, 0);
  put(pair, layout.before, 0);
  pair.push_back(text("A", 0));
  put(pair, layout.between, 0);
  pair.push_back(text("B", layout.second_kind));
  put(pair, layout.behind, layout.second_kind);
  return {{"type", "TemplateProcessing"},
          {"single", single},
          {"pair", pair},
          {"special_tokens", special}};
}

}  // namespace

std::optional<std::int32_t> Tokenizer::padding() const {
  if (!state_->hub || state_->hub->special_ids().pad < 0) return std::nullopt;
  return state_->hub->special_ids().pad;
}

bool Tokenizer::save_for_hub(const std::filesystem::path& folder, Dim longest, bool marked) const {
  if (state_->hub) {
    state_->hub->save(folder);
    return true;
  }
  const TokenizerKind kind = config().kind;
  if (kind != TokenizerKind::bpe && kind != TokenizerKind::unigram) return false;
  Pieces pieces;
  const auto first = static_cast<std::size_t>(state_->first);
  for (std::int32_t id = 0; id < size(); ++id) {
    const bool unit = id >= state_->first;
    pieces.emplace_back(piece(id), unit ? state_->units->score(id - state_->first) : 0.F);
  }
  Json json = {{"version", "1.0"},
               {"truncation", nullptr},
               {"padding", nullptr},
               {"added_tokens", added_tokens(pieces, first)},
               {"normalizer", normalizer_of(config())},
               {"pre_tokenizer", metaspace()},
               {"post_processor", marked ? template_of(layout(), pieces) : Json()},
               {"decoder", metaspace()},
               {"model", model_of(kind, pieces, first)}};
  const std::string &begin = pieces[1].first, &end = pieces[2].first;
  Json settings = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                   {"unk_token", pieces[0].first},
                   {"bos_token", begin},
                   {"eos_token", end},
                   {"cls_token", begin},
                   {"sep_token", end},
                   {"pad_token", end},  // any will do beside a mask
                   {"model_max_length", longest},
                   {"clean_up_tokenization_spaces", false}};
  if (control(mask_name)) settings["mask_token"] = mask_name;
  write_atomically(folder / "tokenizer.json", json.dump(1) + "\n");
  write_atomically(folder / "tokenizer_config.json", settings.dump(1) + "\n");
  return true;
}

}  // namespace fovea
