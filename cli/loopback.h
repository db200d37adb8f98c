// A web server for one page of this program, reachable from this machine only (127.0.0.1). Other
// programs here may misuse it as they like: it takes a bounded amount of memory and of processor
// time, and it ends when it is told to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gopnet::cli {

struct HttpAnswer {
  int status = 200;
  std::string type;                         // Content-Type
  std::shared_ptr<const std::string> body;  // one copy for all connections
};

// Serves GET and HEAD from a thread of its own, one request a connection. Requests for another
// Host are refused, so that a page from elsewhere cannot read this one under a name of its own.
class LoopbackServer {
 public:
  // Answers a path, such as "/data.json". Called by the server's thread.
  using Handler = std::function<HttpAnswer(std::string_view path)>;

  // Begins to listen; 0 takes a free port. Throws Error if the port cannot be used.
  LoopbackServer(int port, Handler handler);
  // Closes all connections. Answers that are on their way get half a second.
  ~LoopbackServer();
  int port() const;

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace gopnet::cli
