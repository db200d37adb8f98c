#include "cli/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gopnet/error.h"

namespace gopnet::cli {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void Fail(const std::string& path, const std::string& why) {
  throw Error(path + ": " + why);
}

// "x.npz:key" -> "x.npz"
std::string WithoutKey(const std::string& path) {
  const size_t at = path.find(".npz:");
  return at == std::string::npos ? path : path.substr(0, at + 4);
}

void CheckFolderWritable(const std::string& path, const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) Fail(path, folder.string() + " is not a folder");
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    Fail(path, "cannot write in " + folder.string() + ": " + std::strerror(errno));
  }
}

}  // namespace

void CheckReadable(const std::string& path) {
  const std::string file = WithoutKey(path);
  if (access(file.c_str(), R_OK) != 0)
    Fail(file, std::string("cannot open: ") + std::strerror(errno));
}

std::string NewRunFolder(const std::string& algorithm) {
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y%m%d", std::localtime(&now));
  for (int n = 1;; ++n) {
    const std::string folder = "runs/" + algorithm + "-" + date + "-" + std::to_string(n);
    if (!fs::exists(folder)) return folder;
  }
}

void CheckNewFile(const std::string& path, bool force) {
  const std::string ending = fs::path(path).extension().string();
  if (ending != ".csv" && ending != ".npy")
    Fail(path, "--out takes a name that ends in .csv or .npy");
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) Fail(path, "is a folder");
  if (fs::exists(path, ignored) && !force) Fail(path, "exists; --force overwrites it");
  const fs::path folder = fs::path(path).parent_path();
  CheckFolderWritable(path, folder.empty() ? "." : folder);
}

void CheckNoInput(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const std::string& input : inputs) {
    if (fs::equivalent(path, WithoutKey(input), ignored))
      Fail(path, "--out is the file that is read, another one is wanted");
  }
}

std::string ModelFile(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return CheckReadable(path), path;
  const fs::path model = fs::path(path) / "model.safetensors";
  const fs::path checkpoint = fs::path(path) / "checkpoint.safetensors";
  if (fs::exists(model, ignored)) return model.string();
  if (fs::exists(fs::path(path) / "compare.json", ignored))
    Fail(path, "this is a comparison; the folders in it are its runs");
  std::string why = "the folder has no model.safetensors";
  if (fs::exists(fs::path(path) / "config.json", ignored))
    why += "; gopnet resume finishes the run";
  if (fs::exists(checkpoint, ignored)) why += "; its best network so far is " + checkpoint.string();
  Fail(path, why);
}

void WriteNewFile(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".gopnet.tmp" + std::to_string(getpid());
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  const bool written = !file.fail();
  // Unlike a rename, a link takes no name that exists.
  const bool made = written && link(temporary.c_str(), path.c_str()) == 0;
  const int error = errno;
  unlink(temporary.c_str());
  if (!made && error == EEXIST) Fail(path, "exists; another name is wanted");
  if (!made) Fail(path, std::string("cannot write: ") + std::strerror(error));
}

std::string ReadText(const std::string& path) {
  CheckReadable(path);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) Fail(path, "is a folder, a file is wanted");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream stream;
  if (!(stream << file.rdbuf())) Fail(path, "is empty, or cannot be read");
  std::string text = stream.str();
  if (text.find('\0') != std::string::npos) Fail(path, "holds a zero byte, text is wanted");
  return text;
}

}  // namespace gopnet::cli
