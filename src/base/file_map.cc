#include "base/file_map.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/check.h"
#include "base/descriptor.h"

namespace gopnet {
namespace {

// The mapped files of the process. A signal handler reads it, so it neither locks nor grows.
struct Slot {
  std::atomic<uintptr_t> begin{0}, end{0};  // end 0: free, or not filled in yet
  std::atomic<bool> taken{false}, shrunk{false};
};
std::array<Slot, 256> slots;

// What the handler does not need of the slots.
struct Mapped {
  std::string path;
  int fd = -1;
  size_t size = 0;  // 0: none
  bool told = false;
};

std::mutex maps_mutex;
std::string shrunk_file;  // under the mutex: of a map that went before anybody was told
std::array<Mapped, slots.size()> maps;  // of the slots, under the mutex

// Whoever reads the address keeps its map, so that the slot of it does not change meanwhile; others
// may: a begin and an end that do not belong together are no match.
Slot* SlotAt(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (Slot& slot : slots) {
    const uintptr_t begin = slot.begin;
    if (at >= begin && at < slot.end && begin == slot.begin) return &slot;
  }
  return nullptr;
}

struct sigaction action_before;

// A page of a mapped file that the file no longer has: zeros take the place of all that follows.
void OnBusError(int signal, siginfo_t* info, void* context) {
  const int error = errno;  // of what it interrupts
  Slot* slot = SlotAt(info->si_addr);
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t first = reinterpret_cast<uintptr_t>(info->si_addr) / page * page;
  if (slot != nullptr && ::mmap(reinterpret_cast<void*>(first), slot->end - first, PROT_READ,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
    slot->shrunk = true;
    errno = error;
  } else if (action_before.sa_flags & SA_SIGINFO) {
    action_before.sa_sigaction(signal, info, context);
  } else {
    ::sigaction(SIGBUS, &action_before, nullptr);  // and meets it again
  }
}

void CatchBusErrors() {
  static const bool once = [] {
    struct sigaction action {};
    action.sa_sigaction = OnBusError;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, &action, &action_before) == 0;
  }();
  static_cast<void>(once);
}

// False if there are too many.
bool Register(const char* data, const Mapped& map) {
  for (size_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    if (slot.taken.exchange(true)) continue;
    {
      const std::lock_guard lock(maps_mutex);
      maps[i] = map;
    }
    const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    slot.shrunk = false;
    slot.begin = reinterpret_cast<uintptr_t>(data);
    slot.end = (slot.begin + map.size + page - 1) / page * page;
    return true;
  }
  return false;
}

size_t IndexOf(const Slot& slot) { return static_cast<size_t>(&slot - slots.data()); }

// Within its last page a file that ends sooner reads as zeros, and no signal tells.
bool IsShorter(const Mapped& map) {
  struct stat info {};
  return map.size > 0 && ::fstat(map.fd, &info) == 0 &&
         static_cast<size_t>(info.st_size) < map.size;
}

// Under the mutex. For good: whatever the file holds later, zeros may have been read.
bool HasShrunk(Slot& slot) {
  if (IsShorter(maps[IndexOf(slot)])) slot.shrunk = true;
  return slot.shrunk;
}

// Waits a moment for a writer, since the pipe was opened without blocking.
void WaitForWriter(int fd, const std::string& path, std::string& bytes) {
  constexpr int kMilliseconds = 700;
  pollfd wanted{fd, POLLIN, 0};
  if (::poll(&wanted, 1, kMilliseconds) == 0) {
    char byte;  // only a read can tell a slow writer from none
    const ssize_t n = ::read(fd, &byte, 1);
    Check(n != 0, path, ": no process writes to this pipe");
    if (n > 0) bytes += byte;
  }
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
}

}  // namespace

void ForgetPages(const void* inside) {
  const std::lock_guard lock(maps_mutex);
  const Slot* slot = SlotAt(inside);
  if (slot != nullptr)
    ::madvise(reinterpret_cast<void*>(slot->begin.load()), slot->end - slot->begin, MADV_DONTNEED);
}

void CheckMapsWhole() {
  const std::lock_guard lock(maps_mutex);
  std::string path = std::exchange(shrunk_file, "");
  for (Slot& slot : slots) {
    Mapped& map = maps[IndexOf(slot)];
    if (map.size == 0 || !HasShrunk(slot)) continue;
    map.told = true;
    if (path.empty()) path = map.path;
  }
  if (!path.empty()) throw Changed(path + ": the file was truncated while gopnet read it");
}

FileMap::FileMap(const std::string& path, size_t most_line)
    // without waiting: of a pipe that nobody writes to, for ever
    : file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  Check(file_.fd >= 0, path, ": cannot open: ", std::strerror(errno));
  struct stat info {};
  Check(::fstat(file_.fd, &info) == 0, path, ": cannot read: ", std::strerror(errno));
  Check(!S_ISDIR(info.st_mode), path, ": is a folder, not a file");
  Check(S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode), path, ": is a device, not a file");
  size_ = S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) : 0;
  CatchBusErrors();
  void* map = size_ ? ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.fd, 0) : MAP_FAILED;
  if (map != MAP_FAILED) {
    data_ = static_cast<const char*>(map);
    mapped_ = Register(data_, {path, file_.fd, size_});
    if (mapped_) return;
    ::munmap(map, size_);
  }
  if (S_ISFIFO(info.st_mode)) WaitForWriter(file_.fd, path, buffer_);
  ReadToEnd(file_.fd, path, most_line, buffer_);
  data_ = buffer_.data();
  size_ = buffer_.size();
}

FileMap::~FileMap() {
  if (!mapped_) return;
  const std::lock_guard lock(maps_mutex);
  Slot& slot = *SlotAt(data_);
  Mapped& map = maps[IndexOf(slot)];
  if (HasShrunk(slot) && !map.told && shrunk_file.empty()) shrunk_file = map.path;
  map = {};
  slot.end = 0;  // first: from 0 to its end it would claim the maps of others
  slot.begin = 0;
  ::munmap(const_cast<char*>(data_), size_);
  slot.taken = false;
}

}  // namespace gopnet
