/// Files from the web, by libcurl.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace fovea {

struct FetchOptions {
  std::string sha256 = {};  // of the whole file; empty is not checked
  std::int64_t size = 0;    // in bytes; 0 is not known
  /// Called now and then with the bytes that are here and those there will be (0: not known). May
  /// throw, which ends the fetching; what has arrived is kept for the next time.
  std::function<void(std::int64_t done, std::int64_t total)> progress = {};
  int attempts = 5;  // when the connection breaks or the server is busy
  std::chrono::milliseconds pause{
      1000};  // before the second attempt, and twice that before the next
};

/// Fetches to `path`, which appears when it is whole and right. Until then bytes gather in
/// "<path>.part", and the next attempt, or the next run, goes on from there. Throws an Error that
/// says what the server answered, or which checksum was found; a file that is wrong is not kept.
void fetch(const std::string& url, const std::filesystem::path& path,
           const FetchOptions& options = {});

}  // namespace fovea
