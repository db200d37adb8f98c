// A file in memory with a path, for readers that need one.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace gopnet::fuzz {

// Paths of one file, with a separate path for every file extension that a reader may check.
class MemoryFile {
 public:
  explicit MemoryFile(std::initializer_list<const char*> names) : fd_(::memfd_create("fuzz", 0)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "gopnet_fuzz_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    for (const char* name : names) {
      std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(fd_), Path(name));
    }
  }
  ~MemoryFile() {
    std::filesystem::remove_all(folder_);
    ::close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string Path(const char* name) const { return folder_ / name; }
  void Set(std::string_view bytes) const {
    const bool written = ::ftruncate(fd_, 0) == 0 && ::pwrite(fd_, bytes.data(), bytes.size(), 0) ==
                                                         static_cast<ssize_t>(bytes.size());
    if (!written) std::abort();
  }

 private:
  int fd_;
  std::filesystem::path folder_;
};

}  // namespace gopnet::fuzz
