#include "base/pipes.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/check.h"
#include "base/stop_check.h"
#include "base/usable_memory.h"

namespace gopnet {

void AwaitInput(int fd) {
  constexpr int kMilliseconds = 100;
  pollfd input = {fd, POLLIN, 0};
  for (int ready = 0; ready == 0 || (ready < 0 && errno == EINTR);) {
    StopCheck::Ask();
    ready = ::poll(&input, 1, kMilliseconds);
  }
}

void ReadToEnd(int fd, const std::string& name, size_t most_line, std::string& bytes) {
  const size_t most = DefaultMemoryLimit() / 2;  // a string that grows is there twice for a moment
  char chunk[1 << 16];
  for (size_t line = 0;;) {
    AwaitInput(fd);
    const ssize_t n = ::read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    Check(n >= 0, name, ": cannot read: ", std::strerror(errno));
    if (n == 0) return;
    const std::string_view piece(chunk, static_cast<size_t>(n));
    const size_t end = piece.rfind('\n');
    line = end == std::string_view::npos ? line + piece.size() : piece.size() - end - 1;
    Check(line <= most_line, name, ": a line is longer than ", most_line >> 20,
          " MB; end lines with LF");
    Check(piece.size() <= most - std::min(most, bytes.size()), name, ": more than ",
          most / 1'000'000, " MB, half of the memory limit; use a file instead");
    bytes.append(piece);
  }
}

}  // namespace gopnet
