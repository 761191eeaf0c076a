#include "fovea/serve/http_front.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "fovea/base/check.h"
#include "fovea/serve/sockets.h"

namespace fovea::serve {
namespace {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

Time after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

/// Bytes on their way from any thread to a connection.
struct Message {
  std::uint64_t connection = 0;
  std::string bytes;
  bool last = false;  // the answer is whole
  bool stream = false;
};

/// Outlives the front, if an answer comes too late.
struct Outbox {
  std::mutex mutex;
  std::vector<Message> messages;
  FileDescriptor wake = event_descriptor();
  std::atomic<bool> stop{false};

  void post(Message message) {
    bool first = false;
    {
      const std::lock_guard lock(mutex);
      first = messages.empty();
      messages.push_back(std::move(message));
    }
    if (first) signal_event(wake.get());
  }
  std::vector<Message> take() {
    const std::lock_guard lock(mutex);
    return std::exchange(messages, {});
  }
};

/// One thread answers at a time, but the front may have something to say, too.
struct Reply::Shared {
  Shared(std::shared_ptr<Outbox> to, std::uint64_t whose, HttpManner how)
      : outbox(std::move(to)), connection(whose), manner(how) {}
  ~Shared() {
    if (ended) return;
    const HttpResponse failed = {.status = 500,
                                 .body = R"({"error": {"message": "no answer was given"}})"};
    post(begun ? stream_end(manner) : to_bytes(failed, manner), true);
  }
  void post(std::string bytes, bool last) {
    ended = ended || last;
    if (!*gone) outbox->post({connection, std::move(bytes), last, begun});
  }
  void begin(const HttpResponse& response) {
    begun = true;
    events = response.type == "text/event-stream";
    post(stream_head(response, manner), false);
  }
  void write(std::string_view bytes) {
    if (!bytes.empty()) post(stream_piece(bytes, manner), false);
  }
  /// Says that a stream of events goes on.
  void keep_alive() {
    const std::lock_guard lock(mutex);
    if (ended) return;
    if (!begun && expected) begin(*expected);
    if (events) write(": still here\n\n");
  }

  std::mutex mutex;
  std::shared_ptr<Outbox> outbox;
  std::uint64_t connection;
  HttpManner manner;
  std::shared_ptr<std::atomic<bool>> gone = std::make_shared<std::atomic<bool>>(false);
  std::optional<HttpResponse> expected;
  bool begun = false, events = false, ended = false;
};

bool Reply::send(HttpResponse response) const {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->begun) return false;
  shared_->post(to_bytes(response, shared_->manner), true);
  return true;
}
void Reply::begin(HttpResponse response) const {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->begun) return shared_->write(response.body);
  shared_->begin(response);
}
void Reply::expect(HttpResponse head) const {
  const std::lock_guard lock(shared_->mutex);
  shared_->expected = std::move(head);
}
void Reply::write(std::string_view bytes) const {
  const std::lock_guard lock(shared_->mutex);
  shared_->write(bytes);
}
void Reply::end() const {
  const std::lock_guard lock(shared_->mutex);
  shared_->post(stream_end(shared_->manner), true);
}
bool Reply::begun() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->begun;
}
bool Reply::gone() const { return *shared_->gone; }

struct Connection {
  Connection(FileDescriptor descriptor, std::uint64_t number, const RequestLimits& limits)
      : socket(std::move(descriptor)), id(number), parser(limits) {}

  FileDescriptor socket;
  std::uint64_t id;
  RequestParser parser;
  std::string in;   // came, but is not read yet: a request at a time
  std::string out;  // not sent yet
  std::size_t sent = 0;
  std::shared_ptr<std::atomic<bool>>
      gone;  // while a request is being answered: who does looks there
  std::weak_ptr<Reply::Shared> reply;
  Time spoken;               // when something was last said of the answer
  bool close_after = false;  // when all is sent
  bool lingers = false;      // all is sent; only waits for the client to close
  std::uint32_t events = 0;
  Time since = Clock::now(), deadline;

