#include "cli/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace gopnet::cli {
namespace {

bool CanRedraw() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && term != nullptr && std::string(term) != "dumb";
}

size_t ScreenWidth() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}  // namespace

StatusLine::StatusLine(bool quiet) : quiet_(quiet), terminal_(CanRedraw()) { Rest(); }

StatusLine::~StatusLine() {
  if (open_) Line("");
}

void StatusLine::Draw(const std::string& line) {
  if (!terminal_) return Line(line);
  if (quiet_) return;
  std::fprintf(stderr, "\r\x1b[K%s", line.substr(0, ScreenWidth() - 1).c_str());
  open_ = true;
}

void StatusLine::Line(const std::string& line) {
  if (quiet_) return;
  if (open_ && !line.empty()) std::fputs("\r\x1b[K", stderr);
  std::fprintf(stderr, "%s\n", line.c_str());
  open_ = false;
}

bool StatusLine::Due() {
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
  if (quiet_ || now - last_draw_ < pause) return false;
  last_draw_ = now;
  return true;
}

void StatusLine::Rest() { last_draw_ = terminal_ ? Clock::time_point() : Clock::now(); }

std::string CountOf(int done, int total) {
  const std::string all = std::to_string(total);
  std::string text = std::to_string(done);
  text.insert(0, text.size() < all.size() ? all.size() - text.size() : 0, ' ');
  return "[ " + text + "/" + all + " ]";
}

}  // namespace gopnet::cli
