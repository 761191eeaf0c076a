#include "fovea/data/fetch.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>

#include "fovea/base/check.h"
#include "fovea/data/sha256.h"

namespace fovea {
namespace {

/// The file in which bytes gather. One process at a time may hold it.
class PartFile {
 public:
  explicit PartFile(const std::filesystem::path& whole)
      : whole_(whole), path_(whole.string() + ".part") {
    if (whole.has_parent_path()) std::filesystem::create_directories(whole.parent_path());
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    check(fd_ >= 0, "created");
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      ::close(fd_);
      fail(path_.string(), ": somebody else is fetching this file; wait until that has ended");
    }
  }
  ~PartFile() {
    if (!placed_ && size() == 0) remove();
    ::close(fd_);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return ::lseek(fd_, 0, SEEK_END); }
  void clear() const { check(::ftruncate(fd_, 0) == 0, "written"); }
  void remove() const { ::unlink(path_.c_str()); }

  void append(const char* data, std::size_t bytes) const {
    ::lseek(fd_, 0, SEEK_END);
    while (bytes > 0) {
      const ssize_t count = ::write(fd_, data, bytes);
      if (count < 0 && errno == EINTR) continue;
      check(count > 0, "written");
      data += count;
      bytes -= static_cast<std::size_t>(count);
    }
  }

  void put_in_place() {
    check(::fsync(fd_) == 0, "synced");
    check(::rename(path_.c_str(), whole_.c_str()) == 0, "renamed");
    placed_ = true;
  }

 private:
  void check(bool done, const char* what) const {
    FOVEA_CHECK(done, ErrorKind::bad_file, path_.string(), ": cannot be ", what, ": ",
                std::generic_category().message(errno));
  }

  std::filesystem::path whole_, path_;
  int fd_ = -1;
  bool placed_ = false;
};

enum class Outcome { whole, again };

/// One request: what is missing of the file, appended to what is here.
class Transfer {
 public:
  Transfer(const std::string& url, const PartFile& part, const FetchOptions& options)
      : url_(url), part_(part), options_(options), handle_(curl_easy_init(), &curl_easy_cleanup) {
    FOVEA_CHECK(handle_, ErrorKind::internal, "libcurl cannot be started");
  }

