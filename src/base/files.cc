#include "base/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "base/check.h"

namespace gopnet {
namespace {

// Between a file's name and the process that writes it: no name that a user would give.
constexpr std::string_view kTemporary = ".gopnet.tmp";

// Closes a file descriptor on every way out.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

std::string FolderOf(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

std::string FreeSpace(const std::string& folder) {
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (error) return "unknown";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", static_cast<double>(space.available) / 1e6);
  return text;
}

void WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) FailToWrite(path, errno);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

std::string ReadAll(int fd, const std::string& path) {
  std::string bytes;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    Check(n >= 0, path, ": cannot read: ", std::strerror(errno));
    if (n == 0) return bytes;
    bytes.append(chunk, static_cast<size_t>(n));
  }
}

// The mapped files of the process, by their first byte.
struct Maps {
  std::mutex mutex;
  std::map<const char*, size_t> sizes;
};
Maps& AllMaps() {
  static Maps maps;
  return maps;
}

}  // namespace

void FailToWrite(const std::string& path, int error) {
  const std::string message = Join(path, ": cannot write: ", std::strerror(error));
  for (const int passing : {ENOSPC, EDQUOT, EIO, EFBIG, EROFS, ESTALE, ENODEV, ENXIO}) {
    if (error == passing) throw Stopped(Join(message, "; free space: ", FreeSpace(FolderOf(path))));
  }
  throw Error(message);
}

void ForgetPages(const void* inside) {
  const auto* at = static_cast<const char*>(inside);
  Maps& maps = AllMaps();
  const std::lock_guard lock(maps.mutex);
  auto it = maps.sizes.upper_bound(at);
  if (at == nullptr || it == maps.sizes.begin()) return;
  --it;
  if (at < it->first + it->second)
    ::madvise(const_cast<char*>(it->first), it->second, MADV_DONTNEED);
}

FileMap::FileMap(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  Check(file.fd >= 0, path, ": cannot open: ", std::strerror(errno));
  struct stat info {};
  Check(::fstat(file.fd, &info) == 0, path, ": cannot read: ", std::strerror(errno));
  Check(!S_ISDIR(info.st_mode), path, ": is a folder, a file is wanted");
  size_ = S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) : 0;
  void* map = size_ ? ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0) : MAP_FAILED;
  mapped_ = map != MAP_FAILED;
  if (mapped_) {
    data_ = static_cast<const char*>(map);
    const std::lock_guard lock(AllMaps().mutex);
    AllMaps().sizes[data_] = size_;
  } else {
    buffer_ = ReadAll(file.fd, path);
    data_ = buffer_.data();
    size_ = buffer_.size();
  }
}

FileMap::~FileMap() {
  if (!mapped_) return;
  const std::lock_guard lock(AllMaps().mutex);
  AllMaps().sizes.erase(data_);
  ::munmap(const_cast<char*>(data_), size_);
}

void WriteFileAtomically(const std::string& path, std::string_view bytes) {
  const std::string temporary = Join(path, kTemporary, ::getpid());
  try {
    const Descriptor file{
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (file.fd < 0) FailToWrite(path, errno);
    WriteAll(file.fd, bytes, path);
    if (::fsync(file.fd) != 0) FailToWrite(path, errno);
    if (::rename(temporary.c_str(), path.c_str()) != 0) FailToWrite(path, errno);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  SyncFolderOf(path);
}

bool IsTemporary(const std::string& name) {
  const size_t at = name.rfind(kTemporary);
  return at != std::string::npos && at + kTemporary.size() < name.size() &&
         name.find_first_not_of("0123456789", at + kTemporary.size()) == std::string::npos;
}

void RemoveTemporaries(const std::string& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (const auto& item : std::filesystem::directory_iterator(folder, error))
    if (IsTemporary(item.path().filename().string()) && item.is_regular_file(error))
      found.push_back(item.path());
  for (const auto& file : found) std::filesystem::remove(file, error);
}

void SyncFolderOf(const std::string& path) {
  const Descriptor folder{::open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.fd >= 0) ::fsync(folder.fd);
}

AppendFile::AppendFile(std::string path) : path_(std::move(path)) {
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) FailToWrite(path_, errno);
  // The lock goes with the process, however that ends. Where the file system has none we do
  // without.
  const bool taken = ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat info {};
  const bool known = ::fstat(fd_, &info) == 0;
  size_ = known ? static_cast<size_t>(info.st_size) : 0;
  if (!taken && known) return;
  ::close(fd_);
  Check(!taken, path_, ": another process is at work on it");
  Fail(path_, ": cannot read");
}

AppendFile::~AppendFile() { ::close(fd_); }

void AppendFile::Append(std::string_view bytes) {
  try {
    WriteAll(fd_, bytes, path_);
  } catch (...) {
    if (::ftruncate(fd_, static_cast<off_t>(size_)) != 0) {
      // a torn piece stays at the end; who reads the file knows it by its checksum
    }
    throw;
  }
  size_ += bytes.size();
}

void AppendFile::Sync() {
  if (::fdatasync(fd_) != 0) FailToWrite(path_, errno);
}

void AppendFile::Truncate(size_t size) {
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) FailToWrite(path_, errno);
  size_ = size;
}

}  // namespace gopnet
