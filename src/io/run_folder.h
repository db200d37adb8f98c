// A run's folder: config.json, journal.jsonl, checkpoint.safetensors, model.safetensors,
// metrics.json; and, until the run is finished, state/, which `resume` goes on from. Whole files
// are written atomically, the journal grows by whole lines. One process at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "io/journal.h"
#include "io/run_writer.h"

namespace gopnet {

class RunFolder {
 public:
  // Makes a new folder, or opens one to go on with. Throws Error if a new one exists and is not
  // empty, if an old one holds no run, if another process is at work there, or if it cannot be
  // written.
  enum class Purpose { kNew, kResume };
  RunFolder(std::string path, Purpose purpose);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // What is below is for after this. Until then nothing in an old folder changes. `run` names what
  // is computed: states of another run are not read. A new run gives what its config.json is to
  // say, which is written before anything else is.
  void Start(const std::string& run, std::string config = "");
  const std::string& run() const { return run_; }

  std::string PathOf(const std::string& name) const;
  // As it was when the folder was opened, until it is forgotten, since it may be large.
  const JournalText& journal() const { return text_; }
  void ForgetJournal() { text_ = {}; }

  void Write(const std::string& name, std::string_view bytes) const;  // now
  void Replace(const std::string& name, std::string bytes);           // soon
  // Soon, see RunWriter; with "at", the seconds since the run began, pauses aside.
  void Journal(nlohmann::ordered_json line);
  double earlier_seconds() const { return earlier_seconds_; }  // of the run, before this part of it

  // The states of candidates lie in one file, one after the other. Returns where this one begins.
  size_t AppendState(std::string bytes);
  std::string ReadState(size_t offset, size_t size);  // empty if there is no such part
  void KeepStage(const std::string& stage, std::string_view bytes);  // and drop those of candidates
  std::optional<std::string> ReadStage(const std::string& stage) const;

  void Flush();         // all is on disk; throws what went wrong
  bool failed() const;  // something went wrong
  // The run is complete: its last files are written, what it took to resume it goes.
  void Finish(std::string_view model, std::string_view metrics);
  // Keeps the folder. Without it, a new one that holds no checkpoint is cleared away again.
  void Keep() { keep_ = true; }

 private:
  void Create();

  std::string path_;
  std::vector<std::string> made_;  // folders that were not there, innermost first
  bool keep_ = false;
  std::string run_;
  JournalText text_;
  double earlier_seconds_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> begun_{true};  // config.json is there
  std::optional<AppendFile> journal_, states_;
  size_t next_state_ = 0;            // where the next one will begin
  std::optional<RunWriter> writer_;  // last: it stops before the files close
};

// Whether a run was begun there.
bool HoldsRun(const std::string& path);

}  // namespace gopnet
