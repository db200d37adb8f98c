#include "cli/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/console.h"
#include "cli/text.h"

namespace gopnet::cli {
namespace fs = std::filesystem;
namespace {

// "x.npz:key" -> "x.npz"
std::string WithoutKey(const std::string& path) {
  const size_t at = path.find(".npz:");
  return at == std::string::npos ? path : path.substr(0, at + 4);
}

// Refuses a folder, a device or a pipe. The file need not exist.
void CheckIsFile(const std::string& path) {
  std::error_code ignored;
  if (IsFolder(path)) Fail("{}: is a folder; expected a file", path);
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    Fail("{}: is a device or a pipe; expected a file", path);
}

// Whether it is a file of a run or a comparison that gopnet reads again.
bool IsOfRun(const std::string& path) {
  static const Words kNames = {"config.json",          "journal.jsonl", "checkpoint.safetensors",
                               "model.safetensors",    "metrics.json",  "report.json",
                               "compare.json",         "table.json",    "table.csv",
                               "test_predictions.csv", "table.md",      "split.csv"};
  const fs::path file = path;
  const std::string folder = file.parent_path().string();
  return Contains(kNames, file.filename().string()) &&
         (Holds(folder, "journal.jsonl") || Holds(folder, "compare.json"));
}

}  // namespace

void CheckReadable(const std::string& path) {
  if (path == "-") return;  // stdin
  const std::string file = WithoutKey(path);
  if (access(file.c_str(), R_OK) != 0) Fail("{}: cannot open: {}", file, std::strerror(errno));
}

std::string NewRunFolder(const std::string& algorithm) {
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y%m%d", std::localtime(&now));
  for (int n = 1;; ++n) {
    const std::string folder = fmt::format("runs/{}-{}-{}", algorithm, date, n);
    std::error_code no_folder;  // a dangling link takes a name as well
    if (!fs::exists(fs::symlink_status(folder, no_folder))) return folder;
  }
}

ClaimedFolder::ClaimedFolder(const std::string& folder, const std::string& algorithm)
    : path_(folder) {
  if (algorithm.empty()) return;
  made_parent_ = mkdir("runs", 0777) == 0;
  while (mkdir(path_.c_str(), 0777) != 0) {
    if (errno != EEXIST) return;  // the first write will report why
    path_ = NewRunFolder(algorithm);
  }
  made_ = true;
}

ClaimedFolder::~ClaimedFolder() {
  if (made_) rmdir(path_.c_str());  // fails if it is not empty
  if (made_parent_) rmdir("runs");
}

void CheckCanWrite(const std::string& path, bool force) {
  std::error_code ignored;
  CheckIsFile(path);
  if (IsOfRun(path)) Fail("{}: is a file of the run; choose another name", path);
  if (fs::is_symlink(path, ignored)) Fail("{}: is a link; name the file that it points to", path);
  if (fs::exists(path, ignored) && !force) Fail("{}: exists; use --force to overwrite it", path);
  std::string folder = fs::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  if (!IsFolder(folder)) Fail("{}: {} is not a folder", path, folder);
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    Fail("{}: cannot write to the folder {}: {}", path, folder, std::strerror(errno));
}

void CheckNoInput(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (fs::equivalent(path, WithoutKey(input), ignored))
      Fail("{}: is an input of this command; choose another name", path);
  }
}

std::string ModelFile(const std::string& path) {
  if (!IsFolder(path)) return CheckReadable(path), path;
  if (Holds(path, "model.safetensors")) return InFolder(path, "model.safetensors");
  if (Holds(path, "compare.json"))
    Fail("{}: is a comparison; use one of the run folders in it", path);
  std::string why = "the folder has no model.safetensors";
  if (Holds(path, "config.json")) why += "; finish the run with gopnet resume";
  if (Holds(path, "checkpoint.safetensors"))
    why += ", or use the best network so far: " + InFolder(path, "checkpoint.safetensors");
  Fail("{}: {}", path, why);
}

std::string InFolder(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

bool Holds(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  return fs::exists(InFolder(folder, name), ignored);
}

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string ReadText(const std::string& path) {
  CheckReadable(path);
  CheckIsFile(path);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream stream;
  if (!(stream << file.rdbuf())) Fail("{}: is empty or cannot be read", path);
  std::string text = stream.str();
  if (text.find('\0') != std::string::npos) Fail("{}: contains a zero byte; expected text", path);
  return text;
}

}  // namespace gopnet::cli
