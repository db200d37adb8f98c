// Files as wholes: read-only maps (file_map.h) and atomic writes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/file_map.h"
#include "gopnet/files.h"

namespace gopnet {

// Throws for a write to `path` that failed with errno `error`: Stopped, with the space that is
// left, if the disk is full or broken, since the same can succeed later; Error otherwise.
[[noreturn]] void FailToWrite(const std::string& path, int error);

// WriteFileAtomically (gopnet/files.h), of bytes that come in pieces. What is not finished leaves
// nothing.
class NewFile {
 public:
  explicit NewFile(std::string path, bool replace = true);
  ~NewFile();
  void Append(std::string_view bytes);
  void Finish();  // gives it its name; throws Error if that exists and is not to be replaced

 private:
  std::string path_;
  bool replace_;
  std::string temporary_;  // empty once it has its name
  Descriptor file_;
};

// Whether WriteFileAtomically gives a file that name before it is whole.
bool IsTemporary(const std::string& name);
// Deletes the files of such names that a killed program left in a folder.
void RemoveTemporaries(const std::string& folder);

// Makes a new name in the folder of `path` durable, as far as the file system can.
void SyncFolderOf(const std::string& path);

// A file that grows at its end, by whole pieces. One thread at a time.
class AppendFile {
 public:
  // Opens or creates it, for this process alone: throws Error if another has it open, or if it is a
  // link or has other names: those lead out of the folder.
  explicit AppendFile(std::string path);

  // All of it or, if that fails, nothing. Throws as FailToWrite does.
  void Append(std::string_view bytes);
  void Sync();                 // to the disk
  void Truncate(size_t size);  // to its first bytes
  size_t size() const { return size_; }

 private:
  std::string path_;
  Descriptor file_;
  size_t size_ = 0;
};

}  // namespace gopnet
