// Files as wholes: read-only maps and atomic writes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gopnet {

// A file mapped read-only, or read into memory where it cannot be mapped (a pipe). Unmapped with
// the object.
class FileMap {
 public:
  explicit FileMap(const std::string& path);  // throws Error: missing, a folder, unreadable
  ~FileMap();
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;
  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  size_t size_ = 0;
  bool mapped_ = false;
  std::string buffer_;
};

// If `inside` lies in a mapped file, lets the system take back the memory of its pages; they are
// read again from the file should anybody look. Anything else is left alone.
void ForgetPages(const void* inside);

// Writes through a temporary file, fsync and rename, so that `path` holds all of `bytes` or what it
// held before. Throws Error if the place cannot be written, Stopped if the disk is full.
void WriteFileAtomically(const std::string& path, std::string_view bytes);

// Throws Error unless a file could be created at `path` (its folder exists and can be written).
void CheckWritable(const std::string& path);

}  // namespace gopnet
