// The history of a training: candidates tried, layers accepted or rejected, why growth stopped.
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

// A part of a layer that was added separately: a block of HeMLGOP, a step of BLS or PLN.
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
  std::vector<std::string> operator_set, output_set;  // as in LayerRecord
};

struct LayerRecord {
  int units = 0;
  std::vector<std::string> operator_set;  // nodal, pool, activation; of the first block
  std::vector<std::string> output_set;    // of the output layer, if it consists of GOPs (POP)
  MemoryRecord memory;
  Metrics train;
  Metrics val;
  int candidates = 0;
  long epochs = 0;  // of all candidates together
  int diverged = 0;
  double seconds = 0;
  std::vector<BlockRecord> blocks;  // empty if the layer was added as a whole
  // Learning curve of the winning candidate: selection metric and loss on the selection rows,
  // before training and after every epoch.
  std::map<std::string, std::vector<double>> curve;
  bool ranks_only = false;  // the search only ranked operator sets for the networks that follow
  // Operator sets that the search trained, best first: by the epochs they reached, then by score.
  // For POP each with its best output set.
  std::vector<RankedSet> ranking;
};

// One target of several.
struct TargetMetrics {
  std::string name;  // "target 1" if the targets have no names
  Metrics metrics;
};

// Rows of one class that were predicted as another.
struct Confusion {
  std::string truth, predicted;
  long rows = 0;
  long of = 0;  // all rows of the class
};

// Cross-validation: each fold is scored by a network that was trained on the other folds.
struct CrossValidation {
  std::string metric = {};           // accuracy, r2 or, with huber and pinball, loss
  int folds = 0;                     // number requested
  std::vector<Metrics> scores = {};  // one per fold; fewer if time ran out
  // The folds' scores by any metric. They leave out values that are not finite, such as an AUC of
  // one class, except of `metric`.
  std::vector<double> Of(const std::string& name) const;
  double Mean(const std::string& name) const;
  double Deviation(const std::string& name) const;  // standard deviation
  double Error(const std::string& name) const;      // standard error of the mean
};

// One network of an average (parameters ensemble and folds).
struct MemberRecord {
  std::vector<std::string> operator_set;  // of its first layer
  int layers = 0;
  int fold = -1;  // the fold it was validated on; -1: the validation rows
  double weight = 1;
  Metrics val;
};

// How the threads of one rank spent their time in searches, in seconds per thread.
struct RankRecord {
  int rank = 0;
  long candidates = 0;  // trained on this rank
  double seconds = 0;
  double waiting = 0;        // for other ranks to finish
  double communication = 0;  // for answers from rank 0
};

struct History {
  std::string algorithm;
  std::string memory;
  std::string task;
  std::string metric;     // the selection metric
  bool by_loss = false;   // the loss judges, not r2, since it is not of the mean: huber, pinball
  bool weighted = false;  // rows have weights, and scores of layers and members use them
  unsigned long long seed = 0;
  // rows of train, val and test; features; classes or targets; if folds validate, their number, and
  // held_out: training rows that the networks of the model validated on
  std::map<std::string, long> data;
  std::vector<LayerRecord> layers;
  std::vector<LayerRecord> rejected;  // the last layers, which did not improve; usually one
  std::string stopped;                // why growth ended, as a sentence
  std::vector<MemberRecord>
      members;                // empty for a single network; else `layers` are those of the best
  int networks_left_out = 0;  // networks that were trained but are not in the average
  int finetune_epochs = 0;
  int finetune_best_epoch = 0;
  double finetune_seconds = 0;
  std::vector<double> finetune_curve;      // the measure that decides, after each epoch of it
  std::map<std::string, Metrics> metrics;  // "train", "val", "test"
  // Metrics of each target, by set ("train", ...), if there are several. Empty in classification.
  std::map<std::string, std::vector<TargetMetrics>> targets;
  std::vector<Confusion> confused;  // the most frequent on test, or else val; at most 3
  CrossValidation cv;               // TrainOptions::cv_folds
  // Scores of the baselines "linear" and "constant" on the test rows, or else on val.
  std::map<std::string, Metrics> yardsticks;
  // Parameters that a grid chose: name and value.
  std::map<std::string, std::string> chosen;
  std::vector<RankRecord> ranks;  // empty if there was only one
  long parameters = 0;
  double seconds = 0;       // time of Train
  double load_seconds = 0;  // TrainOptions::load_seconds
};

