// What happened in training: candidates tried, layers accepted or rejected, why growth stopped.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gopnet {

using Metrics = std::map<std::string, double>;  // "accuracy", "loss", "r2", ... by name

struct MemoryRecord {
  std::string type;  // "pca", "lda"; empty if the layer has no memory
  int dims = 0;
};

// A part of a layer that was added on its own: a block of HeMLGOP, a step of BLS or PLN.
struct BlockRecord {
  int units = 0;
  std::vector<std::string> operator_set;
  Metrics val;
  int candidates = 0;
  long epochs = 0;
  int diverged = 0;
  double seconds = 0;
};

struct RankedSet {
  std::vector<std::string> operator_set, output_set;  // as those of a LayerRecord
};

struct LayerRecord {
  int units = 0;
  std::vector<std::string> operator_set;  // nodal, pool, activation; of the first block
  std::vector<std::string> output_set;    // of the output layer, if it is one of GOPs (POP)
  MemoryRecord memory;
  Metrics train;
  Metrics val;
  int candidates = 0;
  long epochs = 0;  // spent on all candidates together
  int diverged = 0;
  double seconds = 0;
  std::vector<BlockRecord> blocks;  // empty if the layer came in one piece
  // How the winner of a search learned: the measure that decides and the loss, on the rows that
  // choose, of its start and of every epoch.
  std::map<std::string, std::vector<double>> curve;
  bool ranks_only = false;  // it only ranked operator sets for the networks that follow
  // Operator sets that a search of trained candidates tried, the best first: by how far they came,
  // then by their score. Of POP each with the output set that was best with it.
  std::vector<RankedSet> ranking;
};

// One target of several.
struct TargetMetrics {
  std::string name;  // "target 1" if they came without names
  Metrics metrics;
};

// Rows of one class that were taken for another.
struct Confusion {
  std::string truth, predicted;
  long rows = 0;
  long of = 0;  // rows of the class
};

// What networks scored on rows that others of the same kind did not see: each of the folds by a
// network that was trained on all others.
struct CrossValidation {
  std::string metric = {};           // accuracy or r2
  int folds = 0;                     // that were asked for
  std::vector<Metrics> scores = {};  // of each fold; fewer if the time was over
  double Mean() const;
  double Deviation() const;  // standard deviation of the folds' scores
  double Error() const;      // standard error of their mean
};

// One network of several that make a model (parameters ensemble and folds).
struct MemberRecord {
  std::vector<std::string> operator_set;  // of its first layer
  int layers = 0;
  int fold = -1;  // whose rows it was validated on; -1: the validation rows
  double weight = 1;
  Metrics val;
};

// How the threads of one of several ranks spent their time in searches, in seconds of a thread.
struct RankRecord {
  int rank = 0;
  long candidates = 0;  // trained there
  double seconds = 0;
  double waiting = 0;        // for other ranks to finish
  double communication = 0;  // for answers of rank 0
};

struct History {
  std::string algorithm;
  std::string memory;
  std::string task;
  std::string metric;     // the measure that decides
  bool weighted = false;  // rows have weights: scores of layers and members count them
  unsigned long long seed = 0;
  // rows of train, val, test; folds of train, if these validate; features; classes or targets
  std::map<std::string, long> data;
  std::vector<LayerRecord> layers;
  std::vector<LayerRecord> rejected;  // the last proposals, which did not improve; usually one
  std::string stopped;                // why growth ended, in words
  std::vector<MemberRecord>
      members;                // empty for a single network; layers are then those of the best
  int networks_left_out = 0;  // that were trained and have no part in the average
  int finetune_epochs = 0;
  int finetune_best_epoch = 0;
  double finetune_seconds = 0;
  std::vector<double> finetune_curve;      // the measure that decides, after each epoch of it
  std::map<std::string, Metrics> metrics;  // "train", "val", "test"
  // Of several targets each; by set, as metrics. Empty in classification.
  std::map<std::string, std::vector<TargetMetrics>> targets;
  std::vector<Confusion> confused;  // on test, or else on val: the most frequent, at most 3
  CrossValidation cv;               // TrainOptions::cv_folds
  // "linear" and "constant": what the simplest models reach on the test rows, or else on val.
  std::map<std::string, Metrics> yardsticks;
  // Parameters that a grid chose: name, value.
  std::map<std::string, std::string> chosen;
  std::vector<RankRecord> ranks;  // empty if there was only one
  long parameters = 0;
  double seconds = 0;       // of Train
  double load_seconds = 0;  // of reading the data before it, as the caller measured
};

// One finished candidate of an operator search, as an observer sees it.
struct CandidateEvent {
  int layer = 0;  // 1-based
  int done = 0;   // trainings finished in this search, this one included
  int total = 0;
  int round = 1;  // a search may drop the worse sets after each of several rounds
  int rounds = 1;
  int set = 0;  // trainings finished in this round
  int sets = 0;
  bool ranks_only = false;  // as of a layer
  double share = 0;  // of the work that is known to be ahead, what is done: a guess in [0, 1]
  std::vector<std::string> operator_set;
  std::vector<std::string> output_set;  // POP: of the output layer
  Metrics val;
  bool diverged = false;
  bool recalled = false;  // finished before the run was stopped, and not trained again
  int epochs = 0;
  std::vector<std::string> best_operator_set;  // best so far
  double best_score = 0;
  std::string metric;
};

// One network of a grid of parameters, as an observer sees it.
struct GridEvent {
  int done = 0;
  int total = 0;
  std::map<std::string, std::string> setting;  // parameter, value
  Metrics val;
  bool recalled = false;  // as of a candidate
  std::map<std::string, std::string> best_setting;
  double best_score = 0;
  std::string metric;
};

// One network of an ensemble, as an observer sees it.
struct MemberEvent {
  int done = 0;
  int total = 0;
  std::vector<std::string>
      operator_set;  // of its first layer; empty if the algorithm has none to choose
  int fold = -1;
  Metrics val;
  bool recalled = false;  // as of a candidate
  std::string metric;
};

class Model;

// Watches training. Calls come one at a time, from any thread. Every function may be left alone.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnStart(const History&) {}
  virtual void OnCandidate(const CandidateEvent&) {}
  virtual void OnGrid(const GridEvent&) {}
  virtual void OnMember(const MemberEvent&) {}
  virtual void OnBlock(const BlockRecord&, int /*layer*/, int /*block*/, bool /*accepted*/) {}
  virtual void OnLayer(const LayerRecord&, int /*index, 1-based*/, bool /*accepted*/) {}
  virtual void OnFinetuneEpoch(int /*epoch*/, int /*epochs*/, const Metrics& /*val*/) {}
  // The best network so far, after every layer that was accepted and when training is stopped.
  virtual void OnCheckpoint(const Model&, const History&) {}
  // A fold of the cross-validation was measured.
  virtual void OnFold(int /*done*/, int /*folds*/, const Metrics& /*test*/) {}
  virtual void OnWarning(const std::string&) {}
  virtual bool Continue() { return true; }  // false: stop as soon as possible; Train throws Stopped
};

}  // namespace gopnet
