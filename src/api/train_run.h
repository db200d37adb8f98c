// A run once its parameters are settled: led by this process, or helped with.
#pragma once

#include "algorithms/algorithm.h"
#include "api/book.h"
#include "gopnet/train.h"

namespace gopnet {

// How a run that ranks share is led.
struct Lead {
  int threads = 1;
  // Makes the book of the run, of which config.json says what it is.
  std::function<std::unique_ptr<Book>(const nlohmann::ordered_json& config,
                                      const std::string& metric, Observer& warn)>
      open_book;
  // Makes of the run's own ledger one that ranks share, for as long as it lives; may be empty.
  std::function<std::unique_ptr<Ledger>(Ledger& own, const std::string& fingerprint)> share;
  std::function<bool()> go_on;                     // false: the job is to stop
  std::function<std::vector<RankRecord>()> usage;  // of all ranks, for the record
};

TrainResult LeadRun(const Algorithm& algorithm, const Values& values, const TrainData& data,
                    const TrainOptions& options, const Lead& lead);

// The run's folder as its book; null if options name none.
std::unique_ptr<Book> OpenFolder(const TrainOptions& options, const nlohmann::ordered_json& config,
                                 const std::string& metric, Observer& warn);

// Says nothing; asks go_on.
class GoOnObserver : public Observer {
 public:
  explicit GoOnObserver(std::function<bool()> go_on) : go_on_(std::move(go_on)) {}
  bool Continue() override { return go_on_(); }

 private:
  std::function<bool()> go_on_;
};

// Shares the searches of a run that another process leads, until there is nothing to help with.
// Throws Error if the rows are not those of the run.
void HelpRun(const Algorithm& algorithm, const Values& values, const TrainData& data,
             const std::string& fingerprint, int threads, Ledger& ledger, Observer& observer);

}  // namespace gopnet
