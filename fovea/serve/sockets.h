/// What the front needs of Linux: sockets that never block, epoll, a descriptor
/// to wake it by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace fovea::serve {

/// A descriptor that is closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  void close();

 private:
  int descriptor_ = -1;
};

/// What errno says.
std::string error_text();

/// Throws an Error that names host and port and what to do, if it cannot.
FileDescriptor listen_on(const std::string& host, int port);
int port_of(int socket);
/// The next connection; none if nobody waits.
FileDescriptor accept_from(int listener);

/// Bytes that were moved; 0 when the other side has closed; would_block, or
/// another number below 0.
constexpr long would_block = -2;
long receive_some(int socket, char* into, std::size_t size);
long send_some(int socket, std::string_view bytes);
void shut_down_writing(int socket);

FileDescriptor epoll_descriptor();
void add_to_epoll(int epoll, int descriptor, std::uint32_t events, std::uint64_t id);
void change_in_epoll(int epoll, int descriptor, std::uint32_t events, std::uint64_t id);

/// To wake who waits for it; signal_event may be called in a signal handler.
FileDescriptor event_descriptor();
void signal_event(int descriptor);
void clear_event(int descriptor);

/// Asks the system to allow so many open descriptors; how many it allows.
std::size_t allowed_descriptors(std::size_t wanted);

}  // namespace fovea::serve
