// A web server for one page of this program, reachable from this machine only (127.0.0.1). Local
// programs cannot harm a run through it: its memory and processor time are bounded, and it stops
// when asked.
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

// Serves GET and HEAD in its own thread, one request per connection. It refuses requests with
// another Host header, so that a web page cannot read this one under its own name (DNS rebinding).
class LoopbackServer {
 public:
  // Answers a path, such as "/data.json". The server's thread calls it.
  using Handler = std::function<HttpAnswer(std::string_view path)>;

  // Starts to listen; 0 stands for any free port. Throws Error if the port is not available.
  LoopbackServer(int port, Handler handler);
  // Closes all connections. Answers in progress get half a second.
  ~LoopbackServer();
  int port() const;

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace gopnet::cli
