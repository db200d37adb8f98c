// A temporary folder for one test, and helpers to read files and error messages.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "gopnet/error.h"

namespace gopnet {

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gopnet_test_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string Path(const std::string& name) const { return path_ + "/" + name; }
  std::string Write(const std::string& name, const std::string& content) const {
    std::ofstream(Path(name), std::ios::binary) << content;
    return Path(name);
  }

 private:
  std::string path_;
};

inline std::string ReadBytes(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Returns the message of the Error that `run` throws, or an empty string.
template <class Run>
std::string ErrorOf(const Run& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace gopnet

#define EXPECT_ERROR(text, ...)                                                    \
  EXPECT_NE(::gopnet::ErrorOf([&] { __VA_ARGS__; }).find(text), std::string::npos) \
      << "got: " << ::gopnet::ErrorOf([&] { __VA_ARGS__; })
