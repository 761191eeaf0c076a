#include "fovea/serve/asking.h"

#include <atomic>

#include "fovea/unicode/utf8.h"

namespace fovea::serve {
namespace {

/// "top-8"
Dim top_of(const std::string& keep, const std::string& field) {
  if (keep == "top") return 8;
  const std::string digits = keep.starts_with("top-") ? keep.substr(4) : "";
  if (digits.empty() || digits.size() > 3 ||
      digits.find_first_not_of("0123456789") != std::string::npos || std::stoi(digits) == 0) {
    wrong(field,
          "expected \"all\" or \"top-8\", with the number of weights "
          "that are kept");
  }
  return std::stoi(digits);
}

std::vector<Dim> heads_of(const Fields& fields) {
  if (!fields.has("heads") || fields.at("heads") == "all") return {};
  std::vector<Dim> heads;
  const Json& list = fields.at("heads");
  const bool fits = list.is_array() && list.size() <= 1024;
  for (std::size_t i = 0; fits && i < list.size(); ++i) {
    const bool number = list[i].is_number_integer() && list[i] >= 0 && list[i] < 65536;
    if (!number || (!heads.empty() && list[i].get<Dim>() <= heads.back())) {
      wrong(fields.path("heads"), "expected \"all\" or rising numbers of heads");
    }
    heads.push_back(list[i].get<Dim>());
  }
  if (heads.empty()) wrong(fields.path("heads"), "expected \"all\" or a list of numbers of heads");
  return heads;
}

/// Bytes of weights that a request may ask for of each layer: of longer texts the top is kept.
constexpr std::size_t weights_of_text = 8 << 20, weights_of_request = 32 << 20;

/// `what`: "a text", which may not have so many bytes.
void expect_short(const Api& api, const char* what, const std::string& text) {
  FOVEA_CHECK(text.size() <= api.config().text, ErrorKind::too_large, what, " of ", text.size(),
              " bytes; at most ", api.config().text, " are taken");
}

/// The answers of several lines on their way to one exchange.
struct Gathered {
  ExchangePtr exchange;
  std::vector<Said> said;
  std::size_t missing = 0;
  std::function<void(std::vector<Said>)> then;

  void add(std::size_t i, Said one) {
    said[i] = std::move(one);
    if (--missing > 0) return;
    for (const Said& line : said) {
      if (!line.error.empty()) return exchange->fail(line.status, line.error);
    }
    try {
      then(std::move(said));
    } catch (const std::exception& error) {
      exchange->fail(error);
    }
  }
};

}  // namespace

std::size_t model_of(const Api& api, const Fields& fields) {
  const auto& models = api.models();
  if (!fields.has("model") && models.size() == 1) return 0;
  const std::string name = fields.text("model");
  std::string names;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].name == name) return i;
    names += concat(i == 0 ? "" : ", ", models[i].name);
  }
  throw ApiError(404, concat("model: there is none of this name here; there are ", names), "model");
}

void expect_writer(const Served& model, std::string_view route) {
  if (model.writes()) return;
  throw ApiError(400,
                 concat("model: ", model.name, " is of the task ", model.task,
                        " and writes no text; POST /v1/run answers for every task, not ", route),
                 "model");
}

WriteSettings settings_of(const Api& api, const Served& model, const Fields& fields) {
  WriteSettings settings = model.defaults;
  DecodeConfig& decode = settings.decode;
  const Dim most = api.config().tokens;
  decode.max_length = std::min(decode.max_length, most);
  for (const char* name : {"max_tokens", "max_completion_tokens"}) {
    if (const auto tokens = fields.whole(name, 1, most)) decode.max_length = *tokens;
  }
  if (const auto temperature = fields.number("temperature", 0, 100)) {
    decode.temperature = *temperature;
    if (*temperature > 0) decode.search = Search::sample;
  }
  if (const auto top_p = fields.number("top_p", 1e-6, 1)) decode.top_p = *top_p;
  if (const auto top_k = fields.whole("top_k", 0, 1 << 20)) decode.top_k = *top_k;
  if (const auto min_p = fields.number("min_p", 0, 1)) decode.min_p = *min_p;
  if (const auto theta = fields.number("repetition_penalty", 0.01, 100)) {
    decode.repetition_penalty = *theta;
  }
  if (const auto seed = fields.whole("seed", 0, Dim(1) << 53)) decode.seed = *seed;
  if (const auto beam = fields.whole("beam", 1, api.config().beam)) {
    decode.beam = *beam;
    decode.search = *beam == 1 ? Search::greedy : Search::beam;
  }
  decode.n_best = 1;
  if (const auto n = fields.whole("n", 1, api.config().beam)) decode.n_best = *n;
  if (decode.search == Search::beam) decode.beam = std::max(decode.beam, decode.n_best);
  if (decode.n_best > 1 && (decode.search == Search::greedy ||
                            (decode.search == Search::sample && decode.temperature == 0))) {
    wrong("n", "greedy search finds one text; give a temperature or a beam");
  }
  if (fields.has("stop")) {
    settings.stop = fields.texts("stop");
    if (settings.stop.size() > 16) wrong("stop", "expected at most 16 texts");
    for (const std::string& stop : settings.stop) {
      if (stop.empty()) wrong("stop", "an empty text would stop every other");
    }
  }
  settings.prefix = fields.text("prefix", "");
  expect_short(api, "a prefix", settings.prefix);
  fields.refuse("logit_bias", "this server cannot change single tokens");
  fields.refuse("presence_penalty", "this server has repetition_penalty instead");
  fields.refuse("frequency_penalty", "this server has repetition_penalty instead");
  return settings;
}

