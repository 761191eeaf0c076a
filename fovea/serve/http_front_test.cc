#include "fovea/serve/http_front.h"

#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <thread>

#include "fovea/serve/client_testing.h"
#include "fovea/serve/exchange.h"

namespace fovea::serve {
namespace {

/// A front on its own thread, which answers with what it was sent.
class Echo {
 public:
  explicit Echo(FrontConfig config = {}, HttpFront::Handler handler = answer)
      : front_(std::move(config), std::move(handler),
               [](const HttpError& error) { return refusal(error); }),
        thread_([this] { front_.run(); }) {}
  ~Echo() { stop(); }

  void stop() {
    front_.stop();
    if (thread_.joinable()) thread_.join();
  }
  int port() const { return front_.port(); }
  const HttpFront::Counts& counts() const { return front_.counts(); }
  HttpFront& front() { return front_; }

  static void answer(const HttpRequest& request, const Reply& reply) {
    reply.send({.body = request.method + " " + request.path + " " + request.body});
  }

 private:
  HttpFront front_;
  std::thread thread_;
};

TEST(HttpFront, AnswersOnOneConnectionManyTimes) {
  const Echo echo;
  Client client(echo.port());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(client.post("/a", "body").body, "POST /a body");
  EXPECT_EQ(client.get("/b").body, "GET /b ");
  EXPECT_EQ(echo.counts().accepted, 1);
}

TEST(HttpFront, AnswersPipelinedRequestsInOrder) {
  const Echo echo;
  Client client(echo.port());
  client.send(Client::post_bytes("/1", "a") + Client::post_bytes("/2", "b") +
              "GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.answer().body, "POST /1 a");
  EXPECT_EQ(client.answer().body, "POST /2 b");
  const ClientAnswer last = client.answer();
  EXPECT_EQ(last.body, "GET /3 ");
  EXPECT_NE(last.head.find("Connection: close"), std::string::npos);
  EXPECT_FALSE(client.receive()) << "it closes";
}

TEST(HttpFront, SpeaksToOldClientsAndHead) {
  const Echo echo;
  Client old(echo.port());
  old.send("GET /x HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.answer().body, "GET /x ");
  EXPECT_FALSE(old.receive());
  Client patient(echo.port());  // may not wait for more: the end of a stream is the connection's
  patient.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(patient.answer().body, "GET /x ");
  EXPECT_FALSE(patient.receive());
  Client client(echo.port());
  client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(client.receive_until("\r\n\r\n"));
  EXPECT_EQ(client.get("/y").status, 200) << "no body stands between";
}

TEST(HttpFront, TellsWhoWaitsToGoOn) {
  const Echo echo;
  Client client(echo.port());
  client.send(
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: "
      "100-continue\r\nContent-Length: 3\r\n\r\n");
  ASSERT_TRUE(client.receive_until("HTTP/1.1 100 Continue\r\n\r\n"));
  client.send("abc");
  EXPECT_EQ(client.answer().body, "POST / abc");
}

TEST(HttpFront, RefusesAndClosesButTellsWhy) {
  const Echo echo({.limits = {.body = 10}});
  Client garbage(echo.port());
  garbage.send("hello\r\n");
  ClientAnswer answer = garbage.answer();
  EXPECT_EQ(answer.status, 400);
  EXPECT_TRUE(Json::parse(answer.body)["error"].contains("message"));
  EXPECT_FALSE(garbage.receive());
  Client large(echo.port());
  answer = large.post("/", std::string(1 << 20, 'a'));
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(echo.counts().malformed, 2);
  EXPECT_EQ(Client(echo.port()).get("/ok").status, 200) << "others are not disturbed";
}

TEST(HttpFront, SlowClientsAreLetGoAndDisturbNobody) {
  const Echo echo({.read_seconds = 0.5, .idle_seconds = 1});
  Client slow(echo.port()), silent(echo.port()), cut(echo.port());
  slow.send("POST / HTTP/1.1\r\nHost: a\r\nConte");
  cut.send(Client::post_bytes("/", "abc").substr(0, 50));
  Client other(echo.port());
  EXPECT_EQ(other.get("/").status, 200);
  EXPECT_EQ(slow.answer().status, 408);
  EXPECT_EQ(cut.answer().status, 408);
  EXPECT_FALSE(silent.receive()) << "closed without a word";
}

TEST(HttpFront, MakesRoomForThoseWhoSaySomething) {
  const Echo echo({.connections = 3});
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 10; ++i) {
    idle.push_back(std::make_unique<Client>(echo.port()));
    EXPECT_EQ(idle.back()->get("/").status, 200);
  }
  EXPECT_LE(echo.counts().open, 3);
  EXPECT_EQ(echo.counts().refused, 0);
}

TEST(HttpFront, SaysWhenItIsFull) {
  std::vector<Reply> held;
  std::mutex mutex;
  Echo echo({.connections = 2}, [&](const HttpRequest&, const Reply& reply) {
    const std::lock_guard lock(mutex);
    held.push_back(reply);
  });
  Client a(echo.port()), b(echo.port());
  a.send(Client::post_bytes("/", "a"));
  b.send(Client::post_bytes("/", "b"));
  for (int i = 0; i < 500; ++i) {
    const std::lock_guard lock(mutex);
    if (held.size() == 2) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  Client c(echo.port());
  const ClientAnswer full = c.answer();
  EXPECT_EQ(full.status, 503);
  EXPECT_NE(full.head.find("Retry-After"), std::string::npos);
  const std::lock_guard lock(mutex);
  for (const Reply& reply : held) reply.send({.body = "late"});
  EXPECT_EQ(a.answer().body, "late");
  EXPECT_EQ(b.answer().body, "late");
  held.clear();
}

TEST(HttpFront, StreamsFromAnotherThreadAndNoticesWhoLeft) {
  std::thread writer;
  std::atomic<bool> noticed{false};
  Echo echo({}, [&](const HttpRequest& request, const Reply& reply) {
    const bool forever = request.path == "/forever";
    if (writer.joinable()) writer.join();
    writer = std::thread([reply, forever, &noticed] {
      reply.begin({.type = "text/event-stream"});
      for (int i = 0; i < (forever ? 3000 : 5) && !reply.gone(); ++i) {
        reply.write(event("n", std::to_string(i)));
        if (forever) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      noticed = reply.gone();
      reply.end();
    });
  });
  Client client(echo.port());
  const ClientAnswer answer = client.get("/some");
  EXPECT_EQ(answer.body.substr(0, 18), "event: n\ndata: 0\n\n");
  EXPECT_EQ(std::count(answer.body.begin(), answer.body.end(), 'e'), 10);
  Client leaves(echo.port());
  leaves.send("GET /forever HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(leaves.receive_until("data: 3"));
  leaves.close();
  for (int i = 0; i < 1000 && !noticed; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  echo.stop();
  writer.join();
  EXPECT_TRUE(noticed);
}

constexpr const char* kComment = ": still here\n\n";

TEST(HttpFront, AStreamOfEventsThatIsSilentSaysThatItGoesOn) {
  std::mutex mutex;
  std::optional<Reply> held;
  Echo echo({.silent_seconds = 0.2}, [&](const HttpRequest& request, const Reply& reply) {
    if (request.path == "/begun") reply.begin({.type = "text/event-stream"});
    if (request.path == "/expected") reply.expect({.type = "text/event-stream"});
    const std::lock_guard lock(mutex);
    held = reply;
  });
  for (const char* path : {"/begun", "/expected"}) {
    Client client(echo.port());
    client.send(concat("GET ", path, " HTTP/1.1\r\nHost: a\r\n\r\n"));
    ASSERT_TRUE(client.receive_until(kComment)) << path;
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(held->begun());
    EXPECT_FALSE(held->send({.body = "too late"}));
    held->begin({.type = "text/event-stream"});
    held->write(event("", "1"));
    held->end();
    const ClientAnswer answer = client.answer();
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.body.starts_with(kComment)) << answer.body;
    EXPECT_TRUE(answer.body.ends_with("data: 1\n\n")) << answer.body;
    EXPECT_EQ(answer.body.find("HTTP"), std::string::npos) << "one head";
  }
  Client other(echo.port());
  other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const std::lock_guard lock(mutex);
  EXPECT_FALSE(held->begun()) << "nobody expects events of it";
  EXPECT_TRUE(held->send({.body = "late"}));
  EXPECT_EQ(other.answer().body, "late");
  held.reset();
}

TEST(HttpFront, WhatFailsAfterALongSilenceIsToldInTheStream) {
  Metrics metrics;
  std::mutex mutex;
  std::shared_ptr<Exchange> held;
  Echo echo({.silent_seconds = 0.2}, [&](HttpRequest request, Reply reply) {
    const std::lock_guard lock(mutex);
    held = std::make_shared<Exchange>(std::move(request), std::move(reply), metrics, false);
    held->expect_events();
    if (held->request().path == "/now") held->fail(429, "full");
  });
  EXPECT_EQ(Client(echo.port()).get("/now").status, 429);
  Client client(echo.port());
  client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(client.receive_until(kComment));
  {
    const std::lock_guard lock(mutex);
    held->fail(504, "too slow");
    held.reset();
  }
  const ClientAnswer answer = client.answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.find("event: error\ndata: {"), std::string::npos) << answer.body;
  EXPECT_NE(answer.body.find("too slow"), std::string::npos);
}

TEST(HttpFront, WhoTakesNothingOfAStreamIsLetGo) {
  std::atomic<bool> gone{false};
  std::thread writer;
  Echo echo({.unsent = 1 << 20}, [&](const HttpRequest&, const Reply& reply) {
    writer = std::thread([reply, &gone] {
      reply.begin({.type = "text/event-stream"});
      const std::string large(64 << 10, 'x');
      for (int i = 0; i < 2000 && !reply.gone(); ++i) {
        reply.write(large);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      gone = reply.gone();
    });
  });
  Client client(echo.port());
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  for (int i = 0; i < 2000 && !gone; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  echo.stop();
  writer.join();
  EXPECT_TRUE(gone);
}

TEST(HttpFront, WhoTakesNoAnswersAsksNoMore) {
  constexpr int requests = 100;
  std::atomic<int> answered{0};
  const Echo echo({}, [&](const HttpRequest&, const Reply& reply) {
    ++answered;
    reply.send({.body = std::string(1 << 20, 'x')});
  });
  Client client(echo.port());
  std::string all;
  for (int i = 0; i < requests; ++i) all += "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  client.send(all);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(answered, requests / 2) << "as many as the sockets hold";
  for (int i = 0; i < requests; ++i) ASSERT_EQ(client.answer().body.size(), 1U << 20);
  EXPECT_EQ(answered, requests);
}

TEST(HttpFront, ARequestThatNobodyAnswersFails) {
  const Echo echo({}, [](const HttpRequest&, const Reply&) {});
  EXPECT_EQ(Client(echo.port()).get("/").status, 500);
}

TEST(HttpFront, StopsWhenWhatWasAcceptedIsAnswered) {
  std::thread later;
  Echo echo({}, [&](const HttpRequest&, const Reply& reply) {
    later = std::thread([reply] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      reply.send({.body = "late"});
    });
  });
  Client client(echo.port()), idle(echo.port());
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const int port = echo.port();
  echo.front().stop();
  EXPECT_EQ(client.answer().body, "late");
  EXPECT_FALSE(idle.receive());
  client.close();
  echo.stop();
  EXPECT_FALSE(Client(port).connected());
  later.join();
}

TEST(HttpFront, ManyConnectionsAtOnce) {
  constexpr std::size_t many = 2000;
  if (allowed_descriptors(2 * many + 200) < 2 * many + 200) GTEST_SKIP() << "too few descriptors";
  const Echo echo;
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < many; ++i) clients.push_back(std::make_unique<Client>(echo.port()));
  EXPECT_EQ(Client(echo.port()).get("/").status, 200) << "none of them is in the way";
  for (const auto& client : clients) client->send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  for (const auto& client : clients) ASSERT_EQ(client->answer().status, 200);
}

}  // namespace
}  // namespace fovea::serve
