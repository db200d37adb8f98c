// Several algorithms on one data set, several seeds each, in one table: what the paper's Tables 3
// to 5 tell (arXiv:1808.06377), for one's own data.
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
  // Names as of Algorithms(); empty: all. "popfast*" is POPfast with as many neurons a layer as
  // POPmem-O has neurons and memory of the same seed; it comes with popmem-o, named or not.
  std::vector<std::string> algorithms = {};
  int runs = 3;          // of each, with seeds seed, seed + 1, ...
  bool resplit = false;  // every run splits the rows anew; otherwise all see the same rows
  // Each goes to the algorithms that have it. memory is a list here, a system each (default: every
  // memory there is); threads counts the runs that go on side by side.
  Params params = {};
  std::string folder = {};                         // see Compare
  std::map<std::string, std::string> source = {};  // where the rows come from, for the record
  double checkpoint_seconds = 30;                  // see TrainOptions
  size_t memory_limit = 0;  // see TrainOptions; of the runs that go on side by side in a rank
  Ranks* ranks = nullptr;   // see TrainOptions
};

// One row of the table: an algorithm, with a memory if it has one. The last row of a comparison is
// "linear", the yardstick of every run, which has test scores only.
struct CompareSystem {
  std::string name;  // "popmem-o pca", "popfast*"
  std::string algorithm;
  std::string memory;       // empty if the algorithm has none
  std::string topology_of;  // of popfast*: the system whose widths it takes
  Params params;            // for Train; without seed, threads and the topology of popfast*
};

struct CompareRun {
  unsigned long long seed = 0;
  std::string folder;          // of the run
  std::string error;           // why there is no network; all below is empty then
  std::optional<double> test;  // the comparison's metric; empty if it is not a number
  std::optional<double> val;
  std::optional<double> linear;  // of a linear model on the same test rows
  std::vector<int> widths;       // neurons and memory of each layer
  long parameters = 0;
  int threads = 0;
  double seconds = 0;
  double seconds_per_layer = 0;  // the rejected layer included
};

// Of the runs that have the number.
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
  std::string metric;  // accuracy or r2, or the parameter metric if greater is better
  std::string task;
  std::map<std::string, long> data;  // rows of train, val, test; features; classes or targets
  int threads = 1;                   // runs side by side, at most
  std::vector<unsigned long long> seeds;
  std::vector<CompareRow> rows;
  bool IsBest(const CompareRow& row) const;  // no median of the test metric is greater
};

// Watches a comparison. Calls come one at a time, from any thread.
class CompareObserver {
 public:
  virtual ~CompareObserver() = default;
  virtual void OnStart(const Comparison& /*without results*/, int /*done before*/, int /*runs*/) {}
  virtual void OnRunStart(const CompareSystem&, unsigned long long /*seed*/) {}
  virtual void OnCandidate(const CompareSystem&, unsigned long long, const CandidateEvent&) {}
  virtual void OnRun(const CompareSystem&, const CompareRun&, int /*done*/, int /*of*/,
                     double /*seconds left, a guess; 0: none*/) {}
  virtual void OnWarning(const std::string&) {}
  virtual bool Continue() { return true; }  // false: Compare throws Stopped as soon as it can
};

// The systems that `options` mean, with names, values and folder checked; throws Error. Reads no
// data, so that what is wrong is found before anything slow begins.
std::vector<CompareSystem> CheckComparison(const CompareOptions& options);

// Trains every system with every seed, one thread each, as many side by side as `threads` says, and
// writes compare.json, a run folder <system>-<seed> for each run, and in the end table.json,
// table.csv and table.md to the folder. If the folder holds the same comparison, perhaps with fewer
// runs or systems, it goes on with that. The numbers do not depend on the threads. A run that ends
// in an Error is one that failed, the others go on; Error if all failed.
Comparison Compare(const TrainData& data, const CompareOptions& options,
                   CompareObserver* observer = nullptr);

// Whether a comparison was begun in the folder, and the options that it was last called with, to go
// on with it. Throws Error if its compare.json is damaged.
bool HoldsComparison(const std::string& folder);
CompareOptions ReadComparison(const std::string& folder);

// The table: numbers as measured, or as people read them (accuracy in percent), best in bold.
std::string ToJson(const Comparison& comparison, int indent = 2);
std::string ToCsv(const Comparison& comparison);
std::string ToMarkdown(const Comparison& comparison);
// The cells of Markdown and text; the first row is the header.
std::vector<std::vector<std::string>> TableCells(const Comparison& comparison);
std::string TableNote(const Comparison& comparison);  // what the times mean

}  // namespace gopnet
