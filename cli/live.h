// The page of a run while it trains, on this machine only: a small web server on 127.0.0.1 that
// answers from the files of the folder when somebody asks, and does nothing else.
#pragma once

#include <memory>
#include <string>

namespace gopnet::cli {

class LivePage {
 public:
  // Serves until it is destroyed. `port` is a number, or empty for a free one. Throws Error if the
  // port is taken.
  LivePage(const std::string& folder, const std::string& port);
  // Waits a moment if somebody is watching, so that the page sees the end of the run.
  ~LivePage();
  std::string address() const;  // "http://127.0.0.1:8080/"

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace gopnet::cli
