#include "api/remote_run.h"

#include "algorithms/registry.h"
#include "api/train_run.h"
#include "base/check.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

// Throws the error that rank 0 answered, if it did.
void CheckAnswer(const std::string& answer) { Check(answer.empty(), answer); }

class RemoteBook : public Book {
 public:
  RemoteBook(Post& post, const Assignment& job, int slot, UsageWatch& usage, const Json& config,
             const std::string& metric)
      : post_(post), run_(job.run), ledger_(post, job.run, slot, true, usage) {
    std::string problem;
    Unpack(post.Ask(0, Pack(Kind::kOpenRun, run_, config.dump(), metric)), problem,
           earlier_seconds_);
    CheckAnswer(problem);
  }
  Ledger& ledger() override { return ledger_; }
  double earlier_seconds() const override { return earlier_seconds_; }
  void Journal(const Json& line) override {
    post_.Tell(0, Pack(Kind::kJournal, run_, line.dump()));
  }
  void Checkpoint(std::string model) override {
    post_.Tell(0, Pack(Kind::kCheckpoint, run_, model));
  }
  void Finish(const std::string& model, const std::string& metrics) override {
    CheckAnswer(post_.Ask(0, Pack(Kind::kFinishRun, run_, model, metrics)));
  }
  void Keep() override {}  // rank 0 does, when the job ends or this rank is lost
  bool failed() const override { return false; }  // rank 0 ends the job then

 private:
  Post& post_;
  const std::string run_;
  GuestLedger ledger_;
  double earlier_seconds_ = 0;
};

class RemoteObserver : public Observer {
 public:
  RemoteObserver(Post& post, std::string run, Observer& inner)
      : post_(post), run_(std::move(run)), inner_(inner) {}
  void OnCandidate(const CandidateEvent& event) override {
    post_.Tell(0, Pack(Kind::kCandidate, run_, event));
  }
  void OnWarning(const std::string& text) override {
    post_.Tell(0, Pack(Kind::kWarning, run_, text));
  }
  bool Continue() override { return inner_.Continue(); }

 private:
  Post& post_;
  const std::string run_;
  Observer& inner_;
};

}  // namespace

void RemoteLead::Run(const TrainData& data) {
  RemoteObserver observer(post_, job_.run, inner_);
  TrainOptions options{job_.folder, &observer, 0, job_.source};
  options.checkpoint_seconds = job_.checkpoint_seconds;
  Lead lead;
  lead.threads = threads_;
  lead.open_book = [&](const Json& config, const std::string& metric, Observer&) {
    return std::make_unique<RemoteBook>(post_, job_, slot_, usage_, config, metric);
  };
  LeadRun(FindAlgorithm(job_.algorithm), job_.values, data, options, lead);
}

}  // namespace gopnet
