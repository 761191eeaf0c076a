/// Models over HTTP, from the socket to the model and back.
#include "fovea/serve/server.h"

#include <gtest/gtest.h>

#include "fovea/base/base64.h"
#include "fovea/image/png.h"
#include "fovea/serve/server_testing.h"

namespace fovea::serve {
namespace {

Json json_of(const ClientAnswer& answer) {
  EXPECT_NE(answer.head.find("application/json"), std::string::npos) << answer.head;
  return Json::parse(answer.body);
}

TEST(Server, TellsWhatThereIs) {
  const TestServer server;
  const Json models = json_of(server.get("/v1/models"));
  ASSERT_EQ(models["data"].size(), 5U);
  EXPECT_EQ(models["data"][0]["id"], "tiny-en-de");
  EXPECT_EQ(models["data"][0]["task"], "translate");
  EXPECT_EQ(json_of(server.get("/languages")),
            Json::parse(R"([{"code": "de", "name": "German", "targets": []},
                            {"code": "en", "name": "English", "targets": ["de"]}])"));
  EXPECT_EQ(server.get("/healthz").status, 200);
  EXPECT_EQ(server.get("/readyz").status, 200);
  EXPECT_EQ(json_of(server.get("/openapi.json"))["openapi"], "3.0.3");
  EXPECT_EQ(server.get("/v1/training/events").status, 404);
}

TEST(Server, TranslatesAsRunDoes) {
  const TestServer server;
  for (const std::string line : {"one two", "three", "two two two", ""}) {
    const Json answer =
        json_of(server.post("/translate", {{"q", line}, {"source", "en"}, {"target", "de"}}));
    EXPECT_EQ(answer["translatedText"], alone("tiny-en-de", line).text);
  }
  const Json list = json_of(server.post(
      "/translate",
      {{"q", {"one", "two\none"}}, {"source", "auto"}, {"target", "de"}, {"alternatives", 2}}));
  EXPECT_EQ(list["translatedText"][0], alone("tiny-en-de", "one").text);
  EXPECT_EQ(list["translatedText"][1],
            alone("tiny-en-de", "two").text + "\n" + alone("tiny-en-de", "one").text);
  EXPECT_EQ(list["alternatives"][0].size(), 2U);
  EXPECT_EQ(list["detectedLanguage"][0]["language"], "en");
  const ClientAnswer form = Client(server.port())
                                .post("/translate", "q=one+two&source=en&target=de",
                                      "Content-Type: application/x-www-form-urlencoded\r\n");
  EXPECT_EQ(json_of(form)["translatedText"], alone("tiny-en-de", "one two").text);
}

TEST(Server, CompletesAsRunDoes) {
  const TestServer server;
  const std::string expected = alone("letters", "abc").json["answers"][0]["text"];
  Json answer = json_of(server.post("/v1/completions", {{"model", "letters"}, {"prompt", "abc"}}));
  EXPECT_EQ(answer["choices"][0]["text"], expected);
  EXPECT_EQ(answer["choices"][0]["finish_reason"], "length");
  EXPECT_EQ(answer["usage"]["prompt_tokens"], 3);
  EXPECT_EQ(answer["usage"]["completion_tokens"], 12);
  answer = json_of(server.post("/v1/completions", {{"model", "letters"},
                                                   {"prompt", {"abc", "d"}},
                                                   {"max_tokens", 4},
                                                   {"n", 2},
                                                   {"echo", true}}));
  ASSERT_EQ(answer["choices"].size(), 4U);
  EXPECT_TRUE(answer["choices"][1]["text"].get<std::string>().starts_with("abc"));
  EXPECT_EQ(answer["choices"][3]["text"].get<std::string>().size(), 5U);
  answer = json_of(server.post("/v1/chat/completions",
                               {{"model", "letters"},
                                {"temperature", 0},
                                {"messages", {{{"role", "user"}, {"content", "abc"}}}}}));
  EXPECT_EQ(answer["choices"][0]["message"]["content"],
            alone("letters", "abc\n", {"decode.search=greedy"}).json["answers"][0]["text"]);
  EXPECT_EQ(answer["object"], "chat.completion");
}

TEST(Server, StreamsWhatItWouldSay) {
  const TestServer server;
  ClientAnswer answer =
      server.post("/v1/completions", {{"model", "letters"},
                                      {"prompt", "abc"},
                                      {"stream", true},
                                      {"stream_options", {{"include_usage", true}}}});
  EXPECT_NE(answer.head.find("text/event-stream"), std::string::npos);
  std::string text;
  auto events = events_of(answer.body, "");
  ASSERT_GE(events.size(), 4U);
  EXPECT_EQ(events.back(), "[DONE]");
  for (std::size_t i = 0; i + 2 < events.size(); ++i) {
    text += Json::parse(events[i])["choices"][0]["text"].get<std::string>();
  }
  EXPECT_EQ(text, alone("letters", "abc").json["answers"][0]["text"]);
  EXPECT_EQ(Json::parse(events[events.size() - 2])["usage"]["completion_tokens"], 12);
  answer = server.post("/v1/completions",
                       {{"model", "letters"}, {"prompt", "abc"}, {"stream", true}, {"echo", true}});
  EXPECT_EQ(Json::parse(events_of(answer.body, "")[0])["choices"][0]["text"].get<std::string>(),
            "abc" + text.substr(0, 1));
  answer = server.post("/v1/chat/completions",
                       {{"model", "tiny-en-de"},
                        {"messages", {{{"role", "user"}, {"content", "one two"}}}},
                        {"stream", true}});
  text.clear();
  events = events_of(answer.body, "");
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    text += Json::parse(events[i])["choices"][0]["delta"].value("content", "");
  }
  EXPECT_EQ(text, alone("tiny-en-de", "one two").text);
}

TEST(Server, MakesVectors) {
  const TestServer server;
  const Json floats = json_of(
      server.post("/v1/embeddings", {{"model", "vectors"}, {"input", {"one", "two three"}}}));
  ASSERT_EQ(floats["data"].size(), 2U);
  EXPECT_EQ(floats["data"][1]["embedding"], alone("vectors", "two three").json["vector"]);
  EXPECT_GT(floats["usage"]["prompt_tokens"], 0);
  const Json base64 = json_of(server.post(
      "/v1/embeddings", {{"model", "vectors"}, {"input", "one"}, {"encoding_format", "base64"}}));
  EXPECT_EQ(base64["data"][0]["embedding"].get<std::string>().size(), 4U * ((16 * 4 + 2) / 3));
  EXPECT_EQ(server.post("/v1/embeddings", {{"model", "letters"}, {"input", "a"}}).status, 400);
}

TEST(Server, RunsEveryTaskAndShowsWhereItLooked) {
  const TestServer server;
  Json run = json_of(server.post("/v1/run", {{"model", "reviews-model"}, {"input", "so good"}}));
  EXPECT_EQ(run["output"], alone("reviews-model", "so good").text);
  EXPECT_TRUE(run["answer"].contains("probabilities"));
  run = json_of(server.post("/v1/run", {{"model", "reviews-model"}, {"input", {"so bad", "x"}}}));
  EXPECT_EQ(run["data"].size(), 2U);

  run = json_of(server.post(
      "/v1/run",
      {{"model", "tiny-en-de"}, {"input", "one two"}, {"attention", {{"layers", "decoder.*"}}}}));
  EXPECT_EQ(run["output"], alone("tiny-en-de", "one two").text);
  ASSERT_FALSE(run["layers"].empty());
  const std::string id = run["id"], layer = run["layers"].back()["name"];
  EXPECT_EQ(json_of(server.get("/v1/runs"))["data"][0]["id"], id);
  EXPECT_EQ(json_of(server.get("/v1/runs/" + id))["input"], "one two");
  const std::string path = "/v1/runs/" + id;
  const ClientAnswer tile =
      server.get(path + "/tile?layer=" + layer + "&head=mean&q0=0&q1=2&k0=0&k1=3&step=1");
  EXPECT_EQ(tile.status, 200);
  EXPECT_EQ(tile.body.size(), 12U);
  EXPECT_EQ(json_of(server.get(path + "/received?layer=" + layer + "&head=0"))["received"].size(),
            3U);
  EXPECT_FALSE(json_of(server.get(path + "/measures"))["layers"].empty());
  EXPECT_EQ(server.get("/v1/runs/r999").status, 404);
  EXPECT_EQ(server.get(path + "/tile?layer=none&head=mean&q0=0&q1=2&k0=0&k1=3").status, 400);
  EXPECT_EQ(server.get(path + "/tile?layer=" + layer + "&head=mean&q0=0&q1=x&k0=0&k1=3").status,
            400);
  EXPECT_EQ(server.get(path + "/tile?layer=" + layer + "&head=mean&q0=0&q1=99&k0=0&k1=3").status,
            400);
}

TEST(Server, StreamsRuns) {
  const TestServer server;
  for (const char* model : {"tiny-en-de", "letters"}) {
    const ClientAnswer answer = server.post("/v1/run", {{"model", model},
                                                        {"input", "one two"},
                                                        {"stream", true},
                                                        {"attention", {{"keep", "top-2"}}}});
    EXPECT_FALSE(events_of(answer.body, "token").empty()) << answer.body;
    const auto done = events_of(answer.body, "done");
    ASSERT_EQ(done.size(), 1U) << answer.body;
    const Json run = Json::parse(done[0]);
    EXPECT_EQ(run["layers"][0]["kept"], "top-2");
  }
}

TEST(Server, TellsARunInWords) {
  const TestServer server;
  const auto answer = [&](const Json& words) {
    return server.post(
        "/v1/run",
        {{"model", "tiny-en-de"}, {"input", "one two"}, {"attention", {{"words", words}}}});
  };
  EXPECT_EQ(json_of(answer(true))["sequences"][0]["tokens"], Json({"one", "two", "</s>"}));
  EXPECT_EQ(answer("yes").status, 400);
}

TEST(Server, GivesTheWeightsWithAnyAnswer) {
  const TestServer server;
  const Json attention = {{"layers", "*"}, {"heads", {1}}, {"keep", "top-2"}};
  const Json translation = json_of(server.post(
      "/translate", {{"q", "one"}, {"source", "en"}, {"target", "de"}, {"attention", attention}}));
  EXPECT_TRUE(translation["attention"][0]["layers"][0].contains("top"));
  EXPECT_EQ(translation["attention"][0]["layers"][0]["heads"], Json::array({1}));
  const Json completion = json_of(server.post(
      "/v1/completions", {{"model", "letters"}, {"prompt", "a"}, {"attention", attention}}));
  EXPECT_FALSE(completion["choices"][0]["attention"]["layers"].empty());
  EXPECT_EQ(
      server
          .post("/v1/completions",
                {{"model", "letters"}, {"prompt", "a"}, {"attention", {{"layers", "nothing"}}}})
          .status,
      400);
}

TEST(Server, AnswersManyClientsAsIfEachWereAlone) {
  const TestServer server;
  constexpr int clients = 8, requests = 12;
  const std::vector<std::string> lines = {
      "one", "two three", "three three one two", "two one", "one one one one one one", "unknown"};
  std::map<std::string, std::string> expected, continued;
  for (const std::string& line : lines) {
    expected[line] = alone("tiny-en-de", line).text;
    continued[line] = alone("letters", line).json["answers"][0]["text"];
  }
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int c = 0; c < clients; ++c) {
    threads.emplace_back([&, c] {
      Client client(server.port());
      for (int i = 0; i < requests; ++i) {
        const std::string& line = lines[static_cast<std::size_t>(c + i) % lines.size()];
        if (i % 5 == 4) {  // one in five is bad
          if (client.post("/v1/run", "{\"model\": 3}").status != 400) ++wrong;
        } else if (i % 2 == 0) {
          const auto answer = client.post(
              "/translate", Json({{"q", line}, {"source", "en"}, {"target", "de"}}).dump());
          if (Json::parse(answer.body)["translatedText"] != expected[line]) ++wrong;
        } else {
          const auto answer =
              client.post("/v1/completions", Json({{"model", "letters"}, {"prompt", line}}).dump());
          if (Json::parse(answer.body)["choices"][0]["text"] != continued[line]) ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  const std::string metrics = server.get("/metrics").body;
  for (const char* name :
       {"fovea_requests_total{route=\"POST /translate\",status=\"200\"}",
        "fovea_request_seconds_bucket", "fovea_queue 0", "fovea_batch_rows_count",
        "fovea_tokens_written_total{model=\"letters\"}", "process_resident_memory_bytes",
        "fovea_connections "}) {
    EXPECT_NE(metrics.find(name), std::string::npos) << name << "\n" << metrics;
  }
}

TEST(Server, SaysWhatWasWrong) {
  ServerConfig config = quiet();
  config.api.text = 100;
  config.api.tokens = 50;
  config.front.limits.body = 5000;
  const TestServer server(config);
  const auto expect = [&](int status, const std::string& path, const std::string& body,
                          const std::string& part) {
    const ClientAnswer answer = Client(server.port()).post(path, body);
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_NE(answer.body.find(part), std::string::npos) << answer.body;
    const Json error = Json::parse(answer.body)["error"];
    const bool plain = path == "/translate" || path == "/languages";
    EXPECT_TRUE(plain ? error.is_string() : error["message"].is_string());
  };
  const std::string completions = "/v1/completions";
  expect(400, completions, "{", "not JSON");
  expect(400, completions, "\xFF\xFE", "UTF-8");
  expect(400, completions, "{\"model\": \"letters\", \"prompt\": \"\xC3\x28\"}", "UTF-8");
  expect(400, completions, std::string(2000, '['), "nested");
  expect(400, completions, "[]", "object");
  expect(404, completions, R"({"model": "gpt-4", "prompt": "a"})", "letters");
  expect(400, completions, R"({"prompt": "a"})", "model: is missing");
  expect(400, completions, R"({"model": "letters"})", "prompt: is missing");
  expect(400, completions, R"({"model": "letters", "prompt": 3})", "prompt: expected");
  expect(400, completions, R"({"model": "letters", "prompt": "a", "max_tokens": 51})",
         "from 1 to 50");
  expect(400, completions, R"({"model": "letters", "prompt": "a", "temperature": "hot"})",
         "number");
  expect(400, completions, R"({"model": "letters", "prompt": "a", "stream": 1})", "true or false");
  expect(400, completions, R"({"model": "letters", "prompt": ["a", "b"], "stream": true})",
         "stream");
  expect(400, completions, R"({"model": "reviews-model", "prompt": "a"})", "/v1/run");
  expect(400, completions, R"({"model": "letters", "prompt": "a", "logprobs": 3})", "logprobs");
  expect(400, completions, R"({"model": "letters", "prompt": "a", "best_of": 2})", "best_of");
  EXPECT_EQ(
      Client(server.port())
          .post(completions, R"({"model": "letters", "prompt": "a", "best_of": 1, "suffix": ""})")
          .status,
      200);
  expect(413, "/v1/run",
         R"({"model": "tiny-en-de", "input": "a", "prefix": ")" + std::string(101, 'a') + "\"}",
         "a prefix of 101 bytes");
  expect(413, completions, R"({"model": "letters", "prompt": ")" + std::string(101, 'a') + "\"}",
         "at most 100");
  expect(413, completions, std::string(6000, 'a'), "5000");
  expect(400, "/v1/chat/completions", R"({"model": "letters", "messages": "hi"})", "messages");
  expect(400, "/v1/chat/completions", R"({"model": "letters", "messages": [{"role": "user"}]})",
         "messages.0.content");
  expect(400, "/translate", R"({"q": "a", "source": "fr", "target": "de"})", "en to de");
  expect(400, "/translate", R"({"q": "a"})", "target");
  expect(413, "/translate", R"({"q": ")" + std::string(101, 'a') + R"(", "target": "de"})",
         "at most 100");
  expect(413, "/translate", std::string(6000, 'a'), "5000");
  expect(405, "/languages", "{}", "this path knows GET");
  const ClientAnswer read = server.get("/translate");
  EXPECT_EQ(read.status, 405);
  EXPECT_EQ(Json::parse(read.body), (Json{{"error", "this path knows POST"}}));
  EXPECT_EQ(server.get("/v1/completions").status, 405);
  EXPECT_EQ(server.get("/../etc/passwd").status, 404);
  EXPECT_EQ(server.get("/nothing").status, 404);
  EXPECT_EQ(server.get("/healthz").status, 200);
}

TEST(Server, AsksForAKey) {
  ServerConfig config = quiet();
  config.api.keys = {"first-key", "second-key"};
  config.api.cors = "https://example.org";
  const TestServer server(config);
  const ClientAnswer refused = server.get("/v1/models");
  EXPECT_EQ(refused.status, 401);
  EXPECT_NE(refused.head.find("WWW-Authenticate"), std::string::npos);
  EXPECT_EQ(server.get("/v1/models", "Authorization: Bearer second-kez\r\n").status, 401);
  EXPECT_EQ(server.get("/v1/models", "Authorization: Bearer second-key\r\n").status, 200);
  EXPECT_EQ(server.get("/v1/models", "Authorization: bearer second-key\r\n").status, 200);
  EXPECT_EQ(server.get("/healthz").status, 200);
  const Json body = {{"q", "one"}, {"target", "de"}, {"api_key", "first-key"}};
  EXPECT_EQ(server.post("/translate", body).status, 200);

  const ClientAnswer other = server.get("/healthz", "Origin: https://evil.example\r\n");
  EXPECT_EQ(other.head.find("Access-Control"), std::string::npos);
  const ClientAnswer allowed = server.get("/healthz", "Origin: https://example.org\r\n");
  EXPECT_NE(allowed.head.find("Access-Control-Allow-Origin: https://example.org"),
            std::string::npos);
  Client client(server.port());
  client.send(
      "OPTIONS /v1/run HTTP/1.1\r\nHost: a\r\nOrigin: https://example.org\r\n"
      "Access-Control-Request-Method: POST\r\n\r\n");
  const ClientAnswer preflight = client.answer();
  EXPECT_EQ(preflight.status, 204);
  EXPECT_NE(preflight.head.find("Access-Control-Allow-Methods: POST"), std::string::npos);
  client.send(
      "OPTIONS /v1/run HTTP/1.1\r\nHost: a\r\nOrigin: https://example.org\r\n"
      "Access-Control-Request-Headers: authorization,x-stainless-os\r\n\r\n");
  EXPECT_NE(client.answer().head.find("Allow-Headers: authorization,x-stainless-os\r\n"),
            std::string::npos);
}

TEST(Server, WithoutAKeyAnswersToItsOwnNamesAlone) {
  const auto status = [](const TestServer& server, const std::string& host) {
    Client client(server.port());
    client.send("GET /v1/models HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    return client.answer().status;
  };
  const TestServer open(quiet());
  for (const char* host :
       {"localhost", "LocalHost:80", "a.localhost", "127.0.0.1:8080", "[::1]:1"}) {
    EXPECT_EQ(status(open, host), 200) << host;
  }
  EXPECT_EQ(status(open, "evil.example"), 403);
  EXPECT_EQ(status(open, "localhost.evil.example:8080"), 403);
  ServerConfig config = quiet();
  config.api.keys = {"key"};
  EXPECT_EQ(status(TestServer(config), "evil.example"), 401);
}

TEST(Server, IsFullAndSaysSo) {
  ServerConfig config = quiet();
  config.engine.queue = 4;
  const TestServer server(config);
  const Json five = {{"model", "letters"}, {"prompt", {"a", "b", "c", "d", "e"}}};
  const ClientAnswer full = server.post("/v1/completions", five);
  EXPECT_EQ(full.status, 429);
  EXPECT_NE(full.head.find("Retry-After: 1"), std::string::npos);
  EXPECT_EQ(server.post("/v1/completions", {{"model", "letters"}, {"prompt", "a"}}).status, 200);
}

TEST(Server, GivesUpInTime) {
  ServerConfig config = quiet();
  config.api.seconds = 0.05;
  config.api.tokens = 1000000;
  const TestServer server(config);
  const ClientAnswer late = server.post(
      "/v1/completions", {{"model", "letters"}, {"prompt", "a"}, {"max_tokens", 1000000}});
  EXPECT_EQ(late.status, 504);
  EXPECT_EQ(json_of(server.get("/healthz"))["status"], "ok");
}

TEST(Server, ForgetsClientsThatWentAway) {
  ServerConfig config = quiet();
  config.api.tokens = 1000000;
  const TestServer server(config);
  const Json endless = {
      {"model", "letters"}, {"prompt", "a"}, {"max_tokens", 1000000}, {"stream", true}};
  for (int i = 0; i < 3; ++i) {
    Client client(server.port());
    client.send(Client::post_bytes("/v1/completions", endless.dump()));
    ASSERT_TRUE(client.receive_until("data: "));
  }
  bool idle = false;
  for (int i = 0; i < 200 && !idle; ++i) {
    idle = server.get("/metrics").body.find("fovea_working 0\n") != std::string::npos;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(idle) << "nothing is written for nobody";
}

TEST(Server, AnswersWhatItAcceptedBeforeItStops) {
  TestServer server;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    clients.back()->send(Client::post_bytes(
        "/v1/completions", R"({"model": "letters", "prompt": "abc", "max_tokens": 200})"));
  }
  server.ask_to_stop();
  for (const auto& client : clients) {
    EXPECT_EQ(client->answer().status, 200);
    client->close();
  }
  server.stop();
}

TEST(Server, ServesThePageWithAPolicy) {
  const TestServer server;
  const ClientAnswer page = server.get("/");
  EXPECT_NE(page.head.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  if (page.status == 200) {
    EXPECT_NE(page.body.find("<!-- fovea-data -->"), std::string::npos);
  }
}

TEST(Server, ClassifiesImages) {
  const TestServer server;
  const auto image_of = [](std::uint8_t grey) {
    return to_base64(encode_png({4, 4, 1, std::vector<std::uint8_t>(16, grey)}));
  };
  const Json one =
      json_of(server.post("/v1/run", {{"model", "black-or-white"},
                                      {"image", "data:image/png;base64," + image_of(255)},
                                      {"attention", true}}));
  EXPECT_EQ(one["answer"]["answer"], "white") << one;
  EXPECT_EQ(one["input"], "image 1");
  EXPECT_EQ(one["image"]["patches"]["rows"], 2);
  const Json both = json_of(server.post(
      "/v1/run", {{"model", "black-or-white"}, {"image", Json{image_of(0), image_of(255)}}}));
  EXPECT_EQ(both["data"][0]["answer"]["answer"], "black");
  EXPECT_EQ(both["data"][1]["answer"]["answer"], "white");
  EXPECT_EQ(server.post("/v1/run", {{"model", "black-or-white"}, {"input", "/etc/passwd"}}).status,
            400);
  for (const char* bad : {"!", "QUJD"}) {
    EXPECT_EQ(server.post("/v1/run", {{"model", "black-or-white"}, {"image", bad}}).status, 400)
        << bad;
  }
}

}  // namespace
}  // namespace fovea::serve
