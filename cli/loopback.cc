#include "cli/loopback.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <list>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/text.h"

namespace gopnet::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The server visits its connections once per round and accepts one more, so clients that ask in a
// loop get 20 answers per second in total.
constexpr milliseconds kRound(50);
constexpr size_t kMaxConnections = 128;
constexpr size_t kMaxRequest = 16384;     // bytes; a browser may send many cookies
constexpr milliseconds kDeadline(10000);  // for the request, and again for the answer
constexpr milliseconds kLastRound(5), kLastAnswers(500);

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() { Close(); }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

struct Request {
  std::string_view method, path, host;
  bool valid = false;
};

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

bool IsHost(std::string_view name) {
  return std::ranges::equal(name, std::string_view("host"), {},
                            [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
}

// `text` ends with the blank line after the headers.
Request ParseRequest(std::string_view text) {
  const auto take = [&text](std::string_view end) {
    const size_t at = text.find(end);
    const std::string_view found = text.substr(0, at);
    text.remove_prefix(at == text.npos ? text.size() : at + end.size());
    return found;
  };
  Request request;
  std::string_view line = take("\r\n");
  const size_t first = line.find(' '), last = line.rfind(' ');
  request.valid = first != last && line.substr(last + 1).starts_with("HTTP/1.");
  if (!request.valid) return request;
  request.method = line.substr(0, first);
  request.path = line.substr(first + 1, last - first - 1);
  request.path = request.path.substr(0, request.path.find('?'));
  int hosts = 0;
  while (!(line = take("\r\n")).empty()) {
    const size_t colon = line.find(':');
    if (!IsHost(line.substr(0, colon)) || colon == line.npos) continue;
    request.host = Trimmed(line.substr(colon + 1));
    ++hosts;
  }
  request.valid = hosts == 1;
  return request;
}

HttpAnswer Refusal(int status) {
  return {status, "text/plain", std::make_shared<const std::string>("refused\n")};
}

const char* Reason(int status) {
  static const std::map<int, const char*> reasons = {{200, "OK"},
                                                     {400, "Bad Request"},
                                                     {403, "Forbidden"},
                                                     {404, "Not Found"},
                                                     {405, "Method Not Allowed"},
                                                     {431, "Request Header Fields Too Large"},
                                                     {503, "Service Unavailable"}};
  return reasons.at(status);
}

struct Connection {
  Socket socket;
  Clock::time_point deadline;
  std::string request = {};
  std::string head = {};  // of the answer; empty while the request is read
  std::shared_ptr<const std::string> body = nullptr;
  size_t sent = 0;  // of head and body

  bool answered() const { return !head.empty(); }
  bool sending() const { return sent < head.size() + (body ? body->size() : 0); }
};

bool WouldBlock() { return errno == EAGAIN || errno == EINTR; }

// Reads the bytes that have arrived and, after the request, discards them. False: the client has
// gone.
bool Receive(Connection& c) {
  char bytes[4096];
  const ssize_t count = recv(c.socket.fd(), bytes, sizeof bytes, 0);
  if (count > 0 && !c.answered()) c.request.append(bytes, static_cast<size_t>(count));
  return count > 0 || (count < 0 && WouldBlock());
}

// Sends as much as the socket accepts. False: the client has gone.
bool Send(Connection& c) {
  while (c.sending()) {
    const bool in_head = c.sent < c.head.size();
    std::string_view rest = in_head ? c.head : *c.body;
    rest.remove_prefix(in_head ? c.sent : c.sent - c.head.size());
    const ssize_t count = send(c.socket.fd(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0) return WouldBlock();
    c.sent += static_cast<size_t>(count);
  }
  shutdown(c.socket.fd(), SHUT_WR);  // close() alone may discard bytes that the client has not read
  return true;
}

Socket Listen(int port) {
  Socket listener(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;  // the next run may use the same port at once
  setsockopt(listener.fd(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* place = reinterpret_cast<const sockaddr*>(&address);
  if (bind(listener.fd(), place, sizeof address) != 0 || listen(listener.fd(), SOMAXCONN) != 0)
    Fail("--port: {} is not available on 127.0.0.1; omit --port to use any free port",
         port == 0 ? "no port" : std::to_string(port));
  return listener;
}

int PortOf(const Socket& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

}  // namespace

struct LoopbackServer::Loop {
  Loop(int asked_port, Handler answers)
      : handler(std::move(answers)), listener(Listen(asked_port)), port(PortOf(listener)) {}

  void Run() {
    for (; !stopping; std::this_thread::sleep_for(kRound)) Serve();
    Serve();  // who came since the last round
    listener.Close();
    const Clock::time_point end = Clock::now() + kLastAnswers;
    while (Clock::now() < end && DropIdle() > 0) {
      std::this_thread::sleep_for(kLastRound);
      Round();
    }
  }

  void Serve() try {
    Accept();
    Round();
  } catch (const std::exception&) {  // out of memory: keep the run, drop its page
    connections.clear();
  }

  void Accept() {
    if (connections.size() == kMaxConnections) return;
    Socket socket(accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.fd() >= 0) connections.push_back({std::move(socket), Clock::now() + kDeadline});
  }

  void Round() {
    const Clock::time_point now = Clock::now();
    std::erase_if(connections, [&](Connection& c) { return !Step(c) || now > c.deadline; });
  }

  // Returns the number of connections that still receive an answer.
  size_t DropIdle() {
    std::erase_if(connections, [](const Connection& c) { return !c.sending(); });
    return connections.size();
  }

  // False: the connection has ended.
  bool Step(Connection& c) {
    if (c.sending()) return Send(c);
    if (!Receive(c)) return false;
    if (c.answered()) return true;  // the client closes it
    const size_t end = c.request.find("\r\n\r\n");
    if (end == std::string::npos && c.request.size() < kMaxRequest) return true;
    const Request request = ParseRequest(std::string_view(c.request).substr(0, end));
    const HttpAnswer answer = end == std::string::npos ? Refusal(431) : AnswerTo(request);
    c.head = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "Content-Security-Policy: frame-ancestors 'none'\r\n\r\n",
        answer.status, Reason(answer.status), answer.type, answer.body->size());
    if (request.method != "HEAD") c.body = answer.body;
    c.request = {};
    c.deadline = Clock::now() + kDeadline;  // does not count the time to make the answer
    return Send(c);
  }

  HttpAnswer AnswerTo(const Request& request) {
    if (!request.valid) return Refusal(400);
    const std::string suffix = port == 80 ? "" : fmt::format(":{}", port);
    if (request.host != "127.0.0.1" + suffix && request.host != "localhost" + suffix)
      return Refusal(403);
    if (request.method != "GET" && request.method != "HEAD") return Refusal(405);
    return handler(request.path);
  }

  const Handler handler;
  Socket listener;
  const int port;
  std::list<Connection> connections;
  std::atomic<bool> stopping = false;
  std::thread thread;
};

LoopbackServer::LoopbackServer(int port, Handler handler) try
    : loop_(std::make_unique<Loop>(port, std::move(handler))) {
  loop_->thread = std::thread([this] { loop_->Run(); });
} catch (const std::system_error& e) {
  Fail("cannot serve the live page: {}", e.code().message());
}

LoopbackServer::~LoopbackServer() {
  loop_->stopping = true;
  loop_->thread.join();
}

int LoopbackServer::port() const { return loop_->port; }

}  // namespace gopnet::cli
