#include "base/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <vector>

#include "base/check.h"
#include "base/checksum.h"
#include "base/descriptor.h"

namespace gopnet {
namespace {

// Between a file's name and 16 random digits: no name that a user would give.
constexpr std::string_view kTemporary = ".gopnet.tmp";

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

// A device or a pipe cannot be held whole: to take its name would remove it from the system.
std::string CheckReplaceable(std::string path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0)
    Check(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode), path,
          ": is a device or a pipe, not a file");
  return path;
}

// A rename that takes no name which exists: that of a file that came meanwhile. Not all file
// systems know it, nor links, which do not either.
int RenameToFree(const char* from, const char* to) {
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (::link(from, to) == 0) return ::unlink(from);
  struct stat info {};
  if (errno == EEXIST || ::lstat(to, &info) == 0) return errno = EEXIST, -1;
  return ::rename(from, to);
}

// The system's random bytes; 16 digits of them nobody guesses, nor gives to a file of his own.
std::string RandomDigits() {
  uint64_t number = 0;
  if (::getentropy(&number, sizeof number) != 0) number = std::random_device()();
  return HexDigits(number);
}

}  // namespace

void FailToWrite(const std::string& path, int error) {
  const std::string message = Join(path, ": cannot write: ", std::strerror(error));
  for (const int passing :
       {ENOSPC, EDQUOT, EIO, EFBIG, EROFS, ESTALE, ENODEV, ENXIO, EMFILE, ENFILE}) {
    if (error == passing) throw Stopped(Join(message, "; free space: ", FreeSpace(FolderOf(path))));
  }
  throw Error(message);
}

NewFile::NewFile(std::string path, bool replace)
    : path_(CheckReplaceable(std::move(path))),
      replace_(replace),
      temporary_(Join(path_, kTemporary, RandomDigits())),
      // never through a link, nor into a file that is there
      file_(
          ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  if (file_.fd < 0) FailToWrite(path_, errno);
}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::Append(std::string_view bytes) { WriteAll(file_.fd, bytes, path_); }

void NewFile::Finish() {
  if (::fsync(file_.fd) != 0) FailToWrite(path_, errno);
  const auto move = replace_ ? &::rename : &RenameToFree;
  const bool moved = move(temporary_.c_str(), path_.c_str()) == 0;
  Check(moved || errno != EEXIST, path_, ": already exists; choose another name");
  if (!moved) FailToWrite(path_, errno);
  temporary_.clear();
  SyncFolderOf(path_);
}

void WriteFileAtomically(const std::string& path, std::string_view bytes, bool replace) {
  NewFile file(path, replace);
  file.Append(bytes);
  file.Finish();
}

bool IsTemporary(const std::string& name) {
  constexpr size_t kDigits = 16;
  const size_t at = name.rfind(kTemporary);
  return at != std::string::npos && at + kTemporary.size() + kDigits == name.size() &&
         name.find_first_not_of("0123456789abcdef", at + kTemporary.size()) == std::string::npos;
}

void RemoveTemporaries(const std::string& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (const auto& item : std::filesystem::directory_iterator(folder, error))
    if (IsTemporary(item.path().filename().string()) &&
        std::filesystem::is_regular_file(item.symlink_status(error)))
      found.push_back(item.path());
  for (const auto& file : found) std::filesystem::remove(file, error);
}

void SyncFolderOf(const std::string& path) {
  const Descriptor folder{::open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.fd >= 0) ::fsync(folder.fd);
}

AppendFile::AppendFile(std::string path)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                   0666)) {
  Check(file_.fd >= 0 || errno != ELOOP, path_, ": is a link; a run never writes through links");
  if (file_.fd < 0) FailToWrite(path_, errno);
  // The lock goes with the process, however that ends. Where the file system has none we do
  // without.
  const bool taken = ::flock(file_.fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat info {};
  const bool known = ::fstat(file_.fd, &info) == 0 && S_ISREG(info.st_mode);
  Check(!taken, path_, ": another process is at work on it");
  Check(known, path_, ": cannot read");
  Check(info.st_nlink <= 1, path_,
        ": has another name, too (a hard link), which would change as well; a copy of its folder "
        "(cp -r) can be written to");
  size_ = static_cast<size_t>(info.st_size);
}

void AppendFile::Append(std::string_view bytes) {
  try {
    WriteAll(file_.fd, bytes, path_);
  } catch (...) {
    if (::ftruncate(file_.fd, static_cast<off_t>(size_)) != 0) {
      // a torn piece stays at the end; who reads the file knows it by its checksum
    }
    throw;
  }
  size_ += bytes.size();
}

void AppendFile::Sync() {
  if (::fdatasync(file_.fd) != 0) FailToWrite(path_, errno);
}

void AppendFile::Truncate(size_t size) {
  if (::ftruncate(file_.fd, static_cast<off_t>(size)) != 0) FailToWrite(path_, errno);
  size_ = size;
}

}  // namespace gopnet
