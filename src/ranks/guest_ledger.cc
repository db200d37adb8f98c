#include "ranks/guest_ledger.h"

#include <deque>
#include <mutex>
#include <utility>

#include "nn/runtime.h"
#include "ranks/protocol.h"

namespace gopnet {
namespace {

class GuestTurns : public Turns {
 public:
  GuestTurns(Post& post, std::string run, int worker, bool leads, std::string batch,
             UsageWatch& usage)
      : post_(post),
        run_(std::move(run)),
        worker_(worker),
        leads_(leads),
        batch_(std::move(batch)),
        usage_(usage) {}

  std::optional<Turn> Next(const std::function<bool()>& go_on) override {
    for (;;) {
      if (auto told = Told()) return told;
      if (done_ || !go_on()) return std::nullopt;
      if (const auto unit = Ask()) return Turn{*unit, std::nullopt, false};
    }
  }

 private:
  // A result that rank 0 has told.
  std::optional<Turn> Told() {
    const std::lock_guard lock(mutex_);
    if (told_.empty()) return std::nullopt;
    const TurnLine line = std::move(told_.front());
    told_.pop_front();
    Finished finished;
    Unpack(line.result, finished);
    return Turn{static_cast<size_t>(line.unit), finished, false};
  }

  // A unit to work on, if there is one; results are put aside.
  std::optional<size_t> Ask() {
    const auto start = BatchUsage::Clock::now();
    std::vector<TurnLine> lines;
    double waited = 0;
    Unpack(GuestLedger::AskAboutRun(post_, Pack(Kind::kTurn, run_, worker_, leads_, batch_)), lines,
           waited);
    std::optional<size_t> unit;
    const std::lock_guard lock(mutex_);
    for (TurnLine& line : lines) {
      if (line.kind == WorkPool::Turn::kResult)
        told_.push_back(std::move(line));
      else if (line.kind == WorkPool::Turn::kWork)
        unit = static_cast<size_t>(line.unit);
      else if (line.kind == WorkPool::Turn::kDone)
        done_ = true;
    }
    usage_.Count(waited, std::max(0.0, BatchUsage::Since(start) - waited), unit.has_value());
    return unit;
  }

  Post& post_;
  const std::string run_;
  const int worker_;
  const bool leads_;
  const std::string batch_;
  std::mutex mutex_;
  std::deque<TurnLine> told_;
  std::atomic<bool> done_{false};
  BatchUsage usage_;
};

}  // namespace

std::string GuestLedger::AskAboutRun(Post& post, std::string question) {
  std::optional<std::string> answer;
  Unpack(post.Ask(0, std::move(question)), answer);
  if (!answer) throw Leave{true};
  return std::move(*answer);
}

std::string GuestLedger::State(const WorkKey& key) {
  return AskAboutRun(post_, Pack(Kind::kState, run_, key));
}

void GuestLedger::Add(const WorkKey& key, const Finished& finished, const Notes& notes,
                      const std::string& state) {
  post_.Tell(0, Pack(Kind::kAdd, run_, worker_, key, finished, notes, state));
}

std::unique_ptr<Turns> GuestLedger::Share(std::vector<WorkKey> batch) {
  const std::string name = AskAboutRun(post_, Pack(Kind::kBatch, run_, batch));
  return std::make_unique<GuestTurns>(post_, run_, worker_, leads_, name, usage_);
}

std::optional<std::string> GuestLedger::Load(const std::string& stage) {
  std::optional<std::string> known;
  Unpack(AskAboutRun(post_, Pack(Kind::kLoad, run_, stage)), known);
  return known;
}

void GuestLedger::Save(const std::string& stage, std::string bytes) {
  if (leads_) post_.Tell(0, Pack(Kind::kSave, run_, stage, bytes));
}

}  // namespace gopnet