  bool answering() const { return gone != nullptr; }
  std::size_t unsent() const { return out.size() - sent; }
  bool waits() const { return !answering() && unsent() == 0 && !lingers; }
};

class HttpFront::Loop {
 public:
  Loop(FrontConfig config, Handler handler, Refusal refusal)
      : config_(std::move(config)),
        handler_(std::move(handler)),
        refusal_(std::move(refusal)),
        listener_(listen_on(config_.host, config_.port)),
        port_(port_of(listener_.get())),
        epoll_(epoll_descriptor()),
        outbox_(std::make_shared<Outbox>()) {
    constexpr std::size_t spare = 64;  // for files and what else is open
    config_.connections =
        std::min(config_.connections, allowed_descriptors(config_.connections + spare) - spare);
    add_to_epoll(epoll_.get(), listener_.get(), EPOLLIN, listener_id);
    add_to_epoll(epoll_.get(), outbox_->wake.get(), EPOLLIN, wake_id);
  }
  ~Loop() {
    for (auto& [id, connection] : connections_) forget(*connection);
  }

  int port() const { return port_; }
  const Counts& counts() const { return counts_; }
  void stop() {
    outbox_->stop = true;
    signal_event(outbox_->wake.get());
  }

  void run() {
    Time swept = Clock::now();
    Time drained = Time::max();
    while (!draining_ || !connections_.empty()) {
      epoll_event events[256];
      const int count = ::epoll_wait(epoll_.get(), events, 256, 250);
      FOVEA_CHECK(count >= 0 || errno == EINTR, ErrorKind::internal,
                  "serve: epoll: ", error_text());
      for (int i = 0; i < count; ++i) dispatch(events[i]);
      deliver();
      if (outbox_->stop && !draining_) {
        drain();
        drained = after(config_.drain_seconds);
      }
      if (Clock::now() - swept > std::chrono::milliseconds(250)) {
        sweep();
        swept = Clock::now();
      }
      if (Clock::now() > drained) break;
    }
    for (auto& [id, connection] : connections_) forget(*connection);
    connections_.clear();
  }

 private:
  static constexpr std::uint64_t listener_id = 0, wake_id = 1;

  void dispatch(const epoll_event& event) {
    if (event.data.u64 == listener_id) return accept_all();
    if (event.data.u64 == wake_id) return clear_event(outbox_->wake.get());
    const auto at = connections_.find(event.data.u64);
    if (at == connections_.end()) return;
    Connection& connection = *at->second;
    const bool readable = (event.events & EPOLLIN) != 0;
    const bool hung_up = (event.events & (EPOLLHUP | EPOLLERR)) != 0 ||
                         ((event.events & EPOLLRDHUP) != 0 && connection.answering());
    if (hung_up && !readable) return close(connection);
    if ((event.events & EPOLLOUT) != 0) {
      if (flush(connection)) read_requests(connection);  // what came meanwhile
      return;
    }
    if (readable) receive(connection);
  }

  void accept_all() {
    for (;;) {
      FileDescriptor socket = accept_from(listener_.get());
      if (!socket) return;
      ++counts_.accepted;
      if (connections_.size() >= config_.connections && !make_room()) {
        ++counts_.refused;
        HttpResponse full = refusal_({503, "too many connections are open; try again"});
        full.headers.emplace_back("Retry-After", "1");
        send_some(socket.get(), to_bytes(full, {.keep_alive = false}));
        continue;
      }
      const std::uint64_t id = next_id_++;
      auto connection = std::make_unique<Connection>(std::move(socket), id, config_.limits);
      connection->deadline = after(config_.idle_seconds);
      connection->events = EPOLLIN;
      add_to_epoll(epoll_.get(), connection->socket.get(), connection->events, id);
      connections_.emplace(id, std::move(connection));
      counts_.open = static_cast<std::int64_t>(connections_.size());
    }
  }

