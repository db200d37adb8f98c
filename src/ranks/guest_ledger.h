// The ledger of a worker on a rank that is not 0: asks rank 0, and tells it.
#pragma once

#include "nn/ledger.h"
#include "ranks/usage_watch.h"
#include "search/post.h"

namespace gopnet {

class GuestLedger : public Ledger {
 public:
  // leads: what becomes of stages is for this rank to tell.
  GuestLedger(Post& post, std::string run, int worker, bool leads, UsageWatch& usage)
      : post_(post), run_(std::move(run)), worker_(worker), leads_(leads), usage_(usage) {}
  bool keeps() const override { return true; }
  bool shares() const override { return true; }
  std::string State(const WorkKey& key) override;
  void Add(const WorkKey& key, const Finished& finished, const Notes& notes,
           const std::string& state) override;
  std::unique_ptr<Turns> Share(std::vector<WorkKey> batch) override;
  std::optional<std::string> Load(const std::string& stage) override;
  void Save(const std::string& stage, std::string bytes) override;

  // Asks rank 0 about a run; throws Leave if the run is over, or another one needs help.
  static std::string AskAboutRun(Post& post, std::string question);

 private:
  Post& post_;
  const std::string run_;
  const int worker_;
  const bool leads_;
  UsageWatch& usage_;
};

}  // namespace gopnet
