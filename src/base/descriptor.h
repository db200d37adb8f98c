// A file descriptor that is closed on every way out.
#pragma once

#include <unistd.h>

namespace gopnet {

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace gopnet