  /// Lets the connection go that has said nothing for longest, or else the one
  /// that takes longest to say something.
  bool make_room() {
    Connection* found = nullptr;
    for (const auto& [id, one] : connections_) {
      if (!one->waits()) continue;
      const bool slow = !one->parser.idle();
      if (slow && Clock::now() - one->since < std::chrono::seconds(1)) continue;
      const bool better = !found || (found->parser.idle() ? 1 : 0) < (slow ? 0 : 1) ||
                          (found->parser.idle() == !slow && one->since < found->since);
      if (better) found = one.get();
    }
    if (found) close(*found);
    return found != nullptr;
  }

  void receive(Connection& connection) {
    char buffer[64 << 10];
    const long count = receive_some(connection.socket.get(), buffer, sizeof buffer);
    if (count == would_block) return;
    if (count <= 0) return close(connection);
    if (connection.lingers) return;  // nobody listens
    connection.in.append(buffer, static_cast<std::size_t>(count));
    read_requests(connection);
  }

  void read_requests(Connection& connection) {
    if (connection.answering() || connection.close_after || connection.lingers) return;
    if (connection.unsent() > 0) return;  // who takes no answers asks no more
    try {
      if (connection.parser.idle() && !connection.in.empty()) {
        connection.since = Clock::now();
        connection.deadline = after(config_.read_seconds);
      }
      const std::size_t taken = connection.parser.read(connection.in);
      connection.in.erase(0, taken);
      if (connection.parser.take_expectation() && !connection.parser.done()) {
        connection.out += "HTTP/1.1 100 Continue\r\n\r\n";
      }
      if (connection.parser.done()) hand_on(connection);
    } catch (const HttpError& error) {
      ++counts_.malformed;
      refuse(connection, error);
    }
    flush(connection);
  }

  void hand_on(Connection& connection) {
    HttpRequest request = connection.parser.take();
    if (config_.own_names && !request.for_this_machine()) {
      throw HttpError{403, "this server answers to localhost and to addresses, not to other names"};
    }
    // To HTTP/1.0 only its end tells where a stream ends.
    const bool keep_alive = request.keep_alive && !request.http10 && !outbox_->stop;
    const HttpManner manner = {
        .keep_alive = keep_alive, .http10 = request.http10, .head_only = request.method == "HEAD"};
    connection.close_after = !manner.keep_alive;
    auto shared = std::make_shared<Reply::Shared>(outbox_, connection.id, manner);
    connection.gone = shared->gone;
    connection.reply = shared;
    connection.spoken = Clock::now();
    handler_(std::move(request), Reply(std::move(shared)));
  }

  void refuse(Connection& connection, HttpError error) {
    error.path = connection.parser.path();
    connection.out += to_bytes(refusal_(error), {.keep_alive = false});
    connection.close_after = true;
  }

  void deliver() {
    for (Message& message : outbox_->take()) {
      const auto at = connections_.find(message.connection);
      if (at == connections_.end()) continue;
      Connection& connection = *at->second;
      connection.out += message.bytes;
      connection.spoken = Clock::now();
      if (message.last) end_of_answer(connection);
      if (message.stream && connection.unsent() > config_.unsent) {
        close(connection);
        continue;
      }
      if (!flush(connection) || !message.last || connection.close_after) continue;
      read_requests(connection);  // what came meanwhile
    }
  }

  void end_of_answer(Connection& connection) {
    connection.gone.reset();
    connection.reply.reset();
    connection.since = Clock::now();
    connection.deadline = after(config_.idle_seconds);
    if (draining_) connection.close_after = true;
  }

  /// Sends what can be sent. False if the connection is gone afterwards.
  bool flush(Connection& connection) {
    const bool was_empty = connection.unsent() == 0;
    while (connection.unsent() > 0) {
      const long count = send_some(connection.socket.get(),
                                   std::string_view(connection.out).substr(connection.sent));
      if (count == would_block) break;
      if (count < 0) {
        close(connection);
        return false;
      }
      connection.sent += static_cast<std::size_t>(count);
      connection.deadline = after(config_.write_seconds);
    }
    if (connection.unsent() > 0) {
      if (was_empty) connection.deadline = after(config_.write_seconds);
    } else {
      connection.out.clear();
      connection.sent = 0;
      if (!connection.answering() && !connection.close_after && connection.parser.idle()) {
        connection.deadline = after(config_.idle_seconds);
      }
      if (connection.close_after && !connection.answering() && !connection.lingers) {
        return linger(connection);
      }
    }
    update_events(connection);
    return true;
  }

