#include "base/spill.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <new>

#include "base/check.h"
#include "base/descriptor.h"
#include "base/files.h"
#include "base/names.h"
#include "base/usable_memory.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;

std::mutex spill_mutex;
std::string spill_folder;  // under the mutex

// The folder, or the next above it that is there and can be written, but not the root.
std::string SpillFolder() {
  const std::lock_guard lock(spill_mutex);
  std::error_code error;
  fs::path folder = fs::absolute(spill_folder.empty() ? "." : spill_folder, error);
  while (folder.has_relative_path() && ::access(folder.c_str(), W_OK | X_OK) != 0)
    folder = folder.parent_path();
  const bool found = !spill_folder.empty() && folder.has_relative_path();
  return (found ? folder : fs::temp_directory_path(error)).string();
}

// A file that nobody else sees, and that goes with the last use of it.
int OpenNameless(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string path = (fs::path(folder) / "gopnet_rows_XXXXXX").string();  // for mkostemp to fill in
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(path.c_str());
  return named;
}

size_t Threshold() {
  if (const char* text = std::getenv("GOPNET_SPILL_BYTES")) {
    size_t bytes = 0;
    if (ParseNumber(text, &bytes) && bytes > 0) return bytes;
  }
  return UsableBytes() / 4;
}

}  // namespace

void SpillTo(const std::string& folder) {
  const std::lock_guard lock(spill_mutex);
  spill_folder = folder;
}

size_t SpillBytes() {
  static const size_t bytes = Threshold();
  return bytes / MemoryShares();
}

void* AllocateSpilled(size_t bytes) {
  const std::string folder = SpillFolder();
  const std::string what =
      Join(folder, ": a temporary file of ", bytes, " bytes for rows that do not fit in memory");
  const Descriptor file(OpenNameless(folder));
  if (file.fd < 0) FailToWrite(what, errno);
  // All of it now: a full disk later would end the program in the middle of a row.
  const int error = ::posix_fallocate(file.fd, 0, static_cast<off_t>(bytes));
  void* data = error != 0 ? MAP_FAILED
                          : ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
  if (data == MAP_FAILED && error == 0 && errno == ENOMEM) throw std::bad_alloc();
  if (data == MAP_FAILED) FailToWrite(what, error != 0 ? error : errno);
  return data;
}

void FreeSpilled(void* data, size_t bytes) { ::munmap(data, bytes); }

}  // namespace gopnet
