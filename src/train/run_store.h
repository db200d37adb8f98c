// What a run keeps, so that nothing that took long is done twice: training asks before it works and
// tells when it is done. A run that starts again is led by the answers to where it was stopped,
// with the same result, since everything between them is deterministic. This class keeps nothing;
// FolderStore (src/run) writes to a run folder, RemoteStore (src/ranks) has rank 0 do so. Any
// thread may call.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "nn/metric.h"

namespace gopnet {

// A candidate, by its place in the run.
struct WorkKey {
  int variant = 0;  // of the run, if it trains several (best_of_two)
  int layer = 0;
  int block = 0;
  int attempt = 0;    // 1: again, with a tenth of the learning rates
  int candidate = 0;  // index in the library, or in a grid
  int epochs = 0;     // up to which it was to be trained
  auto operator<=>(const WorkKey&) const = default;
};
decltype(auto) Fields(auto& a, WorkKey& key) {
  return a(Named("variant", key.variant), Named("layer", key.layer), Named("block", key.block),
           Named("attempt", key.attempt), Named("candidate", key.candidate),
           Named("rung", key.epochs));
}

// What became of it. Its state, which is large, is asked for on its own.
struct Finished {
  Score score;
  int epochs = 0;  // really trained
  bool diverged = false;
  double seconds = 0;  // since the search began
};
decltype(auto) Fields(auto& a, Finished& f) {
  return a(Named("epochs", f.epochs), Named("diverged", f.diverged), Named("val", f.score),
           Named("seconds", f.seconds));
}

// "operator_set": {"dog", "sum", "tanh"}, ...
using Notes = std::map<std::string, std::vector<std::string>>;

// Hands out the candidates of a batch, to this process and to others that share the run. Any thread
// may ask.
class WorkQueue {
 public:
  struct Item {
    size_t unit = 0;                // index in the batch
    std::optional<Finished> known;  // finished by somebody else, or earlier; else it is to be done
    bool earlier = false;           // in an earlier part of the run
  };
  virtual ~WorkQueue() = default;
  // Waits while others work on what is left. Nothing: all are finished, or go_on said no.
  virtual std::optional<Item> Next(const std::function<bool()>& go_on) = 0;
};

class RunStore {
 public:
  RunStore() = default;
  virtual ~RunStore() = default;
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;
  virtual bool keeps() const { return false; }

  virtual std::optional<Finished> Find(const WorkKey&) { return std::nullopt; }
  virtual std::string LoadState(const WorkKey&) { return {}; }  // empty if it was not kept
  // `notes` tell people what it was. `state` may be empty.
  virtual void Add(const WorkKey&, const Finished&, const Notes& /*notes*/,
                   const std::string& /*state*/) {}
  // Candidates that do not depend on each other, the heaviest first. Each is handed out once, to
  // be done and told by Add, or known.
  virtual std::unique_ptr<WorkQueue> Share(std::vector<WorkKey> batch);

  // The result of a stage: a search, a block, fine-tuning so far. Once it is kept, the states of
  // the candidates before it are not needed any more.
  virtual std::optional<std::string> Load(const std::string& /*stage*/) { return std::nullopt; }
  virtual void Save(const std::string& /*stage*/, std::string /*bytes*/) {}

  virtual void Journal(const nlohmann::ordered_json& /*line*/) {}
  virtual void Checkpoint(std::string /*model*/) {}
  // The last files of the run. `others` are the checksums, by name, of those that are there.
  using Sums = std::map<std::string, std::string>;
  virtual void Finish(const std::string& /*model*/, const std::string& /*metrics*/,
                      const Sums& /*others*/ = {}) {}
  // The run did not finish, but can go on; `metrics` are those of the last checkpoint, empty if
  // there is none. Throws if that could not be written.
  virtual void KeepForResume(const std::string& /*metrics*/) {}
  virtual bool failed() const { return false; }         // to write
  virtual double earlier_seconds() const { return 0; }  // of the run, before this part of it
};

}  // namespace gopnet
