// A model of any task, and where it looked: web/INTERFACE.md.
#include <algorithm>
#include <charconv>

#include "fovea/base/base64.h"
#include "fovea/inspect/run_json.h"
#include "fovea/inspect/run_tiles.h"
#include "fovea/serve/asking.h"

namespace fovea::serve {
namespace {

/// The run as clients read it; `answer` is what `fovea run --json` tells.
Json told(Api& api, const Served& model, const std::string& input, Said said) {
  RunRecord run;
  std::string id;
  if (said.record) {
    const RunShelf::Entry entry = api.shelf().put(std::move(*said.record));
    run = *entry.run;
    id = entry.id;
  } else {
    run = {.model = model.name, .task = model.task, .input = input, .output = said.text};
  }
  Json json = run_json(run, id);
  if (model.writes()) {
    json["answer"] = {{"answers", Json::array()}};
    for (const WrittenText& text : said.texts) {
      json["answer"]["answers"].push_back({{"text", text.text},
                                           {"score", text.score},
                                           {"log_probability", text.log_probability},
                                           {"tokens", text.tokens},
                                           {"finished", text.finished}});
    }
  } else {
    json["answer"] = std::move(said.json);
  }
  if (said.cut) json["cut"] = true;
  if (!said.unseen.empty()) json["note"] = said.unseen;
  return json;
}

/// The symbols of a text as they come, and come again where a beam changes its
/// mind.
struct TokenEvents {
  ExchangePtr exchange;
  std::string sequence;
  std::vector<std::string> shown;

  void tell(const std::vector<std::string>& pieces) {
    if (!exchange->streams()) exchange->begin_events();
    const bool grew =
        pieces.size() >= shown.size() && std::equal(shown.begin(), shown.end(), pieces.begin());
    if (grew) {
      for (std::size_t i = shown.size(); i < pieces.size(); ++i) {
        exchange->event("token", {{"sequence", sequence}, {"token", pieces[i]}});
      }
    } else {
      exchange->event("replace", {{"sequence", sequence}, {"tokens", pieces}});
    }
    shown = pieces;
  }
};

/// What answers call the images of a request: "image 1".
std::vector<std::string> names_of_media(const Fields& fields) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fields.texts("image").size(); ++i) {
    names.push_back(concat("image ", i + 1));
  }
  return names;
}

/// The images of a request: base64, or a data URL of it.
void add_media(const Fields& fields, std::vector<Ask>& asks) {
  const std::vector<std::string> images = fields.texts("image");
  for (std::size_t i = 0; i < images.size(); ++i) {
    std::string_view text = images[i];
    if (text.starts_with("data:")) {
      const std::size_t comma = text.find(";base64,");
      if (comma == std::string_view::npos) wrong("image", "expected a data URL with ;base64,");
      text.remove_prefix(comma + 8);
    }
    const auto bytes = from_base64(text);
    if (!bytes) wrong("image", "expected the bytes of a PNG file as base64");
    asks[i].input.media = {{asks[i].input.text, *bytes}};
  }
}

std::shared_ptr<const RunRecord> run_of(Api& api, const ExchangePtr& exchange) {
  constexpr std::string_view before = "/v1/runs/";
  std::string_view id = std::string_view(exchange->request().path).substr(before.size());
  id = id.substr(0, id.find('/'));
  const auto run = api.shelf().find(id);
  FOVEA_CHECK(run, ErrorKind::not_found, "no such run is known here, or none any more");
  return run;
}

Dim number_of(const HttpRequest& request, std::string_view name, std::optional<Dim> fallback = {}) {
  const std::string_view text = request.argument(name);
  if (text.empty() && fallback) return *fallback;
  Dim value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    wrong(std::string(name), "expected a whole number");
  }
  return value;
}

