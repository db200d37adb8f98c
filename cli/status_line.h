// Lines on stderr, and below them one that is drawn again and again. In a pipe all are plain lines,
// and of the ones to be drawn only one every ten seconds.
#pragma once

#include <chrono>
#include <string>

namespace gopnet::cli {

class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine();  // ends an open line

  void Draw(const std::string& line);  // may be drawn over
  void Line(const std::string& line);  // stays
  bool Due();                          // time for another Draw
  void Rest();                         // a pipe waits its ten seconds from now on
  bool terminal() const { return terminal_; }

 private:
  using Clock = std::chrono::steady_clock;
  const bool quiet_;
  const bool terminal_;
  bool open_ = false;  // a drawn line has no end yet
  Clock::time_point last_draw_;
};

std::string CountOf(int done, int total);  // "[ 31/72 ]"

}  // namespace gopnet::cli
