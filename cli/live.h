// The live page of a run, on this machine only: a small web server on 127.0.0.1 that reads the
// files of the folder when a browser asks for the page.
#pragma once

#include <memory>
#include <string>

namespace gopnet::cli {

class LivePage {
 public:
  // Serves the page until the destructor runs. `port` is a number, or empty for any free port.
  // Throws Error if the port is not available.
  LivePage(const std::string& folder, const std::string& port);
  // Waits a moment if a browser is watching, so that the page shows the end of the run.
  ~LivePage();
  std::string address() const;  // "http://127.0.0.1:8080/"

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace gopnet::cli
