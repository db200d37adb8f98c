// What a run has finished, so that it need not be done again: an algorithm asks before it works and
// tells when it is done. A run that starts again is led by the answers to where it was stopped,
// with the same result, since everything between them is deterministic. This class keeps nothing;
// the one that does is io/run_ledger.h.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  // Not a candidate, but a part of a sum: of use to the ranks of this job only.
  bool passing() const { return block < 0; }
};

// What became of it. Its state, which is large, is asked for on its own.
struct Finished {
  Score score;
  int epochs = 0;  // really trained
  bool diverged = false;
  double seconds = 0;  // since the search began
};

// "operator_set": {"dog", "sum", "tanh"}, ...
using Notes = std::map<std::string, std::vector<std::string>>;

// Hands out the candidates of a batch, to this process and to others that share the run. Any thread
// may ask.
class Turns {
 public:
  struct Turn {
    size_t unit = 0;                // index in the batch
    std::optional<Finished> known;  // finished by somebody else, or earlier; else it is to be done
    bool earlier = false;           // in an earlier part of the run
  };
  virtual ~Turns() = default;
  // Waits while others work on what is left. Nothing: all are finished, or go_on said no.
  virtual std::optional<Turn> Next(const std::function<bool()>& go_on) = 0;
};

class Ledger {
 public:
  virtual ~Ledger() = default;
  virtual bool keeps() const { return false; }
  virtual bool shares() const { return false; }  // with other ranks

  virtual std::optional<Finished> Find(const WorkKey&) { return std::nullopt; }
  virtual std::string State(const WorkKey&) { return {}; }  // empty if it was not kept
  // `notes` tell people what it was. `state` may be empty.
  virtual void Add(const WorkKey&, const Finished&, const Notes& /*notes*/,
                   const std::string& /*state*/) {}

  // Candidates that do not depend on each other, the heaviest first. Each is handed out once, to
  // be done and told by Add, or known.
  virtual std::unique_ptr<Turns> Share(std::vector<WorkKey> batch);

  // The result of a stage: a search, a block, fine-tuning so far. Once it is kept, the states of
  // the candidates before it are not needed any more.
  virtual std::optional<std::string> Load(const std::string& /*stage*/) { return std::nullopt; }
  virtual void Save(const std::string& /*stage*/, std::string /*bytes*/) {}
};

}  // namespace gopnet
