/// For tests: a client that says exactly what it is told to, byte by byte if
/// need be.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "fovea/config/config.h"
#include "fovea/serve/sockets.h"

namespace fovea::serve {

struct ClientAnswer {
  int status = 0;  // 0: the connection was closed without an answer
  std::string head = {}, body = {};
};

class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }

  bool connected() const { return connected_; }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const long count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void close() { socket_.close(); }

  /// More of what the server sends; false when it has closed, or said nothing
  /// for 30 seconds.
  bool receive() {
    pollfd waits = {socket_.get(), POLLIN, 0};
    if (::poll(&waits, 1, 30000) <= 0) return false;
    char buffer[16384];
    const long count = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    if (count <= 0) return false;
    in_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }
  bool receive_until(std::string_view mark) {
    while (in_.find(mark) == std::string::npos) {
      if (!receive()) return false;
    }
    return true;
  }

  /// The next answer, chunks put together.
  ClientAnswer answer() {
    if (!receive_until("\r\n\r\n")) return {};
    const std::size_t end = in_.find("\r\n\r\n") + 4;
    ClientAnswer answer{.head = in_.substr(0, end)};
    answer.status = std::stoi(answer.head.substr(9, 3));
    in_.erase(0, end);
    if (answer.status == 100) return this->answer();
    if (answer.head.find("Transfer-Encoding: chunked") != std::string::npos) {
      read_chunks(answer.body);
    } else if (const std::size_t at = answer.head.find("Content-Length: ");
               at != std::string::npos) {
      const std::size_t length = std::stoul(answer.head.substr(at + 16));
      while (in_.size() < length && receive()) {
      }
      answer.body = in_.substr(0, length);
      in_.erase(0, length);
    }
    return answer;
  }

  ClientAnswer get(const std::string& path, const std::string& headers = {}) {
    send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
    return answer();
  }
  ClientAnswer post(const std::string& path, const std::string& body,
                    const std::string& headers = {}) {
    send(post_bytes(path, body, headers));
    return answer();
  }
  static std::string post_bytes(const std::string& path, const std::string& body,
                                const std::string& headers = {}) {
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

 private:
  void read_chunks(std::string& body) {
    for (;;) {
      if (!receive_until("\r\n")) return;
      const std::size_t line = in_.find("\r\n"), size = std::stoul(in_, nullptr, 16);
      while (in_.size() < line + 2 + size + 2 && receive()) {
      }
      body += in_.substr(line + 2, size);
      in_.erase(0, line + 2 + size + 2);
      if (size == 0) return;
    }
  }

  FileDescriptor socket_;
  bool connected_ = false;
  std::string in_;
};

}  // namespace fovea::serve
