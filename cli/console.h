// Results go to stdout, everything else to stderr.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace gopnet::cli {

// Call first. Raises a low limit of the stack as far as that is allowed; false, once a line tells
// of it, if that is not far enough for this program.
bool PrepareStack();

// Call next: a broken pipe becomes an error of the write, and closed streams are opened on
// /dev/null, or the next file that we open would get their number.
void PrepareStreams();

// Writes all of it to stdout. Ends the program quietly if nobody reads it any more (head).
void Print(const std::string& text);      // for people: control characters are spelt out
void PrintData(const std::string& data);  // for programs (JSON, CSV, a path): bytes stay in a pipe

// Columns of the terminal that this stream is; 80 if it is none.
size_t TerminalWidth(int fd);

// Writes a line to stderr; that this may fail is ignored.
void Note(const std::string& line);

// Lines on stderr, and below them one that is drawn again and again. In a pipe all are plain lines,
// and of the ones to be drawn only one every ten seconds.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine();  // ends an open line

  // May be drawn over. `more` is left out if the screen is too narrow for it.
  void Draw(const std::string& line, const std::string& more = "");
  void Line(const std::string& line);  // is not drawn over
  bool Due();                          // time for another Draw
  void RestartPause();                 // of a pipe: its next line is due ten seconds from now
  bool Continue();                     // false if there is a reason to stop, which it tells once
  bool terminal() const { return terminal_; }

 private:
  using Clock = std::chrono::steady_clock;
  const bool quiet_;
  const bool terminal_;
  bool open_ = false;  // a drawn line has no end yet
  bool told_ = false;  // that we are stopping
  Clock::time_point last_draw_;
};

std::string CountOf(int done, int total);  // "[ 31/72 ]"

}  // namespace gopnet::cli
