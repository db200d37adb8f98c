// Output of the program: results go to stdout, everything else goes to stderr.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace gopnet::cli {

// Call first. Raises a low stack limit as far as the system allows. Prints a line and returns false
// if that is too low for this program.
bool PrepareStack();

// Call next. Makes a broken pipe an error of the write, and opens closed standard streams on
// /dev/null: otherwise the next file that we open would get their descriptor.
void PrepareStreams();

// Write the whole text to stdout. They end the program quietly if the reader has gone (as head
// does).
void Print(const std::string& text);      // for people: escapes control characters
void PrintData(const std::string& data);  // for programs (JSON, CSV): escapes in a terminal only

// Columns of the terminal; 80 if the stream is not a terminal.
size_t TerminalWidth(int fd);

// Writes a line to stderr and ignores failures.
void Note(const std::string& line);

// Prints lines on stderr and, below them, a status line that it redraws. Where stderr is not a
// terminal, it prints the status as a plain line, at most every ten seconds.
class StatusLine {
 public:
  explicit StatusLine(bool quiet);
  ~StatusLine();  // ends an open line

  // Redraws the status line, without `more` if the screen is too narrow for it.
  void Draw(const std::string& line, const std::string& more = "");
  void Line(const std::string& line);  // prints a line that stays
  bool Due();                          // it is time for another Draw
  void RestartPause();                 // in a pipe, the next status is due ten seconds from now
  bool Continue();                     // false if there is a reason to stop; announces it once
  bool terminal() const { return terminal_; }

 private:
  using Clock = std::chrono::steady_clock;
  const bool quiet_;
  const bool terminal_;
  bool open_ = false;  // the status line is on the screen
  bool announced_stop_ = false;
  Clock::time_point last_draw_;
};

std::string CountOf(int done, int total);  // "[ 31/72 ]"

}  // namespace gopnet::cli