/// Computes an answer beside the front, which it would hold up.
void answer_later(Api& api, const ExchangePtr& exchange,
                  std::function<HttpResponse(const RunRecord&)> compute) {
  const auto run = run_of(api, exchange);
  const bool taken = api.background().submit([exchange, run, compute = std::move(compute)] {
    if (exchange->gone()) return;
    try {
      exchange->send(compute(*run));
    } catch (const std::exception& error) {
      exchange->fail(error);
    }
  });
  if (!taken) exchange->fail(429, "too many requests are waiting; try again");
}

}  // namespace

void post_run(Api& api, const ExchangePtr& exchange) {
  const Fields fields = Fields::of(exchange->request());
  const std::size_t number = model_of(api, fields);
  const Served& model = api.models()[number];
  const bool media = model.abilities.media;
  const std::vector<std::string> inputs = media ? names_of_media(fields) : fields.texts("input");
  const bool list = fields.at(media ? "image" : "input").is_array();
  WriteSettings settings;
  if (model.writes()) settings = settings_of(api, model, fields);
  auto asks = asks_of(api, inputs, settings, attention_of(fields));
  if (media) add_media(fields, asks);
  const bool stream = fields.flag("stream", false) && model.writes() && !list;
  if (stream) {
    exchange->expect_events();
    auto events = std::make_shared<TokenEvents>();
    events->exchange = exchange;
    events->sequence = model.abilities.generates;
    asks[0].on_pieces = [events](const std::vector<std::string>& pieces) { events->tell(pieces); };
  }
  ask(api, exchange, number, std::move(asks),
      [&api, exchange, &model, inputs, list, stream](std::vector<Said> said) {
        if (stream) {
          if (!exchange->streams()) exchange->begin_events();
          exchange->event("done", told(api, model, inputs[0], std::move(said[0])));
          return exchange->end_events();
        }
        if (!list) return exchange->answer(told(api, model, inputs[0], std::move(said[0])));
        Json data = Json::array();
        for (std::size_t i = 0; i < said.size(); ++i) {
          data.push_back(told(api, model, inputs[i], std::move(said[i])));
        }
        exchange->answer({{"data", std::move(data)}});
      });
}

void get_runs(Api& api, const ExchangePtr& exchange) {
  Json data = Json::array();
  for (const auto& [id, run] : api.shelf().all()) {
    data.push_back({{"id", id}, {"model", run->model}, {"input", run->input}});
  }
  exchange->answer({{"data", std::move(data)}});
}

void get_run(Api& api, const ExchangePtr& exchange) {
  const auto run = run_of(api, exchange);
  exchange->answer(run_json(*run, exchange->request().path.substr(9)));
}

void get_tile(Api& api, const ExchangePtr& exchange) {
  const HttpRequest& request = exchange->request();
  TileRequest asked{.layer = std::string(request.argument("layer"))};
  asked.q0 = number_of(request, "q0"), asked.q1 = number_of(request, "q1");
  asked.k0 = number_of(request, "k0"), asked.k1 = number_of(request, "k1");
  asked.step = number_of(request, "step", 1);
  answer_later(api, exchange,
               [asked, head = std::string(request.argument("head"))](const RunRecord& run) mutable {
                 asked.head = HeadChoice::parse(head);
                 return HttpResponse{.type = "application/octet-stream", .body = tile(run, asked)};
               });
}

void get_received(Api& api, const ExchangePtr& exchange) {
  const HttpRequest& request = exchange->request();
  answer_later(api, exchange,
               [layer = std::string(request.argument("layer")),
                head = std::string(request.argument("head"))](const RunRecord& run) {
                 const auto sums = received(run, layer, HeadChoice::parse(head));
                 return HttpResponse{.body = to_text({{"received", sums}})};
               });
}

void get_measures(Api& api, const ExchangePtr& exchange) {
  answer_later(api, exchange, [](const RunRecord& run) {
    return HttpResponse{.body = to_text(measures_json(measures(run)))};
  });
}

void get_training(Api&, const ExchangePtr&) {
  fail(ErrorKind::not_found,
       "nothing is being trained here; `fovea train --watch` shows a training");
}

}  // namespace fovea::serve
