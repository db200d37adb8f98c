// A file descriptor that is closed on every way out.
#pragma once

#include <unistd.h>

namespace gopnet {

struct Descriptor {
  const int fd;
  explicit Descriptor(int opened) : fd(opened) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

}  // namespace gopnet
