// Writes a run's folder while training goes on, and passes every event on to the caller's observer.
#pragma once

#include <memory>
#include <mutex>

#include "algorithms/algorithm.h"
#include "api/prepare.h"
#include "gopnet/train.h"
#include "io/run_folder.h"

namespace gopnet {

class RunRecorder : public Observer {
 public:
  // Makes the folder and writes config.json, unless options name no folder.
  RunRecorder(const TrainOptions& options, const std::string& algorithm, const Values& values,
              const Prepared& p);
  ~RunRecorder() override;
  void Checkpoint(const std::string& model_bytes);
  void Finish(const std::string& model_bytes, const History& history);
  void Keep();  // the folder stays although the run did not finish

  void OnStart(const History& history) override;
  void OnCandidate(const CandidateEvent& event) override;
  void OnGrid(const GridEvent& event) override;
  void OnBlock(const BlockRecord& block, int layer, int index, bool accepted) override;
  void OnLayer(const LayerRecord& layer, int index, bool accepted) override;
  void OnFinetuneEpoch(int epoch, int epochs, const Metrics& val) override;
  void OnWarning(const std::string& message) override;
  bool Continue() override;

 private:
  Observer* inner_;
  std::mutex mutex_;  // the caller's observer is called by one thread at a time
  std::unique_ptr<RunFolder> folder_;
};

}  // namespace gopnet
