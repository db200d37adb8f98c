// Compares algorithms on one data set, several seeds each, in one table: the paper's Tables 3 to 5
// (arXiv:1808.06377) for your own data.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gopnet/history.h"
#include "gopnet/params.h"
#include "gopnet/train.h"

namespace gopnet {

struct CompareOptions {
  // Names from Algorithms(); empty: all. popmem-o always brings "popfast*": POPfast whose layers
  // are as wide as the neurons and memory of the POPmem-O run with the same seed.
  std::vector<std::string> algorithms = {};
  int runs = 3;          // per system, with seeds seed, seed + 1, ...
  bool resplit = false;  // true: every run splits the rows anew; false: all runs see the same rows
  // Each parameter goes to the algorithms that have it. `memory` is a list here, one system per
  // entry (default: every memory); `threads` is the number of runs that train side by side.
  Params params = {};
  std::string folder = {};                         // see Compare
  std::map<std::string, std::string> source = {};  // where the rows come from, for the record
  double checkpoint_seconds = 30;                  // see TrainOptions
  size_t memory_limit = 0;  // see TrainOptions; shared by the runs side by side in one rank
  Ranks* ranks = nullptr;   // see TrainOptions
};

// One row of the table: an algorithm, with a memory if it has one. The last row is "linear", the
// baseline of every run; it has test scores only.
struct CompareSystem {
  std::string name;  // "popmem-o pca", "popfast*"
  std::string algorithm;
  std::string memory;       // empty if the algorithm has none
  std::string topology_of;  // popfast* only: the system whose widths it copies
  Params params;            // for Train; without seed, threads and popfast*'s topology
};

struct CompareRun {
  unsigned long long seed = 0;
  std::string folder;          // the run folder
  std::string error;           // why the run failed; everything below is then empty
  std::optional<double> test;  // the comparison's metric; empty if it is not a number
  std::optional<double> val;
  std::optional<double> linear;  // a linear model's score on the same test rows
  std::vector<int> widths;       // neurons plus memory of each layer
  long parameters = 0;
  int threads = 0;
  double seconds = 0;
  double seconds_per_layer = 0;  // rejected layers count, too
};

// Median and range over the runs that have the number.
struct Spread {
  int count = 0;
  double median = 0, min = 0, max = 0;
};

struct CompareRow {
  CompareSystem system;
  std::vector<CompareRun> runs;
  int failed = 0;
  Spread test, val, layers, parameters, seconds_per_layer, seconds;
};

struct Comparison {
  std::string metric;  // the parameter `metric` if larger is better, else accuracy or r2
  std::string task;
  std::map<std::string, long> data;  // rows of train, val, test; features; classes or targets
  int threads = 1;                   // at most this many runs side by side
  std::vector<unsigned long long> seeds;
  std::vector<CompareRow> rows;
  bool IsBest(
      const CompareRow& row) const;  // its median test score is the largest, or ties with it
};

// Watches a comparison. Calls come one at a time, from any thread.
class CompareObserver {
 public:
  virtual ~CompareObserver() = default;
  virtual void OnStart(const Comparison& /*without results*/, int /*done before*/, int /*runs*/) {}
  virtual void OnRunStart(const CompareSystem&, unsigned long long /*seed*/) {}
  virtual void OnCandidate(const CompareSystem&, unsigned long long, const CandidateEvent&) {}
  virtual void OnRun(const CompareSystem&, const CompareRun&, int /*done*/, int /*of*/,
                     double /*estimated seconds left; 0: unknown*/) {}
  virtual void OnWarning(const std::string&) {}
  virtual bool Continue() { return true; }  // false: Compare throws Stopped as soon as it can
};

// Checks names, values and folder and returns the systems to train. Throws Error. Reads no data, so
// mistakes are found before anything slow starts.
std::vector<CompareSystem> CheckComparison(const CompareOptions& options);

// Trains every system with every seed. Each run uses one thread; `threads` runs train side by side.
// Writes compare.json, a run folder <system>-<seed> for each run and finally table.json, table.csv
// and table.md to the folder. If the folder already holds this comparison, perhaps with fewer runs
// or systems, Compare continues it. The results do not depend on the number of threads. A run that
// throws Error counts as failed and the others continue; throws Error if all fail.
Comparison Compare(const TrainData& data, const CompareOptions& options,
                   CompareObserver* observer = nullptr);

// HoldsComparison: whether the folder holds a comparison. ReadComparison: the options of its last
// call, to continue it. Throws Error if compare.json is damaged.
bool HoldsComparison(const std::string& folder);
CompareOptions ReadComparison(const std::string& folder);

// The table. JSON and CSV hold the numbers as measured; Markdown has accuracy in percent and the
// best in bold.
std::string ToJson(const Comparison& comparison, int indent = 2);
std::string ToCsv(const Comparison& comparison);
std::string ToMarkdown(const Comparison& comparison);
// The cells of the Markdown and text tables; the first row is the header.
std::vector<std::vector<std::string>> TableCells(const Comparison& comparison);
std::string TableNote(const Comparison& comparison);  // a line that explains the times

}  // namespace gopnet
