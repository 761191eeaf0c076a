#include "fovea/serve/sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "fovea/base/check.h"

namespace fovea::serve {
namespace {

void control_epoll(int epoll, int operation, int descriptor, std::uint32_t events,
                   std::uint64_t id) {
  epoll_event event = {};
  event.events = events;
  event.data.u64 = id;
  FOVEA_CHECK(::epoll_ctl(epoll, operation, descriptor, &event) == 0, ErrorKind::internal,
              "serve: epoll: ", error_text());
}

long moved(long count) {
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? would_block : -1;
}

}  // namespace

void FileDescriptor::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

std::string error_text() { return std::strerror(errno); }

FileDescriptor listen_on(const std::string& host, int port) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  FOVEA_CHECK(failed == 0, ErrorKind::bad_setting, "serve: --host ", host, ": ",
              ::gai_strerror(failed));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, ::freeaddrinfo);
  FileDescriptor socket(
      ::socket(found->ai_family, found->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  FOVEA_CHECK(socket, ErrorKind::internal, "serve: socket: ", error_text());
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  FOVEA_CHECK(::bind(socket.get(), found->ai_addr, found->ai_addrlen) == 0 &&
                  ::listen(socket.get(), 4096) == 0,
              ErrorKind::bad_setting, "serve: cannot listen on ", host, ":", port, ": ",
              error_text(), "; another program may, give --port");
  return socket;
}

int port_of(int socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  FOVEA_CHECK(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0,
              ErrorKind::internal, "serve: getsockname: ", error_text());
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

FileDescriptor accept_from(int listener) {
  FileDescriptor socket(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket) {
    const int yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  return socket;
}

long receive_some(int socket, char* into, std::size_t size) {
  return moved(::recv(socket, into, size, 0));
}
long send_some(int socket, std::string_view bytes) {
  return moved(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
}
void shut_down_writing(int socket) { ::shutdown(socket, SHUT_WR); }

FileDescriptor epoll_descriptor() {
  FileDescriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  FOVEA_CHECK(epoll, ErrorKind::internal, "serve: epoll: ", error_text());
  return epoll;
}
void add_to_epoll(int epoll, int descriptor, std::uint32_t events, std::uint64_t id) {
  control_epoll(epoll, EPOLL_CTL_ADD, descriptor, events, id);
}
void change_in_epoll(int epoll, int descriptor, std::uint32_t events, std::uint64_t id) {
  control_epoll(epoll, EPOLL_CTL_MOD, descriptor, events, id);
}

FileDescriptor event_descriptor() {
  FileDescriptor event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  FOVEA_CHECK(event, ErrorKind::internal, "serve: eventfd: ", error_text());
  return event;
}
void signal_event(int descriptor) {
  const std::uint64_t one = 1;
  // It can only fail when it is signalled already.
  [[maybe_unused]] const auto written = ::write(descriptor, &one, sizeof one);
}
void clear_event(int descriptor) {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto read = ::read(descriptor, &count, sizeof count);
}

std::size_t allowed_descriptors(std::size_t wanted) {
  rlimit limit = {};
  FOVEA_CHECK(::getrlimit(RLIMIT_NOFILE, &limit) == 0, ErrorKind::internal,
              "serve: getrlimit: ", error_text());
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace fovea::serve
