#include "fovea/hub/text_config.h"

#include <array>

#include "fovea/hub/text_model.h"

namespace fovea {
namespace {

std::string their_name(Activation activation) {
  switch (activation) {
    case Activation::gelu:
      return "gelu";
    case Activation::gelu_tanh:
      return "gelu_new";
    case Activation::relu:
      return "relu";
    case Activation::silu:
      return "silu";
    default:
      fail(ErrorKind::bad_setting, "model.encoder.activation: no model of Hugging Face's has ",
           name_of(activation));
  }
}

/// BERT and RoBERTa. A model that tells no kinds apart is a BERT whose kinds say nothing.
Json bert(const TextEncoderConfig& c, std::optional<std::int32_t> pad) {
  Json json = {{"model_type", pad ? "roberta" : "bert"},
               {"vocab_size", c.vocabulary},
               {"num_hidden_layers", c.layers},
               {"hidden_size", c.width},
               {"num_attention_heads", c.heads},
               {"intermediate_size", c.hidden},
               {"hidden_act", their_name(c.activation)},
               {"layer_norm_eps", c.norm_eps},
               {"max_position_embeddings", c.longest + (pad ? *pad + 1 : 0)},
               {"type_vocab_size", std::max<Dim>(c.kinds, 1)},
               {"hidden_dropout_prob", c.dropout},
               {"attention_probs_dropout_prob", c.attention_dropout},
               {"position_embedding_type", "absolute"}};
  if (pad) json["pad_token_id"] = *pad;
  return json;
}

Json distilbert(const TextEncoderConfig& c) {
  return {{"model_type", "distilbert"},
          {"vocab_size", c.vocabulary},
          {"n_layers", c.layers},
          {"dim", c.width},
          {"n_heads", c.heads},
          {"hidden_dim", c.hidden},
          {"activation", their_name(c.activation)},
          {"max_position_embeddings", c.longest},
          {"dropout", c.dropout},
          {"attention_dropout", c.attention_dropout},
          {"sinusoidal_pos_embds", false}};
}

Json gpt2(const TextEncoderConfig& c) {
  return {{"model_type", "gpt2"},
          {"vocab_size", c.vocabulary},
          {"n_layer", c.layers},
          {"n_embd", c.width},
          {"n_head", c.heads},
          {"n_inner", c.hidden},
          {"activation_function", their_name(c.activation)},
          {"layer_norm_epsilon", c.norm_eps},
          {"n_positions", c.longest},
          {"embd_pdrop", c.dropout},
          {"resid_pdrop", c.dropout},
          {"attn_pdrop", c.attention_dropout}};
}

Json llama(const TextEncoderConfig& c) {
  return {{"model_type", "llama"},
          {"vocab_size", c.vocabulary},
          {"num_hidden_layers", c.layers},
          {"hidden_size", c.width},
          {"num_attention_heads", c.heads},
          {"num_key_value_heads", c.kv_heads == 0 ? c.heads : c.kv_heads},
          {"intermediate_size", c.hidden},
          {"hidden_act", their_name(c.activation)},
          {"rms_norm_eps", c.norm_eps},
          {"rope_theta", c.rotary_base},  // transformers 4; 5 reads what follows
          {"rope_parameters", {{"rope_type", "default"}, {"rope_theta", c.rotary_base}}},
          {"max_position_embeddings", c.longest},
          {"attention_bias", false},
          {"mlp_bias", false}};
}

/// By what tells architectures apart; the rest must then fit.
Json nearest(const TextEncoderConfig& c, std::optional<std::int32_t> pad) {
  if (c.causal) return c.positions == Positions::rotary ? llama(c) : gpt2(c);
  if (c.kinds == 1 && pad) return bert(c, pad);
  // DistilBERT has no setting for the norm's eps.
  return c.kinds == 0 && c.norm_eps == 1e-12 ? distilbert(c) : bert(c, std::nullopt);
}

/// What makes no difference to what is computed.
bool counts(const std::string& key, const TextEncoderConfig& ours, const TextEncoderConfig& their) {
  static constexpr std::array<std::string_view, 8> others = {
      "dropout", "attention_dropout", "activation_dropout", "cell",
      "windows", "letter_width",      "letter_filters",     "letter_windows"};
  if (std::find(others.begin(), others.end(), key) != others.end()) return false;
  const auto keys = [](const TextEncoderConfig& c) {
    return c.kv_heads == 0 ? c.heads : c.kv_heads;
  };
  if (key == "kv_heads") return keys(ours) != keys(their);
  if (key == "kinds") return !(ours.kinds == 0 && their.kinds == 1);
  if (key == "rotary_base") return ours.positions == Positions::rotary;
  return true;
}

}  // namespace

Json hub_text_config(const TextEncoderConfig& encoder, std::optional<std::int32_t> pad) {
  FOVEA_CHECK(encoder.family == TextFamily::transformer, ErrorKind::bad_setting,
              "model.encoder.family: only Transformers have a place at Hugging Face's");
  Json config = nearest(encoder, pad);
  const TextEncoderConfig their = hub_text_model(config, std::string(), "encoder").encoder;
  const Json has = write_config(their);
  const Json asked = write_config(encoder);
  for (const auto& [key, value] : asked.items()) {
    FOVEA_CHECK(value == has[key] || !counts(key, encoder, their), ErrorKind::bad_setting,
                "model.encoder.", key, " = ", value.dump(),
                ": of Hugging Face's models the nearest is ",
                config["model_type"].get<std::string>(), ", which has ", has[key].dump());
  }
  return config;
}

}  // namespace fovea
