#include "base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "base/check.h"
#include "base/checksum.h"
#include "base/descriptor.h"

namespace gopnet {
namespace {

// Between a file's name and 16 digits: no name that a user would give. The first 8 digits are those
// of the running system, so that it is known which locks can be seen here; the others are random.
constexpr std::string_view kTemporary = ".gopnet.tmp";
constexpr size_t kDigits = 16, kDigitsOfSystem = 8;

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
Place CheckReplaceable(Place place) {
  struct stat info {};
  if (::fstatat(place.folder, place.name.c_str(), &info, 0) == 0)
    Check(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode), place.path,
          ": is a device or a pipe, not a file");
  return place;
}

// A rename that takes no name which exists: that of a file that came meanwhile. Not all file
// systems know it, nor links, which do not either.
int RenameToFree(int folder, const char* from, const char* to) {
  if (::renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (::linkat(folder, from, folder, to, 0) == 0) return ::unlinkat(folder, from, 0);
  struct stat info {};
  if (errno == EEXIST || ::fstatat(folder, to, &info, AT_SYMLINK_NOFOLLOW) == 0)
    return errno = EEXIST, -1;
  return ::renameat(folder, from, folder, to);
}

// The system's random bytes.
std::string RandomDigits() {
  uint64_t number = 0;
  if (::getentropy(&number, sizeof number) != 0) number = std::random_device()();
  return HexDigits(number);
}

// Others in each boot of each machine; containers on one machine share them, as they share locks.
const std::string& DigitsOfSystem() {
  static const std::string digits = [] {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return (id.empty() ? RandomDigits() : HexDigits(Hash(id))).substr(0, kDigitsOfSystem);
  }();
  return digits;
}

// Whether this process alone holds the file, and it still has a name. True where there are no
// locks.
bool Lock(int fd) {
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat info {};
  return ::fstat(fd, &info) == 0 && info.st_nlink > 0;
}

// Whether another process keeps the lock. Somebody who only looks (IsLocked) has it for an instant.
bool IsTaken(int fd) {
  constexpr int kTries = 5;
  constexpr timespec kInstant{0, 20'000'000};
  for (int tries = 0; tries < kTries; ++tries, ::nanosleep(&kInstant, nullptr))
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return false;
  return true;
}

// A lock says that the writer lives; that there is none says little if the writer may be on another
// machine, or if the file system has no locks.
bool IsLeftOver(int folder, const std::string& name, bool own) {
  constexpr time_t kDay = 86400;
  const Descriptor file(
      ::openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (file.fd < 0 || ::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode)) return false;
  if (own) return Lock(file.fd);
  if (::flock(file.fd, LOCK_EX | LOCK_NB) != 0) return false;
  const bool here = name.compare(name.size() - kDigits, kDigitsOfSystem, DigitsOfSystem()) == 0;
  return here || info.st_mtime + kDay < std::time(nullptr);
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

Folder::Folder(std::string path, bool follow)
    : path_(std::move(path)),
      folder_(
          ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW))),
      error_(errno) {}

void Folder::CheckOpen() const {
  if (folder_.fd >= 0) return;
  std::error_code ignored;
  Check(!std::filesystem::is_symlink(path_, ignored), path_,
        ": is a link; gopnet never writes a run through links");
  FailToWrite(path_, error_);
}

std::vector<std::string> Folder::Names() const {
  std::vector<std::string> names;
  const int fd = ::openat(folder_.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* list = fd < 0 ? nullptr : ::fdopendir(fd);
  if (list == nullptr && fd >= 0) ::close(fd);
  while (const dirent* item = list == nullptr ? nullptr : ::readdir(list))
    names.emplace_back(item->d_name);
  if (list != nullptr) ::closedir(list);
  return names;
}

void Folder::Remove(const std::string& name) const {
  if (::unlinkat(folder_.fd, name.c_str(), 0) != 0) return;
}

const int Place::kWorkingFolder = AT_FDCWD;

NewFile::NewFile(Place place, bool replace)
    : place_(CheckReplaceable(std::move(place))), replace_(replace), file_(Open()) {
  if (file_.fd < 0) FailToWrite(place_.path, errno);
}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlinkat(place_.folder, temporary_.c_str(), 0);
}

// Creates a file, never through a link. Tries again if another process takes the file for a
// leftover before it is locked.
int NewFile::Open() {
  if (place_.folder == AT_FDCWD)
    RemoveTemporaries(Folder(FolderOf(place_.path), /*follow=*/true), /*own=*/false);
  constexpr int kTries = 20;  // some file systems have no locks
  for (int tries = 1;; ++tries) {
    temporary_ =
        Join(place_.name, kTemporary, DigitsOfSystem(), RandomDigits().substr(kDigitsOfSystem));
    const int fd = ::openat(place_.folder, temporary_.c_str(),
                            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) temporary_.clear();
    if (fd < 0 || Lock(fd) || tries == kTries) return fd;
    ::unlinkat(place_.folder, temporary_.c_str(), 0);
    ::close(fd);
  }
}

void NewFile::Append(std::string_view bytes) { WriteAll(file_.fd, bytes, place_.path); }

void NewFile::Finish() {
  const char *from = temporary_.c_str(), *to = place_.name.c_str();
  if (::fsync(file_.fd) != 0) FailToWrite(place_.path, errno);
  const bool moved = (replace_ ? ::renameat(place_.folder, from, place_.folder, to)
                               : RenameToFree(place_.folder, from, to)) == 0;
  Check(moved || errno != EEXIST, place_.path, ": already exists; choose another name");
  if (!moved) FailToWrite(place_.path, errno);
  temporary_.clear();
  SyncFolderOf(place_);
}

void WriteFileAtomically(const std::string& path, std::string_view bytes, bool replace) {
  NewFile file(path, replace);
  file.Append(bytes);
  file.Finish();
}

bool IsTemporary(const std::string& name) {
  const size_t at = name.rfind(kTemporary);
  return at != std::string::npos && at + kTemporary.size() + kDigits == name.size() &&
         name.find_first_not_of("0123456789abcdef", at + kTemporary.size()) == std::string::npos;
}

void RemoveTemporaries(const Folder& folder, bool own) {
  for (const std::string& name : folder.Names())
    if (IsTemporary(name) && IsLeftOver(folder.fd(), name, own)) folder.Remove(name);
}

void SyncFolderOf(const Place& place) {
  if (place.folder != AT_FDCWD) {
    ::fsync(place.folder);
    return;
  }
  const Descriptor folder{::open(FolderOf(place.path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.fd >= 0) ::fsync(folder.fd);
}

bool IsLocked(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  return file.fd >= 0 && ::flock(file.fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

AppendFile::AppendFile(Place place)
    : path_(std::move(place.path)),
      file_(::openat(place.folder, place.name.c_str(),
                     O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) {
  Check(file_.fd >= 0 || errno != ELOOP, path_,
        ": is a link; gopnet never writes a run through links");
  if (file_.fd < 0) FailToWrite(path_, errno);
  // The lock goes with the process, however that ends. Where the file system has none we do
  // without.
  const bool taken = IsTaken(file_.fd);
  struct stat info {};
  const bool known = ::fstat(file_.fd, &info) == 0 && S_ISREG(info.st_mode);
  Check(!taken, path_, ": another process is using it");
  Check(known, path_, ": cannot read");
  Check(info.st_nlink <= 1, path_,
        ": is a hard link, and writing would change the other file too; copy the folder with cp -r "
        "and use the copy");
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
