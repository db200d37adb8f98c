#include "run/run_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "base/files.h"
#include "gopnet/run.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;

bool IsEmptyFile(const fs::directory_entry& item, const char* name) {
  std::error_code error;
  return item.path().filename() == name && item.is_regular_file(error) &&
         item.file_size(error) == 0 && !error;
}

// A state/ in which nothing has been kept yet.
bool IsEmptyState(const fs::directory_entry& item) {
  std::error_code error;
  if (item.path().filename() != "state" || item.is_symlink(error) || !item.is_directory(error))
    return false;
  for (const auto& file : fs::directory_iterator(item.path(), error))
    if (!IsEmptyFile(file, "candidates.bin")) return false;
  return !error;
}

}  // namespace

std::string InFolder(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

bool HoldsRun(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(fs::path(path) / kConfig, error);
}

bool IsFinished(const std::string& folder) {
  std::error_code error;
  return fs::exists(fs::path(folder) / kModelFile, error) &&
         fs::exists(fs::path(folder) / kMetricsFile, error);
}

bool IsAsGoodAsEmpty(const std::string& path) {
  std::error_code error;
  for (const auto& item : fs::directory_iterator(path, error)) {
    const std::string name = item.path().filename().string();
    if (!IsTemporary(name) && !IsEmptyFile(item, kJournal) && !IsEmptyState(item)) return false;
  }
  return !error;
}

bool IsSetAside(const std::string& path) {
  return fs::path(path).filename().string().find(kSetAside) != std::string::npos;
}

void CheckRunFolder(const std::string& path) {
  Check(!path.empty(), "run folder: the name must not be empty");
  std::error_code error;
  Check(!fs::is_symlink(path, error) || fs::exists(path, error), path,
        ": is a broken link; choose a new folder");
  if (fs::exists(path, error)) {
    Check(fs::is_directory(path, error), path, ": exists and is not a folder; choose a new folder");
    const bool unfinished = HoldsRun(path) && !IsFinished(path);
    Check(IsAsGoodAsEmpty(path), path,
          ": exists and is not empty, and gopnet never overwrites a run; ",
          unfinished ? "continue this run with gopnet resume, or " : "", "choose a new folder");
  }
  fs::path parent = path;
  while (!parent.empty() && !fs::exists(parent, error)) parent = parent.parent_path();
  if (parent.empty()) parent = ".";
  Check(fs::is_directory(parent, error), path, ": ", parent.string(), " is not a folder");
  const int denied = ::access(parent.c_str(), W_OK) == 0 ? 0 : errno;
  Check(denied == 0, path, ": cannot write to ", parent.string(), ": ", std::strerror(denied));
}

void ClearState(const std::string& folder) {
  const Folder state(InFolder(folder, "state"), /*follow=*/false);
  for (const std::string& name : state.Names())
    if (name.ends_with(".bin")) state.Remove(name);
  RemoveTemporaries(state, /*own=*/true);
  ::rmdir(state.path().c_str());  // unless it is a link, or somebody keeps something else there
  RemoveTemporaries(Folder(folder, /*follow=*/true), /*own=*/true);
}

}  // namespace gopnet