std::optional<RecordOptions> attention_of(const Fields& fields) {
  if (!fields.has("attention") || fields.at("attention") == false) return {};
  RecordOptions options;
  options.limit = weights_of_text;
  if (fields.at("attention") == true) return options;
  const Fields asked = *fields.object("attention");
  // What is misspelled would silently give other weights than those that were asked for.
  asked.expect_only(std::vector<std::string>{"layers", "heads", "keep", "words"});
  options.layers = asked.text("layers", "*");
  if (options.layers.size() > 256) wrong("attention.layers", "longer than any name of a layer");
  options.heads = heads_of(asked);
  options.words = asked.flag("words", false);
  const std::string keep = asked.text("keep", "all");
  if (keep == "all") return options;
  options.keep = Keep::top;
  options.top = top_of(keep, "attention.keep");
  return options;
}

std::vector<Ask> asks_of(const Api& api, const std::vector<std::string>& texts,
                         const WriteSettings& settings, std::optional<RecordOptions> attention) {
  const ApiConfig& config = api.config();
  FOVEA_CHECK(texts.size() <= config.texts, ErrorKind::too_large, texts.size(), " texts; at most ",
              config.texts, " are taken in one request");
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                            std::chrono::duration<double>(config.seconds));
  if (attention && !texts.empty()) {
    attention->limit = std::min(attention->limit, weights_of_request / texts.size());
  }
  std::vector<Ask> asks;
  for (const std::string& text : texts) {
    expect_short(api, "a text", text);
    asks.push_back({.input = {.text = text},
                    .settings = settings,
                    .number = std::ssize(asks),
                    .attention = attention,
                    .deadline = deadline});
  }
  return asks;
}

void ask(Api& api, const ExchangePtr& exchange, std::size_t model, std::vector<Ask> asks,
         std::function<void(std::vector<Said>)> then) {
  auto gathered = std::make_shared<Gathered>();
  gathered->exchange = exchange;
  gathered->said.resize(asks.size());
  gathered->missing = asks.size();
  gathered->then = std::move(then);
  for (std::size_t i = 0; i < asks.size(); ++i) {
    asks[i].gone = [exchange] { return exchange->gone(); };
    asks[i].done = [gathered, i](Said said) { gathered->add(i, std::move(said)); };
  }
  if (asks.empty()) return gathered->then({});
  const Served& served = api.models()[model];
  const auto submit = [&api, exchange, model](std::vector<Ask> ready) {
    if (!api.engine().submit(model, std::move(ready))) {
      exchange->fail(429, "too many requests are waiting; try again");
    }
  };
  if (served.writes()) return submit(std::move(asks));
  auto reading = std::make_shared<std::vector<Ask>>(std::move(asks));
  const bool taken = api.preparing().submit([reading, submit, runner = served.runner] {
    std::vector<Ask> ready;
    for (Ask& one : *reading) {
      if (one.gone()) return;
      try {
        one.prepared = runner->prepare(one.input);
        ready.push_back(std::move(one));
      } catch (const std::exception& error) {
        one.done({.status = http_status(error_kind(error)), .error = error.what()});
      }
    }
    if (!ready.empty()) submit(std::move(ready));
  });
  if (!taken) exchange->fail(429, "too many requests are waiting; try again");
}

void expect_seen(const Said& said) {
  if (!said.unseen.empty()) wrong("attention", said.unseen);
}

}  // namespace fovea::serve