  /// A socket that is closed while bytes of its client are unread takes the
  /// answer with it (RFC 9112, 9.6): the client is to close first, soon.
  bool linger(Connection& connection) {
    constexpr double seconds = 2;
    connection.lingers = true;
    connection.deadline = after(seconds);
    shut_down_writing(connection.socket.get());
    update_events(connection);
    return true;
  }

  void update_events(Connection& connection) {
    // Told until it is heeded, so only where it matters that nobody waits any more.
    std::uint32_t events = 0;
    if (connection.answering()) events |= EPOLLRDHUP;
    if (!connection.answering() && !connection.close_after && connection.unsent() == 0) {
      events |= EPOLLIN;
    }
    if (connection.lingers) events = EPOLLIN;
    if (connection.unsent() > 0) events |= EPOLLOUT;
    if (events == connection.events) return;
    connection.events = events;
    change_in_epoll(epoll_.get(), connection.socket.get(), events, connection.id);
  }

  void sweep() {
    const Time now = Clock::now();
    const std::chrono::duration<double> silence(config_.silent_seconds);
    std::vector<Connection*> late;
    for (const auto& [id, one] : connections_) {
      const bool limited = !one->answering() || one->unsent() > 0;
      if (limited && one->deadline < now) late.push_back(one.get());
      if (one->answering() && one->unsent() == 0 && now - one->spoken > silence) {
        if (const auto reply = one->reply.lock()) reply->keep_alive();
        one->spoken = now;
      }
    }
    for (Connection* one : late) {
      if (one->waits() && !one->parser.idle() && !one->close_after) {
        ++counts_.timed_out;
        refuse(*one,
               {408, "the request did not arrive in " +
                         std::to_string(static_cast<long>(config_.read_seconds)) + " seconds"});
        flush(*one);
      } else {
        if (one->unsent() > 0) ++counts_.timed_out;
        close(*one);
      }
    }
  }

  /// No more connections and requests. Requests that have arrived are still
  /// read.
  void drain() {
    accept_all();
    draining_ = true;
    listener_.close();
    std::vector<std::uint64_t> ids;
    for (const auto& [id, one] : connections_) {
      if (one->waits()) ids.push_back(id);
    }
    for (const std::uint64_t id : ids) {
      if (const auto at = connections_.find(id); at != connections_.end()) receive(*at->second);
      const auto at = connections_.find(id);
      if (at != connections_.end() && at->second->waits()) close(*at->second);
    }
    deliver();
  }

  static void forget(Connection& connection) {
    if (connection.gone) *connection.gone = true;
  }
  void close(Connection& connection) {
    forget(connection);
    connections_.erase(connection.id);
    counts_.open = static_cast<std::int64_t>(connections_.size());
  }

  FrontConfig config_;
  Handler handler_;
  Refusal refusal_;
  FileDescriptor listener_;
  int port_;
  FileDescriptor epoll_;
  std::shared_ptr<Outbox> outbox_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::uint64_t next_id_ = 2;
  bool draining_ = false;
  Counts counts_;
};

HttpFront::HttpFront(FrontConfig config, Handler handler, Refusal refusal)
    : loop_(std::make_unique<Loop>(std::move(config), std::move(handler), std::move(refusal))) {}
HttpFront::~HttpFront() = default;
int HttpFront::port() const { return loop_->port(); }
const HttpFront::Counts& HttpFront::counts() const { return loop_->counts(); }
void HttpFront::run() { loop_->run(); }
void HttpFront::stop() { loop_->stop(); }

}  // namespace fovea::serve
