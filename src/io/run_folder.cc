#include "io/run_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "base/files.h"

namespace gopnet {

namespace fs = std::filesystem;

void CheckRunFolder(const std::string& path) {
  Check(!path.empty(), "run folder: an empty name given");
  std::error_code error;
  if (fs::exists(path, error)) {
    Check(fs::is_directory(path, error), path,
          ": exists and is not a folder; a new folder is wanted");
    Check(fs::is_empty(path, error), path,
          ": exists and is not empty; runs are never overwritten, a new folder is wanted");
  }
  fs::path parent = fs::absolute(path);
  while (!fs::exists(parent, error) && parent.has_parent_path() && parent != parent.parent_path()) {
    parent = parent.parent_path();
  }
  Check(fs::is_directory(parent, error), path, ": ", parent.string(), " is not a folder");
  Check(::access(parent.c_str(), W_OK) == 0, path, ": cannot write to ", parent.string(), ": ",
        std::strerror(errno));
}

RunFolder::RunFolder(std::string path) : path_(std::move(path)) {
  CheckRunFolder(path_);
  std::error_code error;
  for (fs::path p = fs::absolute(path_).lexically_normal(); !fs::exists(p, error);
       p = p.parent_path()) {
    made_.push_back(p.string());
  }
  fs::create_directories(path_, error);
  Check(!error, path_, ": cannot create the folder: ", error.message());
  journal_ =
      ::open(PathOf("journal.jsonl").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  Check(journal_ >= 0, PathOf("journal.jsonl"), ": cannot write: ", std::strerror(errno));
}

RunFolder::~RunFolder() {
  if (journal_ >= 0) ::close(journal_);
  std::error_code error;
  if (keep_ || fs::exists(PathOf("checkpoint.safetensors"), error)) return;
  for (const char* name : {"journal.jsonl", "config.json"}) fs::remove(PathOf(name), error);
  for (const std::string& folder : made_) fs::remove(folder, error);  // innermost first, if empty
}

std::string RunFolder::PathOf(const std::string& name) const {
  return (fs::path(path_) / name).string();
}

void RunFolder::Write(const std::string& name, std::string_view bytes) const {
  WriteFileAtomically(PathOf(name), bytes);
}

void RunFolder::Journal(const std::string& line) {
  const std::string whole = line + "\n";
  if (::write(journal_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) {
    throw Stopped(PathOf("journal.jsonl") + ": cannot write: " + std::strerror(errno));
  }
}

}  // namespace gopnet
