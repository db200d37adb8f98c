#include "cli/console.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "cli/ending.h"
#include "cli/text.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {
namespace {

bool CanRedraw() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && term != nullptr && std::string(term) != "dumb";
}

// Like Printable, but keeps line ends and tabs.
std::string PrintableLines(const std::string& text) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of("\n\t", at), text.size());
    shown += Printable(text.substr(at, end - at));
    if (end < text.size()) shown += text[end];
    at = end + 1;
  }
  return shown;
}

// Repeats partial and interrupted writes. Returns false, with the reason in errno, on failure.
bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return false;
    bytes.remove_prefix(n < 0 ? 0 : static_cast<size_t>(n));
  }
  return true;
}

void Output(const std::string& text) {
  if (WriteAll(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) std::_Exit(0);
  Fail("standard output: {}", std::strerror(errno));
}

}  // namespace

bool PrepareStack() {
  constexpr rlim_t kGoal = rlim_t{8} << 20, kMin = rlim_t{256} << 10;
  rlimit limit = {};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kGoal) return true;
  limit.rlim_cur = std::min(kGoal, limit.rlim_max);
  pthread_attr_t threads;  // the default size of their stacks is the old limit
  if (pthread_attr_init(&threads) == 0 && pthread_attr_setstacksize(&threads, kGoal) == 0)
    pthread_setattr_default_np(&threads);
  if (setrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= kMin) return true;
  static constexpr std::string_view kLine =  // a constant, as formatting needs stack itself
      "gopnet: the stack limit (ulimit -s) is too low; at least 256 kB are needed\n";
  WriteAll(STDERR_FILENO, kLine);
  return false;
}

void PrepareStreams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // writes beyond the limit of the file size fail instead
  for (int stream : {0, 1, 2}) {
    // open returns the lowest free descriptor, which is this one
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) != stream) std::_Exit(1);
  }
}

void Print(const std::string& text) { Output(PrintableLines(text)); }
void PrintData(const std::string& data) {
  Output(isatty(STDOUT_FILENO) != 0 ? PrintableLines(data) : data);
}

size_t TerminalWidth(int fd) {
  winsize size = {};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void Note(const std::string& line) { WriteAll(STDERR_FILENO, Printable(line) + "\n"); }

StatusLine::StatusLine(bool quiet) : quiet_(quiet), terminal_(CanRedraw()) { RestartPause(); }

StatusLine::~StatusLine() {
  if (open_) Line("");
}

void StatusLine::Draw(const std::string& line, const std::string& more) {
  if (!terminal_) return Line(line + more);
  if (quiet_) return;
  const size_t width = TerminalWidth(STDERR_FILENO) - 1;
  const bool fits = line.size() + more.size() <= width;
  std::fprintf(stderr, "\r\x1b[K%s", Printable(fits ? line + more : line.substr(0, width)).c_str());
  open_ = true;
}

void StatusLine::Line(const std::string& line) {
  if (quiet_) return;
  if (open_ && !line.empty()) std::fputs("\r\x1b[K", stderr);
  std::fprintf(stderr, "%s\n", Printable(line).c_str());
  open_ = false;
}

bool StatusLine::Due() {
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
  if (quiet_ || now - last_draw_ < pause) return false;
  last_draw_ = now;
  return true;
}

void StatusLine::RestartPause() { last_draw_ = terminal_ ? Clock::time_point() : Clock::now(); }

bool StatusLine::Continue() {
  const std::string reason = ReasonToStop();
  if (!reason.empty() && !std::exchange(announced_stop_, true))
    Line(reason == "interrupted" ? "interrupted; stopping (press Ctrl-C again to stop at once)"
                                 : reason + "; stopping");
  return reason.empty();
}

std::string CountOf(int done, int total) {
  return fmt::format("[ {:>{}}/{} ]", done, std::to_string(total).size(), total);
}

}  // namespace gopnet::cli