  Outcome run() {
    begin_ = part_.size();
    set(CURLOPT_URL, url_.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 10L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "fovea");
    set(CURLOPT_CONNECTTIMEOUT, 30L);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);  // a minute of silence is a broken connection
    set(CURLOPT_LOW_SPEED_TIME, 60L);
    set(CURLOPT_ERRORBUFFER, error_);
    set(CURLOPT_WRITEFUNCTION, &Transfer::write);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::tell);
    set(CURLOPT_XFERINFODATA, this);
    const std::string range = concat(begin_, "-");
    if (begin_ > 0) set(CURLOPT_RANGE, range.c_str());
    const CURLcode code = curl_easy_perform(handle_.get());
    if (thrown_) std::rethrow_exception(thrown_);
    return judge(code, status());
  }

  /// Why it has to be tried again.
  const std::string& trouble() const { return trouble_; }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    const CURLcode code = curl_easy_setopt(handle_.get(), option, value);
    FOVEA_CHECK(code == CURLE_OK, ErrorKind::internal, "libcurl: ", curl_easy_strerror(code));
  }

  long status() const {
    long code = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &code);
    return code;
  }

  Outcome judge(CURLcode code, long status) {
    if (code == CURLE_OK && (status == 200 || status == 206)) return Outcome::whole;
    if (code == CURLE_OK && status == 416) {  // what is here is not the beginning of what is there
      part_.clear();
      trouble_ = "the server has no such range";
      return Outcome::again;
    }
    trouble_ = code == CURLE_OK ? concat("the server answered ", status)
                                : concat(*error_ ? error_ : curl_easy_strerror(code));
    const bool busy = status >= 500 || status == 408 || status == 429;
    if (code == CURLE_OK ? busy : is_passing(code)) return Outcome::again;
    fail(url_, ": ", trouble_);
  }

  /// Troubles that may be over in a moment.
  static bool is_passing(CURLcode code) {
    switch (code) {
      case CURLE_COULDNT_RESOLVE_HOST:
      case CURLE_COULDNT_CONNECT:
      case CURLE_PARTIAL_FILE:
      case CURLE_OPERATION_TIMEDOUT:
      case CURLE_GOT_NOTHING:
      case CURLE_SEND_ERROR:
      case CURLE_RECV_ERROR:
      case CURLE_HTTP2:
      case CURLE_HTTP2_STREAM:
        return true;
      default:
        return false;
    }
  }

  /// libcurl is C: what is thrown in here is carried around it.
  template <class Action>
  bool guarded(const Action& action) {
    try {
      action();
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }

  static std::size_t write(char* data, std::size_t, std::size_t bytes, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const bool done = transfer.guarded([&] { transfer.take(data, bytes); });
    return done ? bytes : 0;
  }

  void take(const char* data, std::size_t bytes) {
    const long code = status();
    if (code != 200 && code != 206) return;  // the page that comes with an error
    if (code == 200 && begin_ > 0) {         // ranges are not known there: all from the beginning
      part_.clear();
      begin_ = 0;
    }
    part_.append(data, bytes);
  }

  static int tell(void* self, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (!transfer.options_.progress || done == 0) return 0;
    const std::int64_t all = total > 0 ? transfer.begin_ + total : transfer.options_.size;
    const bool go_on =
        transfer.guarded([&] { transfer.options_.progress(transfer.begin_ + done, all); });
    return go_on ? 0 : 1;
  }

  const std::string& url_;
  const PartFile& part_;
  const FetchOptions& options_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle_;
  std::int64_t begin_ = 0;  // bytes that were here before
  char error_[CURL_ERROR_SIZE] = {};
  std::string trouble_;
  std::exception_ptr thrown_;
};

void transfer(const std::string& url, const PartFile& part, const FetchOptions& options) {
  std::chrono::milliseconds pause = options.pause;
  for (int attempt = 1;; ++attempt, pause *= 2) {
    Transfer one(url, part, options);
    if (one.run() == Outcome::whole) return;
    FOVEA_CHECK(attempt < options.attempts, url, ": given up after ", attempt,
                " attempts: ", one.trouble(), "; ", part.size(),
                " bytes have arrived, and the next attempt goes on from there");
    std::this_thread::sleep_for(pause);
  }
}

/// What is wrong with the file that has arrived; "" if nothing is.
std::string fault(const PartFile& part, const FetchOptions& options) {
  if (options.size > 0 && part.size() != options.size) {
    return concat("expected ", options.size, " bytes, found ", part.size());
  }
  if (options.sha256.empty()) return "";
  const std::string found = sha256_of(part.path());
  return found == options.sha256 ? ""
                                 : concat("expected SHA-256 ", options.sha256, ", found ", found);
}

}  // namespace

void fetch(const std::string& url, const std::filesystem::path& path, const FetchOptions& options) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  FOVEA_CHECK(started == CURLE_OK, ErrorKind::internal, "libcurl: ", curl_easy_strerror(started));
  PartFile part(path);
  const bool resumed = part.size() > 0;
  const bool all_here = options.size > 0 && part.size() == options.size;
  if (!all_here) transfer(url, part, options);
  std::string wrong = fault(part, options);
  if (!wrong.empty() && resumed) {  // perhaps the beginning was of another version
    part.clear();
    transfer(url, part, options);
    wrong = fault(part, options);
  }
  if (!wrong.empty()) {
    part.remove();
    fail(ErrorKind::bad_file, url, ": is not the file that was expected: ", wrong,
         "; nothing was kept");
  }
  part.put_in_place();
}

}  // namespace fovea
