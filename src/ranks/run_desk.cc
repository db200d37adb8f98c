#include "ranks/run_desk.h"

#include <utility>

#include "io/journal.h"
#include "nn/runtime.h"
#include "ranks/protocol.h"

namespace gopnet {
namespace {

class DeskTurns : public Turns {
 public:
  DeskTurns(RunDesk& desk, const WorkPool::Worker& worker, std::string batch, UsageWatch& usage)
      : pool_(desk.pool()), worker_(worker), batch_(std::move(batch)), usage_(usage) {}

  std::optional<Turn> Next(const std::function<bool()>& go_on) override {
    constexpr double kLook = 0.2;  // seconds between two looks at go_on
    const auto start = BatchUsage::Clock::now();
    WorkPool::Turn turn;
    while (go_on() && turn.kind == WorkPool::Turn::kWait)
      turn = pool_.WaitNext(batch_, worker_, kLook);
    usage_.Count(BatchUsage::Since(start), 0, turn.kind == WorkPool::Turn::kWork);
    if (turn.kind == WorkPool::Turn::kGone) throw Leave{true};
    if (turn.kind == WorkPool::Turn::kWork) return Turn{turn.unit, std::nullopt, false};
    if (turn.kind != WorkPool::Turn::kResult) return std::nullopt;
    Finished finished;
    Unpack(turn.result, finished);
    return Turn{turn.unit, finished, turn.earlier};
  }

 private:
  WorkPool& pool_;
  const WorkPool::Worker worker_;
  const std::string batch_;
  BatchUsage usage_;
};

}  // namespace

std::optional<Finished> RunDesk::Find(const WorkKey& key) {
  const std::lock_guard lock(mutex_);
  const auto it = finished_.find(key);
  return it != finished_.end() ? it->second : inner_->Find(key);
}

std::string RunDesk::State(const WorkKey& key) {
  const std::lock_guard lock(mutex_);
  for (const auto* states : {&states_, &earlier_states_}) {
    const auto it = states->find(key);
    if (it != states->end()) return it->second;
  }
  return inner_->State(key);
}

void RunDesk::Add(const WorkPool::Worker& by, const WorkKey& key, const Finished& finished,
                  const Notes& notes, const std::string& state) {
  std::optional<Place> place;
  {
    const std::lock_guard lock(mutex_);
    const bool first = finished_.try_emplace(key, finished).second;
    if (first && !key.passing()) inner_->Add(key, finished, notes, state);
    if (first && !state.empty()) states_[key] = state;
    const auto it = places_.find(key);
    if (it != places_.end()) place = it->second;
  }
  if (place) pool_.Finish(place->batch, place->unit, by, Pack(finished));
}

std::optional<std::string> RunDesk::Load(const std::string& stage) {
  const std::lock_guard lock(mutex_);
  const auto it = stages_.find(stage);
  return it != stages_.end() ? it->second : inner_->Load(stage);
}

void RunDesk::Save(const std::string& stage, std::string bytes) {
  const std::lock_guard lock(mutex_);
  stages_[stage] = bytes;
  earlier_states_.clear();
  for (auto it = states_.begin(); it != states_.end();) {  // helpers may be ahead, in the next one
    const bool past = stage.starts_with(Join("variant", it->first.variant, "-"));
    auto state = past ? states_.extract(it++) : decltype(states_)::node_type();
    past ? (void)earlier_states_.insert(std::move(state)) : (void)++it;
  }
  inner_->Save(stage, std::move(bytes));
}

void RunDesk::Close() {
  {
    const std::lock_guard lock(mutex_);
    inner_ = &nothing_;
  }
  pool_.Drop(run_ + "/");
}

std::string RunDesk::OpenBatch(const std::vector<WorkKey>& keys) {
  const std::string name = run_ + "/" + Checksum(Pack(keys));  // the same on every rank
  std::map<size_t, std::string> known;
  for (size_t i = 0; i < keys.size(); ++i)
    if (const auto finished = Find(keys[i])) known[i] = Pack(*finished);
  {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < keys.size(); ++i) places_.try_emplace(keys[i], Place{name, i});
  }
  pool_.Open(name, keys.size(), known);
  opened_ = true;
  return name;
}

std::unique_ptr<Turns> DeskLedger::Share(std::vector<WorkKey> batch) {
  return std::make_unique<DeskTurns>(desk_, worker_, desk_.OpenBatch(batch), usage_);
}

}  // namespace gopnet
