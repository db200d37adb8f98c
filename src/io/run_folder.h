// A run's folder: config.json, journal.jsonl, checkpoint.safetensors, model.safetensors,
// metrics.json. Whole files are written atomically; the journal only ever grows by whole lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

class RunFolder {
 public:
  // Creates the folder; throws Error if it exists and is not empty, or cannot be made.
  explicit RunFolder(std::string path);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  void Write(const std::string& name, std::string_view bytes) const;
  void Journal(const std::string& line);
  std::string PathOf(const std::string& name) const;
  // Keeps the folder. Without it, a folder that this object made and that holds no checkpoint is
  // removed again.
  void Keep() { keep_ = true; }

 private:
  std::string path_;
  int journal_ = -1;
  std::vector<std::string> made_;  // folders that were not there, innermost first
  bool keep_ = false;
};

// Throws Error unless RunFolder(path) could be made; for an early answer. Creates nothing.
void CheckRunFolder(const std::string& path);

}  // namespace gopnet
