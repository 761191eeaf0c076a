// OpenAI's ways of asking, as far as models that only write need them:
// https://platform.openai.com/docs/api-reference
#include <atomic>
#include <cstring>
#include <ctime>

#include "fovea/base/base64.h"
#include "fovea/inspect/run_json.h"
#include "fovea/serve/asking.h"

namespace fovea::serve {
namespace {

std::string next_id(const char* kind) {
  static std::atomic<std::uint64_t> count{0};
  return concat(kind, "-", std::time(nullptr), "-", ++count);
}

const char* reason(const WrittenText& text) { return text.finished ? "stop" : "length"; }

Json usage_of(const std::vector<Said>& said) {
  Dim read = 0, written = 0;
  for (const Said& one : said) {
    read += one.read;
    for (const WrittenText& text : one.texts) written += text.tokens;
  }
  return {
      {"prompt_tokens", read}, {"completion_tokens", written}, {"total_tokens", read + written}};
}

/// How one of the two ways of asking puts its answers.
struct Shape {
  std::string id, object, chunk_object;
  bool chat = false;

  Json head(const std::string& kind, const std::string& model) const {
    return {{"id", id}, {"object", kind}, {"created", std::time(nullptr)}, {"model", model}};
  }
  Json choice(Dim index, const std::string& text, const Json& finish) const {
    Json choice = {{"index", index}, {"logprobs", nullptr}, {"finish_reason", finish}};
    if (chat) {
      choice["message"] = {{"role", "assistant"}, {"content", text}, {"refusal", nullptr}};
    } else {
      choice["text"] = text;
    }
    return choice;
  }
  /// A piece of a streamed answer.
  Json piece(const std::string& text, const Json& finish, bool first) const {
    Json choice = {{"index", 0}, {"logprobs", nullptr}, {"finish_reason", finish}};
    if (!chat) {
      choice["text"] = text;
      return choice;
    }
    choice["delta"] = Json::object();
    if (first) choice["delta"]["role"] = "assistant";
    if (!text.empty() || first) choice["delta"]["content"] = text;
    return choice;
  }
};

struct Completion {
  Shape shape;
  std::size_t model = 0;
  std::vector<std::string> prompts;
  bool echo = false;
};

/// Keeps what a stream says of its own: whether it has begun, what it is asked
/// to tell at the end.
struct Streaming {
  ExchangePtr exchange;
  Shape shape;
  std::string model;
  std::string echo = {};  // the prompt, if it is to come before the answer
  bool usage = false, begun = false;

  void send(Json choices) {
    Json chunk = shape.head(shape.chunk_object, model);
    chunk["choices"] = std::move(choices);
    exchange->event("", chunk);
  }
  void text(std::string_view piece) {
    if (!exchange->streams()) exchange->begin_events();
    const std::string text = std::exchange(echo, {}) + std::string(piece);
    send(Json::array({shape.piece(text, nullptr, !std::exchange(begun, true))}));
  }
  void end(const std::vector<Said>& said) {
    const Said& one = said.at(0);
    if (!begun) text("");
    Json last = shape.piece("", reason(one.texts.at(0)), false);
    if (one.record) last["attention"] = run_json_with_weights(*one.record, "");
    send(Json::array({std::move(last)}));
    if (usage) {
      Json chunk = shape.head(shape.chunk_object, model);
      chunk["choices"] = Json::array();
      chunk["usage"] = usage_of(said);
      exchange->event("", chunk);
    }
    exchange->raw_event("[DONE]");
    exchange->end_events();
  }
};

void complete(Api& api, const ExchangePtr& exchange, const Fields& fields, Completion completion) {
  const Served& model = api.models()[completion.model];
  const WriteSettings settings = settings_of(api, model, fields);
  const auto attention = attention_of(fields);
  fields.refuse("logprobs", "this server does not tell the probabilities of single tokens");
  fields.refuse("suffix", "this server cannot fill in between two texts");
  std::vector<Ask> asks = asks_of(api, completion.prompts, settings, attention);
  if (fields.flag("stream", false)) {
    if (asks.size() != 1 || settings.decode.n_best != 1) {
      wrong("stream", "only one answer to one prompt is streamed");
    }
    auto streaming = std::make_shared<Streaming>();
    streaming->exchange = exchange;
    streaming->shape = completion.shape;
    streaming->model = model.name;
    if (const auto options = fields.object("stream_options")) {
      streaming->usage = options->flag("include_usage", false);
    }
    if (completion.echo) streaming->echo = completion.prompts[0];
    asks[0].on_text = [streaming](std::string_view piece) { streaming->text(piece); };
    exchange->expect_events();
    return ask(api, exchange, completion.model, std::move(asks),
               [streaming](std::vector<Said> said) {
                 expect_seen(said[0]);
                 streaming->end(said);
               });
  }
  ask(api, exchange, completion.model, std::move(asks),
      [exchange, completion = std::move(completion), name = model.name](std::vector<Said> said) {
        const Shape& shape = completion.shape;
        Json choices = Json::array();
        for (std::size_t i = 0; i < said.size(); ++i) {
          expect_seen(said[i]);
          bool best = true;
          for (const WrittenText& text : said[i].texts) {
            const std::string whole = (completion.echo ? completion.prompts[i] : "") + text.text;
            choices.push_back(shape.choice(std::ssize(choices), whole, reason(text)));
            if (said[i].cut) choices.back()["cut"] = true;  // not all of the prompt was read
            if (std::exchange(best, false) && said[i].record) {
              choices.back()["attention"] = run_json_with_weights(*said[i].record, "");
            }
          }
        }
        Json answer = shape.head(shape.object, name);
        answer["choices"] = std::move(choices);
        answer["usage"] = usage_of(said);
        exchange->answer(answer);
      });
}

/// The text of a message: a text, or a list of parts of which only texts are
/// understood.
std::string content_of(const Fields& message) {
  const Json& content = message.at("content");
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) {
    wrong(message.path("content"), "expected a text or a list of parts, found ",
          described(content));
  }
  std::string text;
  for (const Json& one : content) {
    const Fields part(one, message.path("content."));
    if (part.text("type") != "text") wrong(message.path("content"), "only texts are understood");
    text += part.text("text");
  }
  return text;
}

/// Fovea's models know no roles. To a model that translates the last message is
/// what to translate; to a language model all messages are the lines of one
/// text, which it continues.
std::string prompt_of(const Fields& fields, const Served& model) {
  const Json& messages = fields.at("messages");
  if (!messages.is_array() || messages.empty()) {
    wrong("messages", "expected a list of messages, found ",
          messages.is_array() ? "an empty one" : described(messages));
  }
  std::string prompt;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Fields message(messages[i], concat("messages.", i, "."));
    message.text("role");
    const std::string content = content_of(message);
    prompt = model.abilities.continues ? prompt + content + "\n" : content;
  }
  return prompt;
}

}  // namespace

