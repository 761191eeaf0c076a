#include "fovea/serve/http_request.h"

#include <gtest/gtest.h>

namespace fovea::serve {
namespace {

/// The request of these bytes, given in pieces of so many.
HttpRequest parsed(std::string_view bytes, std::size_t piece = 1 << 20, RequestLimits limits = {}) {
  RequestParser parser(limits);
  std::size_t at = 0;
  while (!parser.done() && at < bytes.size()) {
    const std::string_view some = bytes.substr(at, piece);
    const std::size_t taken = parser.read(some);
    EXPECT_TRUE(taken == some.size() || parser.done());
    at += taken;
  }
  EXPECT_TRUE(parser.done());
  EXPECT_EQ(at, bytes.size());
  return parser.take();
}

int status_of(std::string_view bytes, RequestLimits limits = {}) {
  RequestParser parser(limits);
  try {
    parser.read(bytes);
  } catch (const HttpError& error) {
    EXPECT_FALSE(error.message.empty());
    return error.status;
  }
  return parser.done() ? 200 : 0;
}

TEST(RequestParser, ReadsARequestInPiecesOfAnySize) {
  const std::string_view bytes =
      "POST /v1/runs/r%201?layer=a%2Bb+c&empty&x=%zz HTTP/1.1\r\n"
      "Host: localhost\r\nContent-Type: Application/JSON; charset=utf-8\r\n"
      "X-A:  padded \t\r\nContent-Length: 5\r\n\r\n{\"a\"}";
  for (const std::size_t piece : {1UL, 2UL, 7UL, 1000UL}) {
    const HttpRequest request = parsed(bytes, piece);
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.path, "/v1/runs/r 1");
    EXPECT_EQ(request.argument("layer"), "a+b c");
    EXPECT_EQ(request.argument("empty"), "");
    EXPECT_EQ(request.argument("x"), "%zz");
    EXPECT_EQ(request.content_type(), "application/json");
    EXPECT_EQ(request.header("x-a"), "padded");
    EXPECT_EQ(request.body, "{\"a\"}");
    EXPECT_TRUE(request.keep_alive);
  }
}

TEST(RequestParser, ReadsChunksAndPassesOverTrailers) {
  const std::string_view bytes =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "3;note=1\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
  for (const std::size_t piece : {1UL, 3UL, 1000UL}) {
    EXPECT_EQ(parsed(bytes, piece).body, "abc0123456789");
  }
}

TEST(RequestParser, OneRequestAtATime) {
  RequestParser parser;
  const std::string two = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET /b HTTP/1.0\n\n";
  const std::size_t first = parser.read(two);
  ASSERT_TRUE(parser.done());
  EXPECT_EQ(parser.take().path, "/a");
  EXPECT_TRUE(parser.idle());
  parser.read(std::string_view(two).substr(first));
  ASSERT_TRUE(parser.done());
  const HttpRequest second = parser.take();
  EXPECT_EQ(second.path, "/b");
  EXPECT_FALSE(second.keep_alive);
}

TEST(RequestParser, KeepsAliveAsTold) {
  const auto keeps = [](const std::string& version, const std::string& connection) {
    return parsed("GET / " + version + "\r\nHost: a\r\nConnection: " + connection + "\r\n\r\n")
        .keep_alive;
  };
  EXPECT_TRUE(keeps("HTTP/1.1", "keep-alive"));
  EXPECT_FALSE(keeps("HTTP/1.1", "TE, Close"));
  EXPECT_FALSE(keeps("HTTP/1.0", "x"));
  EXPECT_TRUE(keeps("HTTP/1.0", "Keep-Alive"));
}

TEST(RequestParser, TellsWhoWaitsForPermission) {
  RequestParser parser;
  parser.read(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: "
      "100-continue\r\n\r\n");
  EXPECT_TRUE(parser.take_expectation());
  EXPECT_FALSE(parser.take_expectation());
  EXPECT_FALSE(parser.done());
  parser.read("abc");
  EXPECT_TRUE(parser.done());
}

TEST(RequestParser, RefusesWhatIsNoRequest) {
  const std::string host = "Host: a\r\n";
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n" + host + "\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n" + host), 0) << "not whole yet";
  EXPECT_EQ(status_of("hello\r\n"), 400);
  EXPECT_EQ(status_of("GET /\r\n"), 400);
  EXPECT_EQ(status_of("G@T / HTTP/1.1\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\n"), 505);
  EXPECT_EQ(status_of("GET a HTTP/1.1\r\n"), 400);
  EXPECT_EQ(status_of("GET /a b HTTP/1.1\r\n"), 400);
  EXPECT_EQ(status_of(std::string("GET /\0 HTTP/1.1\r\n", 18)), 400);
  EXPECT_EQ(status_of("\x16\x03\x01\x02\n"), 400) << "TLS";
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400) << "no host";
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n" + host + host + "\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n" + host + " folded\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n" + host + "no colon\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n" + host + "A : b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n" + host + "A: b\x01\r\n\r\n"), 400);
}

TEST(RequestParser, RefusesBodiesWhoseLengthIsInDoubt) {
  const auto with = [](const std::string& headers) {
    return status_of("POST / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n");
  };
  EXPECT_EQ(with("Content-Length: x\r\n"), 400);
  EXPECT_EQ(with("Content-Length: -1\r\n"), 400);
  EXPECT_EQ(with("Content-Length: 1 2\r\n"), 400);
  EXPECT_EQ(with("Content-Length: 99999999999999999999999\r\n"), 400);
  EXPECT_EQ(with("Content-Length: 1\r\nContent-Length: 2\r\n"), 400);
  EXPECT_EQ(with("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400);
  EXPECT_EQ(with("Transfer-Encoding: gzip, chunked\r\n"), 501);
  const std::string chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(status_of(chunked + "x\r\n"), 400);
  EXPECT_EQ(status_of(chunked + "-1\r\n"), 400);
  EXPECT_EQ(status_of(chunked + "2\r\nabc\r\n"), 400);
  EXPECT_EQ(status_of(chunked + "ffffffffffffffff\r\n"), 413);
}

TEST(RequestParser, HoldsNoMoreThanItsLimits) {
  const RequestLimits limits{.head = 200, .headers = 3, .body = 10};
  EXPECT_EQ(status_of("GET /" + std::string(300, 'a'), limits), 431) << "without an end of line";
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n", limits), 431);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n", limits), 413);
  const std::string chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(status_of(chunked + "6\r\nabcdef\r\n6\r\n", limits), 413);
  EXPECT_EQ(status_of(chunked + "0\r\n" + std::string(300, 'a'), limits), 431) << "trailers too";
}

}  // namespace
}  // namespace fovea::serve
