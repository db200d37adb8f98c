// Files mapped read-only.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/pipes.h"

namespace gopnet {

// A file mapped read-only, or read into memory where it cannot be mapped (a pipe). Unmapped with
// the object. A file that becomes shorter while it is mapped reads as zeros from there on, and
// CheckMapsWhole tells.
class FileMap {
 public:
  // Throws Error: missing, a folder, a device, unreadable, a pipe that nobody writes to, or one
  // that ReadToEnd refuses.
  explicit FileMap(const std::string& path, size_t most_line = kAnyLine);
  ~FileMap();
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;
  std::string_view bytes() const { return {data_, size_}; }

 private:
  Descriptor file_;  // open as long as the map: it tells whether the file became shorter
  const char* data_ = nullptr;
  size_t size_ = 0;
  bool mapped_ = false;
  std::string buffer_;
};

// If `inside` lies in a mapped file, lets the system take back the memory of its pages; they are
// read again from the file should anybody look. Anything else is left alone.
void ForgetPages(const void* inside);

// Throws Changed if a file that is mapped became shorter, or one that was, until somebody is told:
// what was read of it is not what it held.
void CheckMapsWhole();

}  // namespace gopnet
