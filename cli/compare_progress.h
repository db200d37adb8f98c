// Shows a comparison while it goes on, on stderr: a line for each finished run and, in a terminal,
// one below them with what is running.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "cli/status_line.h"
#include "cli/text.h"
#include "gopnet/compare.h"

namespace gopnet::cli {

class CompareProgress : public CompareObserver {
 public:
  // `headlines` open the messages once the data have turned out to be right.
  CompareProgress(bool quiet, Words headlines);

  void OnStart(const Comparison& comparison, int done, int total) override;
  void OnRunStart(const CompareSystem& system, unsigned long long seed) override;
  void OnCandidate(const CompareSystem& system, unsigned long long seed,
                   const CandidateEvent& event) override;
  void OnRun(const CompareSystem& system, const CompareRun& run, int done, int total,
             double seconds_left) override;
  void OnWarning(const std::string& warning) override;
  bool Continue() override;  // false if there is a reason to stop

 private:
  using Key = std::pair<std::string, unsigned long long>;  // system, seed
  void DrawRunning();

  const Words headlines_;
  StatusLine status_;
  std::map<Key, std::string> running_;  // with how far they are
  std::string metric_;
  size_t name_width_ = 0;
  int done_ = 0, total_ = 0;
  bool told_ = false;  // that we are stopping
};

}  // namespace gopnet::cli
