#include "fovea/data/fetch.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <thread>

#include "fovea/data/data_testing.h"
#include "fovea/data/sha256.h"

namespace fovea {
namespace {

/// A server on this machine that serves a text well and badly.
class FetchTest : public FolderTest {
 protected:
  FetchTest() : path_(folder_ / "deep" / "file") {
    for (int i = 0; i < 20000; ++i) text_ += concat(i, " ");
    sha256_ = sha256_of(write("original", text_));
    serve();
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~FetchTest() override {
    server_.stop();
    thread_.join();
  }

  void serve() {
    const auto ranged = [this](const httplib::Request& request, httplib::Response& response) {
      ++requests_;
      resumed_ += request.has_header("Range");
      response.set_content(text_, "text/plain");  // the library cuts out the range
    };
    server_.Get("/good", ranged);
    server_.Get("/moved", [](const auto&, auto& response) { response.set_redirect("/good"); });
    server_.Get("/busy", [this, ranged](const auto& request, auto& response) {
      if (requests_ < 2)
        ++requests_, response.status = 503;
      else
        ranged(request, response);
    });
    // Breaks off after half of what was asked for, three times.
    server_.Get("/breaking", [this](const httplib::Request& request, httplib::Response& response) {
      const bool broken = ++requests_ <= 3;
      resumed_ += request.has_header("Range");
      response.set_content_provider(
          text_.size(), "text/plain",
          [this, broken](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            sink.write(text_.data() + offset, broken ? length / 2 : length);
            return !broken;
          });
    });
    // Knows nothing of ranges, and the first time breaks off.
    server_.Get("/whole", [this](httplib::Request const& request, httplib::Response& response) {
      const bool broken = ++requests_ == 1;
      resumed_ += request.has_header("Range");
      const_cast<httplib::Request&>(request).ranges.clear();
      response.set_content_provider(
          text_.size(), "text/plain", [this, broken](std::size_t, std::size_t, auto& sink) {
            sink.write(text_.data(), broken ? text_.size() / 2 : text_.size());
            return !broken;
          });
    });
  }

  std::string url(const std::string& name) const {
    return concat("http://127.0.0.1:", port_, "/", name);
  }
  FetchOptions checked() const {
    FetchOptions options;
    options.sha256 = sha256_;
    options.size = static_cast<std::int64_t>(text_.size());
    options.pause = std::chrono::milliseconds(1);
    return options;
  }
  std::string message_of_fetching(const std::string& name, const FetchOptions& options) {
    return message_of([&] { fetch(url(name), path_, options); });
  }
  void expect_nothing_kept() const {
    EXPECT_FALSE(std::filesystem::exists(path_));
    EXPECT_FALSE(std::filesystem::exists(path_.string() + ".part"));
  }

  std::filesystem::path path_;
  std::string text_, sha256_;
  httplib::Server server_;
  std::atomic<int> requests_ = 0, resumed_ = 0;
  int port_ = 0;
  std::thread thread_;
};

TEST_F(FetchTest, Fetches) {
  std::int64_t last = 0;
  FetchOptions options = checked();
  options.progress = [&](std::int64_t done, std::int64_t total) {
    EXPECT_GE(done, last);
    EXPECT_EQ(total, static_cast<std::int64_t>(text_.size()));
    last = done;
  };
  fetch(url("good"), path_, options);
  EXPECT_EQ(bytes_of(path_), text_);
  EXPECT_EQ(last, static_cast<std::int64_t>(text_.size()));
  EXPECT_FALSE(std::filesystem::exists(path_.string() + ".part"));
}

TEST_F(FetchTest, FetchesWhatIsNotKnownBeforehand) {
  fetch(url("moved"), path_);
  EXPECT_EQ(bytes_of(path_), text_);
}

TEST_F(FetchTest, GoesOnFromWhatIsThere) {
  write("deep/file.part", text_.substr(0, 5000));
  fetch(url("good"), path_, checked());
  EXPECT_EQ(bytes_of(path_), text_);
  EXPECT_EQ(resumed_, 1);
  EXPECT_EQ(requests_, 1);
}

TEST_F(FetchTest, AsksForNothingIfAllIsThere) {
  write("deep/file.part", text_);
  fetch(url("good"), path_, checked());
  EXPECT_EQ(bytes_of(path_), text_);
  EXPECT_EQ(requests_, 0);
}

TEST_F(FetchTest, BeginsAnewIfWhatIsThereIsOfAnotherFile) {
  write("deep/file.part", std::string(5000, 'x'));
  fetch(url("good"), path_, checked());
  EXPECT_EQ(bytes_of(path_), text_);
  write("deep/file.part", text_ + "and more");  // the range does not exist
  fetch(url("good"), path_, checked());
  EXPECT_EQ(bytes_of(path_), text_);
}

TEST_F(FetchTest, GoesOnWhenTheConnectionBreaks) {
  fetch(url("breaking"), path_, checked());
  EXPECT_EQ(bytes_of(path_), text_);
  EXPECT_EQ(requests_, 4);
  EXPECT_EQ(resumed_, 3);
}

TEST_F(FetchTest, BearsServersWithoutRanges) {
  fetch(url("whole"), path_, checked());
  EXPECT_EQ(bytes_of(path_), text_);
  EXPECT_EQ(resumed_, 1);
}

TEST_F(FetchTest, WaitsForBusyServers) {
  fetch(url("busy"), path_, checked());
  EXPECT_EQ(bytes_of(path_), text_);
}

TEST_F(FetchTest, GivesUpInTheEndButKeepsWhatHasArrived) {
  FetchOptions options = checked();
  options.attempts = 2;
  expect_says(message_of_fetching("breaking", options),
              {"given up after 2 attempts", "bytes have"});
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_GT(std::filesystem::file_size(path_.string() + ".part"), text_.size() / 2);
  fetch(url("good"), path_, options);
  EXPECT_EQ(bytes_of(path_), text_);
}

TEST_F(FetchTest, KeepsNothingThatIsWrong) {
  FetchOptions options = checked();
  options.sha256 = std::string(64, '0');
  expect_says(message_of_fetching("good", options),
              {url("good"), "expected SHA-256 " + options.sha256, "found " + sha256_});
  expect_nothing_kept();
  options = checked();
  options.size = 7;
  expect_says(message_of_fetching("good", options), {"expected 7 bytes, found"});
  expect_nothing_kept();
}

TEST_F(FetchTest, SaysWhatTheServerAnswered) {
  expect_says(message_of_fetching("missing", checked()), {url("missing"), "answered 404"});
  expect_nothing_kept();
  expect_says(message_of([&] { fetch("file:///etc/passwd", path_); }), {"file:///etc/passwd"});
  expect_nothing_kept();
}

TEST_F(FetchTest, StopsWhenTheCallerDoes) {
  FetchOptions options = checked();
  options.progress = [](std::int64_t, std::int64_t) { fail("stopped by hand"); };
  EXPECT_EQ(message_of_fetching("good", options), "stopped by hand");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(FetchTest, KnowsSha256) {  // FIPS 180-2, appendix B.1
  EXPECT_EQ(sha256_of(write("abc", "abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace fovea
