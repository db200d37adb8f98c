// Paths on the command line: checked before anything slow begins.
#pragma once

#include <string>
#include <vector>

namespace gopnet::cli {

// Throws Error unless `path` ("x.csv", "x.npz:key") can be opened for reading.
void CheckReadable(const std::string& path);

// runs/<algorithm>-<YYYYMMDD>-<n>, the first that does not exist.
std::string NewRunFolder(const std::string& algorithm);

// A folder that NewRunFolder chose, made before another process can take the name; if one has, the
// next that is free. Goes with the object if it is empty then.
class ClaimedFolder {
 public:
  // `algorithm` is empty for a name that the user chose, which is left alone.
  ClaimedFolder(const std::string& folder, const std::string& algorithm);
  ~ClaimedFolder();
  ClaimedFolder(const ClaimedFolder&) = delete;
  ClaimedFolder& operator=(const ClaimedFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false, made_parent_ = false;
};

// Throws Error unless `path` can be created; `force` lets it exist.
void CheckCanWrite(const std::string& path, bool force);

// Throws Error if `path` is one of the files that are read: --force is not meant for these.
void CheckNoInput(const std::string& path, const std::vector<std::string>& inputs);

// The model file meant by `path`: itself, or the model of a run folder. Throws Error if there is
// none.
std::string ModelFile(const std::string& path);

std::string InFolder(const std::string& folder, const std::string& name);
// Whether it is there; what cannot be looked at is not.
bool Holds(const std::string& folder, const std::string& name);
bool IsFolder(const std::string& path);

std::string ReadText(const std::string& path);  // throws Error

}  // namespace gopnet::cli