// Tells an observer that a candidate of an operator search is finished.
struct CandidateEvent {
  int layer = 0;  // 1-based
  int done = 0;   // candidates finished in this search, including this one
  int total = 0;
  int round = 1;  // a search may drop the worst sets after each round
  int rounds = 1;
  int set = 0;  // candidates finished in this round
  int sets = 0;
  bool ranks_only = false;  // as in LayerRecord
  double share = 0;         // estimated share of the work that is done, in [0, 1]
  std::vector<std::string> operator_set;
  std::vector<std::string> output_set;  // POP: operator set of the output layer
  Metrics val;
  bool diverged = false;
  bool recalled = false;  // finished before the run was interrupted; not trained again
  int epochs = 0;
  std::vector<std::string> best_operator_set;  // best so far
  double best_score = 0;
  std::string metric;
};

// Tells an observer that a setting of a parameter grid is finished.
struct GridEvent {
  int done = 0;
  int total = 0;
  std::map<std::string, std::string> setting;  // parameter and value
  Metrics val;
  bool recalled = false;  // as in CandidateEvent
  std::map<std::string, std::string> best_setting;
  double best_score = 0;
  std::string metric;
};

// Tells an observer that a network of an average is finished.
struct MemberEvent {
  int done = 0;
  int total = 0;
  int network = 1;  // which of them, from 1; networks finish in any order
  std::vector<std::string>
      operator_set;  // of its first layer; empty if the algorithm searches none
  int fold = -1;
  Metrics val;
  bool recalled = false;  // as in CandidateEvent
  std::string metric;
};

// One epoch of training, as an observer sees it: of fine-tuning a whole network or, for networks
// that will be averaged, also of training one of their layers. (The search for operators reports
// candidates instead.) Networks train at the same time, so their epochs interleave.
struct EpochEvent {
  int network = 0;  // of an average, from 1; 0 for a single network
  int networks = 1;
  int layer = 0;  // the layer that is trained, from 1; 0 for fine-tuning
  std::vector<std::string> operator_set = {};  // of that layer; empty for fine-tuning
  int epoch = 0;                               // from 1
  int epochs = 0;                              // planned
  Metrics val = {};  // after this epoch; layers have the measure that decides and the loss
};

class Model;

// Watches training. Override what you need. Calls come one at a time, each from the thread that
// trains, which waits until they return: it may be another thread for every call.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnStart(const History&) {}
  virtual void OnCandidate(const CandidateEvent&) {}
  virtual void OnGrid(const GridEvent&) {}
  virtual void OnMember(const MemberEvent&) {}
  virtual void OnBlock(const BlockRecord&, int /*layer*/, int /*block*/, bool /*accepted*/) {}
  virtual void OnLayer(const LayerRecord&, int /*index, 1-based*/, bool /*accepted*/) {}
  // Not called for networks that another rank trains, or that an earlier part of the run trained.
  virtual void OnEpoch(const EpochEvent&) {}
  // The best network so far: after every accepted layer, and when training is stopped.
  virtual void OnCheckpoint(const Model&, const History&) {}
  // A fold of the cross-validation is done.
  virtual void OnFold(int /*done*/, int /*folds*/, const Metrics& /*test*/) {}
  virtual void OnWarning(const std::string&) {}
  virtual bool Continue() { return true; }  // return false to stop; Train then throws Stopped
};

}  // namespace gopnet
