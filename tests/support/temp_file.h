// A temporary folder for one test, and helpers to read files and error messages.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
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

// Whether a message holds the facts, which "..." separates, in this order.
inline bool Mentions(const std::string& message, std::string facts) {
  size_t at = 0;
  while (!facts.empty()) {
    const size_t end = std::min(facts.find(" ... "), facts.size());
    const std::string fact = facts.substr(0, end);
    facts.erase(0, end + 5);
    at = message.find(fact, at);
    if (at == std::string::npos) return false;
    at += fact.size();
  }
  return true;
}

}  // namespace gopnet

#define EXPECT_ERROR(facts, ...)                                                  \
  EXPECT_TRUE(::gopnet::Mentions(::gopnet::ErrorOf([&] { __VA_ARGS__; }), facts)) \
      << "got: " << ::gopnet::ErrorOf([&] { __VA_ARGS__; })
