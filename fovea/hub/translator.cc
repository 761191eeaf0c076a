#include "fovea/hub/translator.h"

#include <set>

#include "fovea/hub/settings.h"

namespace fovea {
namespace {

/// Pairs of names below two places.
struct LayerNames {
  NameMap& names;
  std::string ours, theirs;

  void layer(const std::string& our, const std::vector<std::string>& their, Dim width) const {
    for (const char* kind : {".weight", ".bias"}) {
      TheirTensors& all = names[ours + our + kind];
      for (const std::string& one : their) {
        all.names.push_back(theirs + one + kind);
        all.rows.push_back(width);
      }
    }
  }
};

void attention(const LayerNames& table, const std::string& theirs, Dim width) {
  table.layer("self.qkv", {theirs + ".q_proj", theirs + ".k_proj", theirs + ".v_proj"}, width);
  table.layer("self.out", {theirs + ".out_proj"}, width);
}

void stack(HubTranslator& model, bool decodes) {
  const TransformerConfig& c = model.transformer;
  const std::string ours = decodes ? "decoder" : "encoder";
  for (Dim i = 0; i < (decodes ? c.decoder_layers : c.encoder_layers); ++i) {
    const LayerNames table{model.names, concat(ours, ".", i, "."),
                           concat("model.", ours, ".layers.", i, ".")};
    attention(table, "self_attn", c.width);
    table.layer("norm1", {"self_attn_layer_norm"}, c.width);
    if (decodes) {
      table.layer("cross.query", {"encoder_attn.q_proj"}, c.width);
      table.layer("cross.memory", {"encoder_attn.k_proj", "encoder_attn.v_proj"}, c.width);
      table.layer("cross.out", {"encoder_attn.out_proj"}, c.width);
      table.layer("norm2", {"encoder_attn_layer_norm"}, c.width);
    }
    table.layer("feed_forward.linear1", {"fc1"}, c.hidden);
    table.layer("feed_forward.linear2", {"fc2"}, c.width);
    table.layer(decodes ? "norm3" : "norm2", {"final_layer_norm"}, c.width);
  }
}

void refuse_unknown(const HubSettings& s) {
  s.only("scale_embedding", true);
  s.only("static_position_embeddings", true);
  s.only("normalize_before", false);
  s.only("normalize_embedding", false);
  s.only("add_final_layer_norm", false);
  s.only("tie_word_embeddings", true);
  FOVEA_CHECK(s.count("encoder_ffn_dim") == s.count("decoder_ffn_dim") &&
                  s.count("encoder_attention_heads") == s.count("decoder_attention_heads"),
              ErrorKind::bad_file,
              "config.json: an encoder and a decoder of other widths (encoder_ffn_dim, ",
              "encoder_attention_heads) are not supported");
}

/// So many that the file can have them: names are made for each.
Dim layers_of(const HubSettings& s, const char* name, const HubWeights& weights) {
  const Dim layers = s.count(name);
  FOVEA_CHECK(layers <= std::ssize(weights.names()), ErrorKind::bad_file, "config.json: ", name,
              ": ", layers, " layers, but there are only ", weights.names().size(), " tensors");
  return layers;
}

/// Of ids, 0 among them.
std::int32_t id_of(const HubSettings& s, const char* name, Dim vocabulary) {
  const double id = s.number(name, -1);
  FOVEA_CHECK(id >= 0 && id < static_cast<double>(vocabulary), ErrorKind::bad_file,
              "config.json: ", name, ": expected an id below ", vocabulary, ", found ",
              s.is_set(name) ? s.json.at(name).dump() : "nothing");
  return static_cast<std::int32_t>(id);
}

}  // namespace

HubTranslator hub_translator(const Json& config, const HubWeights& weights) {
  FOVEA_CHECK(config.is_object(), ErrorKind::bad_file, "config.json: expected an object");
  const HubSettings s{config};
  s.only("model_type", "marian");
  refuse_unknown(s);
  HubTranslator model;
  TransformerConfig& c = model.transformer;
  c.source_vocabulary = s.count("vocab_size");
  c.target_vocabulary = s.count("decoder_vocab_size", c.source_vocabulary);
  c.encoder_layers = layers_of(s, "encoder_layers", weights);
  c.decoder_layers = layers_of(s, "decoder_layers", weights);
  c.width = s.count("d_model");
  c.heads = s.count("encoder_attention_heads");
  c.hidden = s.count("encoder_ffn_dim");
  c.activation = s.activation("activation_function", "gelu");
  c.norm = NormPlace::post;
  c.positions = Positions::sinusoidal_halves;
  c.longest = s.count("max_position_embeddings");
  c.tied = s.flag("share_encoder_decoder_embeddings", true) ? Tied::all : Tied::output;
  c.dropout = s.number("dropout", 0.1);
  c.attention_dropout = s.number("attention_dropout", 0);
  c.activation_dropout = s.number("activation_dropout", 0);
  FOVEA_CHECK(c.width % c.heads == 0, ErrorKind::bad_file, "config.json: a width of ", c.width,
              " is no multiple of ", c.heads, " heads");
  const bool shared = weights.has("model.shared.weight");
  model.names["encoder.tokens.weight"] = {
      {shared ? "model.shared.weight" : "model.encoder.embed_tokens.weight"}};
  if (c.tied != Tied::all) {
    model.names["decoder.tokens.weight"] = {{"model.decoder.embed_tokens.weight"}};
  }
  model.names["decoder.out.bias"] = {.names = {"final_logits_bias"}, .one_row = true};
  stack(model, false);
  stack(model, true);
  model.begin = id_of(s, "decoder_start_token_id", c.target_vocabulary);
  model.end = id_of(s, "eos_token_id", c.target_vocabulary);
  return model;
}

void expect_no_others(const HubTranslator& model, const HubWeights& weights) {
  std::set<std::string> known = {
      "lm_head.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight",
      "model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"};
  for (const auto& [ours, their] : model.names)
    known.insert(their.names.begin(), their.names.end());
  for (const std::string& name : weights.names()) {
    FOVEA_CHECK(known.contains(name), name, ": a tensor that a MarianMT of config.json's sizes ",
                "does not have; does config.json belong to the weights?");
  }
}

std::vector<std::string> hub_pieces(const std::filesystem::path& path, Dim size) {
  const Json json = parse_json_file(path);
  const std::string name = path.filename().string();
  FOVEA_CHECK(json.is_object() && std::ssize(json) == size, name, ": expected an object of ", size,
              " pieces and their ids, as config.json says, found ", json.size());
  std::vector<std::string> pieces(static_cast<std::size_t>(size));
  std::set<Dim> seen;
  for (const auto& [piece, id] : json.items()) {
    FOVEA_CHECK(id.is_number_integer() && id >= 0 && id < size && seen.insert(id.get<Dim>()).second,
                name, ": '", piece, "': expected an id of its own below ", size, ", found ",
                id.dump());
    pieces[id.get<std::size_t>()] = piece;
  }
  return pieces;
}

}  // namespace fovea
