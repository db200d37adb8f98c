// Shows training while it goes on, on stderr: in a terminal one line a layer, drawn again and
// again; in a pipe plain lines, one a layer and one every ten seconds.
#pragma once

#include <chrono>
#include <string>

#include "cli/status_line.h"
#include "gopnet/history.h"

namespace gopnet::cli {

class Progress : public Observer {
 public:
  // `headline` opens the messages once the data have turned out to be right.
  Progress(bool quiet, std::string headline);

  void OnStart(const History& history) override;
  void OnCandidate(const CandidateEvent& event) override;
  void OnGrid(const GridEvent& event) override;
  void OnBlock(const BlockRecord& block, int layer, int index, bool accepted) override;
  void OnLayer(const LayerRecord& layer, int index, bool accepted) override;
  void OnFinetuneEpoch(int epoch, int epochs, const Metrics& val) override;
  void OnWarning(const std::string& warning) override;
  bool Continue() override;  // false if there is a reason to stop

 private:
  using Clock = std::chrono::steady_clock;
  void Restart();  // a new stage begins: a layer, fine-tuning
  void Pass(bool recalled, int done);
  std::string TimeLeft(int done, int total) const;
  std::string Score(const Metrics& metrics) const;

  const std::string headline_;
  StatusLine status_;
  std::string metric_;  // the one that decides
  bool told_ = false;   // that we are stopping
  bool finetuning_ = false;
  int passed_ = 0;  // pieces of this stage that an earlier part of the run did
  Clock::time_point stage_start_;
};

}  // namespace gopnet::cli
