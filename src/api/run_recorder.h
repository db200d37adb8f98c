// Writes a run's folder while training goes on, and passes every event on to the caller's observer.
#pragma once

#include <memory>
#include <mutex>
#include <set>

#include "algorithms/algorithm.h"
#include "api/prepare.h"
#include "gopnet/train.h"
#include "io/run_folder.h"
#include "io/run_ledger.h"

namespace gopnet {

class RunRecorder : public Observer {
 public:
  // Makes the folder and writes config.json, or opens that of a run to go on with and checks that
  // it is this one; unless options name no folder.
  RunRecorder(const TrainOptions& options, const std::string& algorithm, const Values& values,
              const Prepared& p);
  ~RunRecorder() override;

  Ledger* ledger() { return ledger_.get(); }  // null without a folder
  double earlier_seconds() const { return folder_ ? folder_->earlier_seconds() : 0; }
  void BeginVariant(int variant) { variant_ = variant; }
  void Checkpoint(ModelData model, const History& history);
  void Finish(const std::string& model_bytes, const History& history);
  // The run did not finish, but can go on: the folder stays. Throws if that could not be written.
  void Keep();

  void OnStart(const History& history) override;
  void OnCandidate(const CandidateEvent& event) override;
  void OnGrid(const GridEvent& event) override;
  void OnBlock(const BlockRecord& block, int layer, int index, bool accepted) override;
  void OnLayer(const LayerRecord& layer, int index, bool accepted) override;
  void OnFinetuneEpoch(int epoch, int epochs, const Metrics& val) override;
  void OnWarning(const std::string& message) override;
  bool Continue() override;

 private:
  void Begin(const nlohmann::ordered_json& config);
  void GoOn(const std::string& path, const nlohmann::ordered_json& config);
  void Journal(const nlohmann::ordered_json& line);

  Observer* inner_;
  std::mutex mutex_;  // the caller's observer is called by one thread at a time
  std::unique_ptr<RunFolder> folder_;
  std::unique_ptr<RunLedger> ledger_;
  std::set<std::string> told_;  // layers and blocks that the journal has already
  int variant_ = 0;
};

}  // namespace gopnet