void get_models(Api& api, const ExchangePtr& exchange) {
  Json data = Json::array();
  for (const Served& model : api.models()) {
    data.push_back({{"id", model.name},
                    {"object", "model"},
                    {"created", 0},
                    {"owned_by", "fovea"},
                    {"task", model.task}});
  }
  exchange->answer({{"object", "list"}, {"data", std::move(data)}});
}

void post_completions(Api& api, const ExchangePtr& exchange) {
  const Fields fields = Fields::of(exchange->request());
  Completion completion;
  completion.shape = {next_id("cmpl"), "text_completion", "text_completion"};
  completion.model = model_of(api, fields);
  completion.prompts = fields.texts("prompt");
  completion.echo = fields.flag("echo", false);
  expect_writer(api.models()[completion.model], "/v1/completions");
  if (fields.whole("best_of", 0, 1 << 20).value_or(1) > 1) {
    wrong("best_of", "this server gives all n texts, the best first");
  }
  complete(api, exchange, fields, std::move(completion));
}

void post_chat(Api& api, const ExchangePtr& exchange) {
  const Fields fields = Fields::of(exchange->request());
  const std::size_t model = model_of(api, fields);
  expect_writer(api.models()[model], "/v1/chat/completions");
  for (const char* name : {"tools", "functions"}) {
    fields.refuse(name, "the models of this server call no functions");
  }
  if (const auto format = fields.object("response_format")) {
    if (format->text("type", "text") != "text") {
      wrong("response_format", "this server writes plain text only");
    }
  }
  Completion completion;
  completion.shape = {next_id("chatcmpl"), "chat.completion", "chat.completion.chunk", true};
  completion.model = model;
  completion.prompts = {prompt_of(fields, api.models()[model])};
  complete(api, exchange, fields, std::move(completion));
}

void post_embeddings(Api& api, const ExchangePtr& exchange) {
  const Fields fields = Fields::of(exchange->request());
  const std::size_t model = model_of(api, fields);
  const std::string name = api.models()[model].name;
  if (!api.models()[model].abilities.vectors) {
    throw ApiError(400, concat("model: ", name, " makes no vectors of texts"), "model");
  }
  const std::string format = fields.text("encoding_format", "float");
  if (format != "float" && format != "base64") {
    wrong("encoding_format", "expected \"float\" or \"base64\"");
  }
  fields.refuse("dimensions", "the vectors of this model have one length");
  ask(api, exchange, model, asks_of(api, fields.texts("input"), {}, attention_of(fields)),
      [exchange, name, base64 = format == "base64"](std::vector<Said> said) {
        Json data = Json::array();
        for (const Said& one : said) {
          expect_seen(one);
          Json embedding = one.json.at("vector");
          if (base64) {  // 32-bit floats, low byte first
            const auto numbers = embedding.get<std::vector<float>>();
            std::string bytes(numbers.size() * sizeof(float), '\0');
            std::memcpy(bytes.data(), numbers.data(), bytes.size());
            embedding = to_base64(bytes);
          }
          Json entry = {
              {"object", "embedding"}, {"index", data.size()}, {"embedding", std::move(embedding)}};
          if (one.record) entry["attention"] = run_json_with_weights(*one.record, "");
          data.push_back(std::move(entry));
        }
        Json usage = usage_of(said);
        usage.erase("completion_tokens");
        exchange->answer({{"object", "list"},
                          {"data", std::move(data)},
                          {"model", name},
                          {"usage", std::move(usage)}});
      });
}

}  // namespace fovea::serve
