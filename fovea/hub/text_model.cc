#include "fovea/hub/text_model.h"

#include <array>
#include <limits>

#include "fovea/hub/settings.h"

namespace fovea {
namespace {

/// The prefix that a file's tensors have before a name that every such file has.
std::string prefix_of(const HubWeights& weights, const std::string& prefix,
                      const std::string& name) {
  for (const std::string& each : {std::string(), prefix}) {
    if (weights.has(each + name)) return each;
  }
  fail(ErrorKind::bad_file, "the tensor ", name, " is missing, also as ", prefix, name);
}

/// The names of a file's tensors.
struct Naming {
  std::string prefix;
  Dim tensors;  // how many there are

  /// So many that the file can have them: a table of names is made for each.
  Dim layers(const HubSettings& settings, const char* name) const {
    const Dim layers = settings.count(name);
    FOVEA_CHECK(layers <= tensors, ErrorKind::bad_file, "config.json: ", name, ": ", layers,
                " layers, but there are only ", tensors, " tensors");
    return layers;
  }
};

/// Pairs of names below two places: "norm1" is "output.LayerNorm".
struct Table {
  NameMap& names;
  std::string ours, theirs;

  void weight(const std::string& our, const std::string& their, bool bias = true,
              bool transposed = false) const {
    names[ours + our + ".weight"] = {{theirs + their + ".weight"}, {}, transposed};
    if (bias) names[ours + our + ".bias"] = {{theirs + their + ".bias"}};
  }
  /// Queries, keys and values as one.
  void stacked(const std::string& our, const std::array<std::string, 3>& their,
               const std::vector<Dim>& rows, bool bias) const {
    for (const std::string& kind : {std::string(".weight"), std::string(".bias")}) {
      if (kind == ".bias" && !bias) continue;
      TheirTensors& all = names[ours + our + kind];
      for (const std::string& one : their) all.names.push_back(theirs + one + kind);
      all.rows = rows;
    }
  }
};

std::vector<Dim> rows_of_heads(const TextEncoderConfig& c) {
  const Dim keys = c.width / c.heads * (c.kv_heads == 0 ? c.heads : c.kv_heads);
  return {c.width, keys, keys};
}

/// What all encoders that look both ways share.
TextEncoderConfig post_norm_encoder() {
  TextEncoderConfig c;
  c.norm = NormPlace::post;
  c.input_norm = true;
  c.norm_eps = 1e-12;
  c.positions = Positions::learned;
  return c;
}

/// BERT (Devlin et al. 2019) and RoBERTa (Liu et al. 2019), whose first places stand for padding.
HubTextModel bert(const HubSettings& s, const Naming& naming, const std::string& scope,
                  const std::string& type) {
  s.only("position_embedding_type", "absolute");
  const bool roberta = type == "roberta";
  HubTextModel model{type, naming.prefix, post_norm_encoder(), {}};
  TextEncoderConfig& c = model.encoder;
  const Dim skipped = roberta ? s.count("pad_token_id", 1) + 1 : 0;
  c.vocabulary = s.count("vocab_size");
  c.layers = naming.layers(s, "num_hidden_layers");
  c.width = s.count("hidden_size");
  c.heads = s.count("num_attention_heads");
  c.hidden = s.count("intermediate_size");
  c.activation = s.activation("hidden_act", "gelu");
  c.norm_eps = s.number("layer_norm_eps", 1e-12);
  c.longest = s.count("max_position_embeddings") - skipped;
  c.kinds = s.count("type_vocab_size", roberta ? 1 : 2);
  c.dropout = s.number("hidden_dropout_prob", 0.1);
  c.attention_dropout = s.number("attention_probs_dropout_prob", 0.1);

  const Table input{model.names, scope + ".", model.prefix + "embeddings."};
  input.weight("tokens", "word_embeddings", false);
  input.weight("places", "position_embeddings", false);
  input.weight("kinds", "token_type_embeddings", false);
  input.weight("norm", "LayerNorm");
  model.names[scope + ".places.weight"].skipped = skipped;
  for (Dim i = 0; i < c.layers; ++i) {
    const Table layer{model.names, concat(scope, ".", i, "."),
                      concat(model.prefix, "encoder.layer.", i, ".")};
    layer.stacked("self.qkv",
                  {"attention.self.query", "attention.self.key", "attention.self.value"},
                  rows_of_heads(c), true);
    layer.weight("self.out", "attention.output.dense");
    layer.weight("norm1", "attention.output.LayerNorm");
    layer.weight("feed_forward.linear1", "intermediate.dense");
    layer.weight("feed_forward.linear2", "output.dense");
    layer.weight("norm2", "output.LayerNorm");
  }
  return model;
}

/// Sanh et al. 2019: BERT of half the layers, without kinds.
HubTextModel distilbert(const HubSettings& s, const Naming& naming, const std::string& scope) {
  s.only("sinusoidal_pos_embds", false);
  HubTextModel model{"distilbert", naming.prefix, post_norm_encoder(), {}};
  TextEncoderConfig& c = model.encoder;
  c.vocabulary = s.count("vocab_size");
  c.layers = naming.layers(s, "n_layers");
  c.width = s.count("dim");
  c.heads = s.count("n_heads");
  c.hidden = s.count("hidden_dim");
  c.activation = s.activation("activation", "gelu");
  c.longest = s.count("max_position_embeddings");
  c.dropout = s.number("dropout", 0.1);
  c.attention_dropout = s.number("attention_dropout", 0.1);

  const Table input{model.names, scope + ".", model.prefix + "embeddings."};
  input.weight("tokens", "word_embeddings", false);
  input.weight("places", "position_embeddings", false);
  input.weight("norm", "LayerNorm");
  for (Dim i = 0; i < c.layers; ++i) {
    const Table layer{model.names, concat(scope, ".", i, "."),
                      concat(model.prefix, "transformer.layer.", i, ".")};
    layer.stacked("self.qkv", {"attention.q_lin", "attention.k_lin", "attention.v_lin"},
                  rows_of_heads(c), true);
    layer.weight("self.out", "attention.out_lin");
    layer.weight("norm1", "sa_layer_norm");
    layer.weight("feed_forward.linear1", "ffn.lin1");
    layer.weight("feed_forward.linear2", "ffn.lin2");
    layer.weight("norm2", "output_layer_norm");
  }
  return model;
}

/// Radford et al. 2019. Its linear maps are stored (in, out).
HubTextModel gpt2(const HubSettings& s, const Naming& naming, const std::string& scope) {
  s.only("scale_attn_weights", true);
  s.only("scale_attn_by_inverse_layer_idx", false);
  s.only("add_cross_attention", false);
  HubTextModel model{"gpt2", naming.prefix, {}, {}};
  TextEncoderConfig& c = model.encoder;
  c.causal = true;
  c.vocabulary = s.count("vocab_size");
  c.layers = naming.layers(s, "n_layer");
  c.width = s.count("n_embd");
  c.heads = s.count("n_head");
  c.hidden = s.count("n_inner", 4 * c.width);
  c.activation = s.activation("activation_function", "gelu_new");
  c.norm_eps = s.number("layer_norm_epsilon", 1e-5);
  c.longest = s.count("n_positions");
  c.dropout = s.number("resid_pdrop", 0.1);
  c.attention_dropout = s.number("attn_pdrop", 0.1);

  const Table input{model.names, scope + ".", model.prefix};
  input.weight("tokens", "wte", false);
  input.weight("places", "wpe", false);
  input.weight("last", "ln_f");
  for (Dim i = 0; i < c.layers; ++i) {
    const Table layer{model.names, concat(scope, ".", i, "."), concat(model.prefix, "h.", i, ".")};
    layer.weight("norm1", "ln_1");
    layer.weight("self.qkv", "attn.c_attn", true, true);
    layer.weight("self.out", "attn.c_proj", true, true);
    layer.weight("norm2", "ln_2");
    layer.weight("feed_forward.linear1", "mlp.c_fc", true, true);
    layer.weight("feed_forward.linear2", "mlp.c_proj", true, true);
  }
  return model;
}

/// Touvron et al. 2023.
HubTextModel llama(const HubSettings& s, const Naming& naming, const std::string& scope) {
  s.only("attention_bias", false);
  s.only("mlp_bias", false);
  s.only("rope_scaling", nullptr);
  HubTextModel model{"llama", naming.prefix, {}, {}};
  TextEncoderConfig& c = model.encoder;
  c.causal = true;
  c.vocabulary = s.count("vocab_size");
  c.layers = naming.layers(s, "num_hidden_layers");
  c.width = s.count("hidden_size");
  c.heads = s.count("num_attention_heads");
  c.kv_heads = s.count("num_key_value_heads", c.heads);
  c.hidden = s.count("intermediate_size");
  c.activation = s.activation("hidden_act", "silu");
  c.gated = true;
  c.bias = false;
  c.norm_kind = NormKind::rms;
  c.norm_eps = s.number("rms_norm_eps", 1e-6);
  c.positions = Positions::rotary;
  c.rotary_base = s.number("rope_theta", 10000);
  if (s.is_set("rope_parameters")) {  // transformers 5
    const Json& rope = s.json.at("rope_parameters");
    const HubSettings nested{rope};
    nested.only("rope_type", "default");
    c.rotary_base = nested.number("rope_theta", c.rotary_base);
  }
  FOVEA_CHECK(s.count("head_dim", c.width / c.heads) == c.width / c.heads, ErrorKind::bad_file,
              "config.json: ", "head_dim: only hidden_size / num_attention_heads = ",
              c.width / c.heads, " is supported, found ", s.count("head_dim", 0));
  c.longest = s.count("max_position_embeddings");
  c.dropout = 0;

  const Table input{model.names, scope + ".", model.prefix};
  input.weight("tokens", "embed_tokens", false);
  input.weight("last", "norm", false);
  for (Dim i = 0; i < c.layers; ++i) {
    const Table layer{model.names, concat(scope, ".", i, "."),
                      concat(model.prefix, "layers.", i, ".")};
    layer.weight("norm1", "input_layernorm", false);
    layer.stacked("self.qkv", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
                  rows_of_heads(c), false);
    layer.weight("self.out", "self_attn.o_proj", false);
    layer.weight("norm2", "post_attention_layernorm", false);
    layer.weight("feed_forward.gate", "mlp.gate_proj", false);
    layer.weight("feed_forward.linear1", "mlp.up_proj", false);
    layer.weight("feed_forward.linear2", "mlp.down_proj", false);
  }
  return model;
}

HubTextModel text_model(const Json& config, const Naming& naming, const std::string& scope) {
  const HubSettings settings{config};
  const std::string type = settings.text("model_type", "");
  HubTextModel model = type == "bert" || type == "roberta" ? bert(settings, naming, scope, type)
                       : type == "distilbert"              ? distilbert(settings, naming, scope)
                       : type == "gpt2"                    ? gpt2(settings, naming, scope)
                                                           : llama(settings, naming, scope);
  const TextEncoderConfig& c = model.encoder;
  FOVEA_CHECK(c.width % c.heads == 0, ErrorKind::bad_file, "config.json: a width of ", c.width,
              " is no multiple of ", c.heads, " heads");
  return model;
}

/// What stands before the names of an encoder beside a head, and a name that every file has.
std::pair<std::string, std::string> known_names(const Json& config) {
  FOVEA_CHECK(config.is_object(), ErrorKind::bad_file, "config.json: expected an object");
  const std::string type = HubSettings{config}.text("model_type", "");
  if (type == "gpt2") return {"transformer.", "wte.weight"};
  if (type == "llama") return {"model.", "embed_tokens.weight"};
  FOVEA_CHECK(type == "bert" || type == "roberta" || type == "distilbert", ErrorKind::bad_file,
              "config.json: model_type '", type, "' is not supported; ",
              "bert, roberta, distilbert, gpt2 and llama are");
  return {type + ".", "embeddings.word_embeddings.weight"};
}

}  // namespace

HubTextModel hub_text_model(const Json& config, const HubWeights& weights,
                            const std::string& scope) {
  const auto [prefix, name] = known_names(config);
  return text_model(config, {prefix_of(weights, prefix, name), std::ssize(weights.names())}, scope);
}

HubTextModel hub_text_model(const Json& config, const std::string& prefix,
                            const std::string& scope) {
  known_names(config);
  return text_model(config, {prefix, std::numeric_limits<Dim>::max()}, scope);
}

}  // namespace fovea
