// Files as wholes: read-only maps (file_map.h) and atomic writes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/file_map.h"
#include "gopnet/files.h"

namespace gopnet {

// Throws for a write to `path` that failed with errno `error`: Stopped, with the space that is
// left, if the disk is full or broken, since the same can succeed later; Error otherwise.
[[noreturn]] void FailToWrite(const std::string& path, int error);

// A folder that is held open: files are written to this one, whatever its name leads to by then.
class Folder {
 public:
  // One that cannot be opened is as if it were empty. `follow`: that may be a link.
  explicit Folder(std::string path, bool follow);
  void CheckOpen() const;  // throws Error if it is a link, or as FailToWrite does
  const std::string& path() const { return path_; }
  int fd() const { return folder_.fd; }
  std::vector<std::string> Names() const;      // of what is in it
  void Remove(const std::string& name) const;  // a file or a link; that this may fail is ignored

 private:
  std::string path_;
  Descriptor folder_;
  int error_;
};

// Where a file is: at a path, or in a folder that is held open.
struct Place {
  Place(std::string whole) : name(std::move(whole)), path(name) {}  // NOLINT: a path is a place
  Place(const Folder& in, const std::string& file)
      : folder(in.fd()), name(file), path(in.path() + "/" + file) {}
  int folder = kWorkingFolder;
  std::string name;  // relative to the folder
  std::string path;  // for messages

 private:
  static const int kWorkingFolder;
};

// WriteFileAtomically (gopnet/files.h), of bytes that come in pieces. What is not finished leaves
// nothing. Only a program that is killed leaves a temporary file, which the next one that writes to
// the folder deletes: a file that is being written is locked.
class NewFile {
 public:
  explicit NewFile(Place place, bool replace = true);
  ~NewFile();
  void Append(std::string_view bytes);
  void Finish();  // gives it its name; throws Error if that exists and is not to be replaced

 private:
  int Open();

  Place place_;
  bool replace_;
  std::string temporary_;  // empty once it has its name
  Descriptor file_;
};

// Whether a file has a name of those that NewFile gives before it is whole.
bool IsTemporary(const std::string& name);
// Deletes such files of programs that were killed. `own`: the folder is that of one program, this
// one. Another machine may write to any other folder, and its locks may not be seen here: what it
// has left there goes a day later.
void RemoveTemporaries(const Folder& folder, bool own);

// Makes a new name in a folder durable, as far as the file system can.
void SyncFolderOf(const Place& place);

// A file that grows at its end, by whole pieces. One thread at a time.
class AppendFile {
 public:
  // Opens or creates it, for this process alone: throws Error if another has it open, or if it is a
  // link or has other names: those lead out of the folder.
  explicit AppendFile(Place place);

  // All of it or, if that fails, nothing. Throws as FailToWrite does.
  void Append(std::string_view bytes);
  void Sync();                 // to the disk
  void Truncate(size_t size);  // to its first bytes
  size_t size() const { return size_; }

 private:
  const std::string path_;
  Descriptor file_;
  size_t size_ = 0;
};

// Whether a process on this machine holds the lock of a file or folder. False where there are no
// locks.
bool IsLocked(const std::string& path);

}  // namespace gopnet
