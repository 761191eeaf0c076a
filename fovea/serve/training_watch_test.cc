#include "fovea/serve/training_watch.h"

#include <gtest/gtest.h>

#include "fovea/serve/client_testing.h"

namespace fovea::serve {
namespace {

constexpr const char* kEvents = "/v1/training/events";

TEST(TrainingWatch, TellsAllLinesToWhoComesLateAndNewOnesAsTheyCome) {
  TrainingWatch watch({});
  watch.tell(R"({"kind":"train","step":1})");
  Client client(watch.port());
  client.send("GET /v1/training/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(client.receive_until("\"step\":1"));
  watch.tell(R"({"kind":"train","step":2})");
  watch.end("finished");
  const ClientAnswer told = client.answer();
  EXPECT_EQ(told.status, 200);
  EXPECT_NE(told.head.find("text/event-stream"), std::string::npos);
  EXPECT_EQ(told.body,
            "data: {\"kind\":\"train\",\"step\":1}\n\n"
            "data: {\"kind\":\"train\",\"step\":2}\n\n"
            "data: {\"kind\":\"end\",\"reason\":\"finished\"}\n\n");
  EXPECT_EQ(Client(watch.port()).get(kEvents).body, told.body) << "also after the end";
}

TEST(TrainingWatch, ServesThePageAndNothingElse) {
  TrainingWatch watch({});
  Client client(watch.port());
  const ClientAnswer page = client.get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("</html>"), std::string::npos);
  EXPECT_NE(page.head.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(client.get("/v1/models").body, R"({"data": []})");
  EXPECT_EQ(client.get("/etc/passwd").status, 404);
  EXPECT_EQ(client.post("/v1/run", "{}").status, 404);
}

TEST(TrainingWatch, ForgetsWhoLeft) {
  TrainingWatch watch({});
  watch.tell("{}");
  Client client(watch.port());
  client.send("GET /v1/training/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  ASSERT_TRUE(client.receive_until("{}"));
  client.close();
  for (int i = 0; i < 100; ++i) watch.tell("{}");
  EXPECT_EQ(Client(watch.port()).get("/v1/runs").status, 200);
}

}  // namespace
}  // namespace fovea::serve
