#include "cli/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

bool WriteAll(int stream, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(stream, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) done += static_cast<size_t>(n);
  }
  return true;
}

}  // namespace

void PrepareStreams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a write that fails
  for (int stream : {0, 1, 2}) {
    // open takes the lowest free number, which is this one
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDWR) != stream) std::_Exit(1);
  }
}

void Print(const std::string& text) {
  if (WriteAll(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) std::_Exit(0);
  throw Error(std::string("standard output: ") + std::strerror(errno));
}

void Note(const std::string& line) { WriteAll(STDERR_FILENO, line + "\n"); }

}  // namespace gopnet::cli
