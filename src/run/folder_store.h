// A run in its folder: config.json, journal.jsonl, checkpoint.safetensors, model.safetensors,
// metrics.json; and, until the run is finished, state/, which `resume` goes on from. Candidates are
// lines of the journal, with their state, if they need one, in state/candidates.bin; a finished
// stage is a file of its own in state/. Whole files are written atomically, the journal grows by
// whole lines. One process at a time; any thread may call.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "run/journal.h"
#include "run/run_folder.h"
#include "run/run_writer.h"

namespace gopnet {

class FolderStore : public RunStore {
 public:
  using Json = nlohmann::ordered_json;
  struct Options {
    std::string path;
    bool resume = false;
    Json config;         // see RunConfig
    std::string metric;  // the measure that decides
  };
  // Begins a new run, or goes on with one that was stopped after it has checked that it is the same
  // run. Throws Error if a new folder exists and is not empty, if an old one holds no run or
  // another one, if another process is at work there, or if it cannot be written; then nothing in
  // an old folder has changed.
  FolderStore(const Options& options, const std::function<void(const std::string&)>& warn);
  // A new folder that holds no checkpoint and was neither finished nor kept is cleared away.
  ~FolderStore() override;

  bool keeps() const override { return true; }
  std::optional<Finished> Find(const WorkKey& key) override;
  std::string LoadState(const WorkKey& key) override;
  void Add(const WorkKey& key, const Finished& finished, const Notes& notes,
           const std::string& state) override;
  std::optional<std::string> Load(const std::string& stage) override;
  void Save(const std::string& stage, std::string bytes) override;
  void Journal(const Json& line) override;  // unless an earlier part of the run has told it
  void Checkpoint(std::string model) override;
  void Finish(const std::string& model, const std::string& metrics,
              const Sums& others = {}) override;
  void KeepForResume(const std::string& metrics) override;
  bool failed() const override { return writer_ && writer_->failed(); }
  double earlier_seconds() const override { return earlier_seconds_; }

 private:
  explicit FolderStore(const Options& options);  // opens the folder
  void Create();
  void Begin(const Json& config);
  void Resume(const Json& config, const std::function<void(const std::string&)>& warn);
  void StartWriting(size_t journal_bytes);
  void Append(Json line);
  Sums LastSums();
  std::string PathOf(const std::string& name) const { return InFolder(path_, name); }

  const std::string path_, metric_;
  std::string run_;                        // names all that decides what is computed
  std::vector<std::string> made_folders_;  // folders that were not there, innermost first
  std::atomic<bool> keep_folder_ = false;
  double earlier_seconds_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::map<WorkKey, CandidateLine> earlier_candidates_;  // candidates of an earlier part of the run
  std::mutex mutex_;                                     // guards the members below
  std::set<std::string> written_;                        // layers, blocks and stages in the journal
  size_t next_state_ = 0;                                // where the next one will begin
  bool ended_ = false;                                   // the journal is complete

  std::atomic<bool> begun_{true};  // config.json is there
  std::optional<Folder> state_;    // state/
  std::optional<AppendFile> journal_, states_;
  std::optional<RunWriter> writer_;  // last: it stops before the files close
};

}  // namespace gopnet
