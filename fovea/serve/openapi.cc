// The routes as an OpenAPI document: what each takes and gives, in as many
// words as a client needs.
#include <map>

#include "fovea/serve/api.h"

namespace fovea::serve {
namespace {

Json text(const char* about) { return {{"type", "string"}, {"description", about}}; }
Json number(const char* about) { return {{"type", "number"}, {"description", about}}; }
Json whole(const char* about) { return {{"type", "integer"}, {"description", about}}; }
Json flag(const char* about) { return {{"type", "boolean"}, {"description", about}}; }
Json texts(const char* about) {
  return {{"oneOf", Json::array({{{"type", "string"}},
                                 {{"type", "array"}, {"items", {{"type", "string"}}}}})},
          {"description", about}};
}

Json attention() {
  return {{"type", "object"},
          {"description", "Gives the weights with the answer"},
          {"additionalProperties", false},
          {"properties",
           {{"layers", text("Names of layers; * stands for any characters")},
            {"heads", {{"description", "\"all\", or a list of numbers"}}},
            {"keep", text("\"all\", or \"top-8\": the largest of each row")},
            {"words", flag("Pieces are joined to words, by models that translate")}}}};
}

/// What every model that writes can be told.
Json writing(Json properties) {
  const Json common = {
      {"model", text("As GET /v1/models names it; need not be said if there is one")},
      {"max_tokens", whole("Tokens to write at most")},
      {"temperature", number("Above 0: the text is sampled")},
      {"top_p", number("Sampled of the fewest likeliest that hold this much probability")},
      {"top_k", whole("Sampled of so many likeliest")},
      {"min_p", number("Sampled of those with this share of the likeliest's probability")},
      {"repetition_penalty", number("Above 1: what was written is less likely to come again")},
      {"seed", whole("Of sampling: the same seed gives the same text")},
      {"beam", whole("Hypotheses that are followed at once; 1: greedy")},
      {"n", whole("Texts to give")},
      {"stop", texts("What ends a text, of language models")},
      {"stream", flag("Server-sent events as the text is written")},
      {"attention", attention()}};
  properties.update(common);
  return properties;
}

Json body(const Json& properties, const Json& required) {
  const Json schema = {{"type", "object"}, {"properties", properties}, {"required", required}};
  return {{"required", true}, {"content", {{"application/json", {{"schema", schema}}}}}};
}

Json body_of(std::string_view path) {
  if (path == "/v1/completions") {
    return body(writing({{"prompt", texts("What is continued")},
                         {"echo", flag("The prompt stands before what follows it")}}),
                {"prompt"});
  }
  if (path == "/v1/chat/completions") {
    return body(
        writing({{"messages",
                  {{"type", "array"},
                   {"items",
                    {{"type", "object"},
                     {"properties", {{"role", text("Any")}, {"content", text("A text")}}}}}}}}),
        {"messages"});
  }
  if (path == "/v1/embeddings") {
    return body({{"model", text("A model of the task embed")},
                 {"input", texts("What vectors are made of")},
                 {"encoding_format", text("\"float\" or \"base64\"")},
                 {"attention", attention()}},
                {"input"});
  }
  if (path == "/translate") {
    Json form = body(writing({{"q", texts("What is translated, line by line")},
                              {"source", text("\"en\", or \"auto\"")},
                              {"target", text("\"de\"")},
                              {"format", text("\"text\"")},
                              {"alternatives", whole("Further translations to give")},
                              {"api_key", text("If it is not sent as Authorization")}}),
                     {"q", "target"});
    form["content"]["application/x-www-form-urlencoded"] = form["content"]["application/json"];
    return form;
  }
  return body(writing({{"input", texts("A line, or several")}}), {"input"});
}

Json parameters_of(std::string_view path) {
  Json all = Json::array();
  const auto add = [&](const char* name, const char* in, Json schema, bool required) {
    all.push_back(
        {{"name", name}, {"in", in}, {"required", required}, {"schema", std::move(schema)}});
  };
  if (path.find("ID") != std::string_view::npos) add("ID", "path", text("Of the run"), true);
  if (path.ends_with("/tile") || path.ends_with("/received")) {
    add("layer", "query", text("A name, or rollout:NAME"), true);
    add("head", "query", text("A number, mean or all"), true);
  }
  if (path.ends_with("/tile")) {
    for (const char* name : {"q0", "q1", "k0", "k1"}) {
      add(name, "query", whole("Queries q0 to q1 - 1, keys k0 to k1 - 1"), true);
    }
    add("step", "query", whole("The largest of each block of step x step"), false);
  }
  return all;
}

Json answers() {
  const Json error = {{"description", "What was wrong: {\"error\": {\"message\": ...}}"},
                      {"content", {{"application/json", Json::object()}}}};
  return {{"200", {{"description", "The answer"}}},
          {"400", error},
          {"401", error},
          {"404", error},
          {"413", error},
          {"429", error}};
}

}  // namespace

Json openapi() {
  Json paths = Json::object();
  for (const Route& route : routes()) {
    std::string path(route.path);
    if (const std::size_t at = path.find("ID"); at != std::string::npos)
      path.replace(at, 2, "{ID}");
    Json operation = {{"summary", route.summary}, {"responses", answers()}};
    if (const Json parameters = parameters_of(route.path); !parameters.empty()) {
      operation["parameters"] = parameters;
    }
    if (route.method == "POST") operation["requestBody"] = body_of(route.path);
    if (!route.open) operation["security"] = Json::array({{{"key", Json::array()}}});
    paths[path][route.method == "POST" ? "post" : "get"] = std::move(operation);
  }
  return {
      {"openapi", "3.0.3"},
      {"info", {{"title", "fovea serve"}, {"version", "1"}}},
      {"paths", std::move(paths)},
      {"components", {{"securitySchemes", {{"key", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
}

}  // namespace fovea::serve
