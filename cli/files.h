// Checks of paths on the command line, before anything slow begins.
#pragma once

#include <string>
#include <vector>

namespace gopnet::cli {

// Throws Error unless `path` ("x.csv", "x.npz:key") can be opened for reading.
void CheckReadable(const std::string& path);

// The first name of runs/<algorithm>-<YYYYMMDD>-<n> that does not exist.
std::string NewRunFolder(const std::string& algorithm);

// Creates a folder that NewRunFolder chose. If another process took the name meanwhile, it creates
// the next free one. The destructor removes the folder if it is empty.
class ClaimedFolder {
 public:
  // `algorithm` is empty if the user chose the name; then nothing is created.
  ClaimedFolder(const std::string& folder, const std::string& algorithm);
  ~ClaimedFolder();
  ClaimedFolder(const ClaimedFolder&) = delete;
  ClaimedFolder& operator=(const ClaimedFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false, made_parent_ = false;
};

// Throws Error unless `path` can be created. `force` allows an existing file.
void CheckCanWrite(const std::string& path, bool force);

// Throws Error if `path` is one of the input files, which --force must not overwrite.
void CheckNoInput(const std::string& path, const std::vector<std::string>& inputs);

// The model file that `path` stands for: itself, or the model of a run folder. Throws Error if
// there is none.
std::string ModelFile(const std::string& path);

std::string InFolder(const std::string& folder, const std::string& name);
// Whether the folder has an entry of this name. False if that cannot be determined.
bool Holds(const std::string& folder, const std::string& name);
bool IsFolder(const std::string& path);

std::string ReadText(const std::string& path);  // throws Error

}  // namespace gopnet::cli
