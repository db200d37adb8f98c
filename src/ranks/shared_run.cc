#include "ranks/shared_run.h"

#include <utility>

#include "base/check.h"
#include "run/journal.h"

namespace gopnet {
namespace {

constexpr std::chrono::milliseconds kLook(200);  // rank 0 looks whether to go on

double Since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

}  // namespace

std::optional<WorkQueue::Item> SharedQueue::Next(const std::function<bool()>& go_on) {
  std::unique_lock lock(mutex_);
  for (;;) {
    while (told_count_ < results_.size()) {  // of somebody else
      const Item& result = results_[told_count_++];
      if (own_.count(result.unit) == 0) return result;
    }
    if (done_) return std::nullopt;
    const size_t known = results_.size();
    lock.unlock();
    if (!go_on()) return std::nullopt;
    const WorkStep step = ask_(known);
    lock.lock();
    for (size_t i = results_.size() - known; i < step.results.size(); ++i)  // another thread's, too
      results_.push_back(step.results[i]);
    done_ = done_ || step.done;
    if (!step.unit) continue;
    own_.insert(*step.unit);
    return Item{*step.unit, std::nullopt, false};
  }
}

std::string SharedRun::OpenBatch(const std::vector<WorkKey>& keys) {
  const std::string name = Checksum(Pack(keys));
  const std::lock_guard lock(mutex_);
  const auto [it, fresh] = batches_.try_emplace(name);
  if (!fresh) return name;
  Batch& batch = it->second;
  batch.size = keys.size();
  for (size_t i = 0; i < keys.size(); ++i) {
    places_[keys[i]] = {name, i};
    if (const auto finished = own_->Find(keys[i])) {
      batch.results.push_back({i, *finished, true});
    } else {
      batch.waiting.push_back(i);
    }
  }
  return name;
}

WorkStep SharedRun::Next(const std::string& name, int rank, size_t known, double communication,
                         Clock::time_point since) {
  std::unique_lock lock(mutex_);
  Batch& batch = batches_.at(name);
  const auto anything = [&] {
    return !batch.waiting.empty() || batch.results.size() > known || known == batch.size;
  };
  if (rank == 0) result_.wait_for(lock, kLook, anything);
  WorkStep step;
  step.done = batch.results.size() == batch.size;
  if (step.done || !batch.waiting.empty() || rank == 0)
    step.results.assign(batch.results.begin() + static_cast<std::ptrdiff_t>(known),
                        batch.results.end());
  if (rank != 0 && !step.done && batch.waiting.empty()) return step;  // it is asked for again
  step.waited = Since(since);
  RankRecord& usage = usage_[static_cast<size_t>(rank)];
  usage.seconds += step.waited + communication;
  usage.waiting += step.waited;
  usage.communication += communication;
  if (batch.waiting.empty()) return step;
  step.unit = batch.waiting.front();
  batch.waiting.pop_front();
  batch.at_work[*step.unit] = {rank, Clock::now()};
  return step;
}

std::unique_ptr<WorkQueue> SharedRun::Share(std::vector<WorkKey> batch) {
  return std::make_unique<SharedQueue>(
      [this, name = OpenBatch(batch)](size_t known) { return Next(name, 0, known); });
}

void SharedRun::Add(const WorkKey& key, const Finished& finished, const Notes& notes,
                    const std::string& state) {
  own_->Add(key, finished, notes, state);
  const std::lock_guard lock(mutex_);
  const auto& [name, unit] = places_.at(key);
  Batch& batch = batches_.at(name);
  const AtWork& by = batch.at_work.at(unit);
  RankRecord& usage = usage_[static_cast<size_t>(by.rank)];
  ++usage.candidates;
  usage.seconds += Since(by.since);
  batch.at_work.erase(unit);
  batch.results.push_back({unit, finished, false});
  if (!state.empty()) states_[key] = {state};
  result_.notify_all();
  if (batch.results.size() == batch.size) changed_();
}

void SharedRun::Lose(int rank) {
  const std::lock_guard lock(mutex_);
  for (auto& [name, batch] : batches_) {
    std::vector<size_t> back;  // the heaviest first
    std::erase_if(batch.at_work, [&](const auto& unit) {
      if (unit.second.rank == rank) back.push_back(unit.first);
      return unit.second.rank == rank;
    });
    batch.waiting.insert(batch.waiting.begin(), back.begin(), back.end());
  }
  result_.notify_all();
  changed_();
}

std::vector<RankRecord> SharedRun::usage() {
  const std::lock_guard lock(mutex_);
  for (size_t rank = 0; rank < usage_.size(); ++rank) usage_[rank].rank = static_cast<int>(rank);
  return usage_;
}

std::string SharedRun::LoadState(const WorkKey& key) {
  std::unique_lock lock(mutex_);
  if (const auto it = states_.find(key); it != states_.end()) return it->second.bytes;
  lock.unlock();
  return own_->LoadState(key);
}

std::optional<std::string> SharedRun::Load(const std::string& stage) {
  std::unique_lock lock(mutex_);
  if (const auto it = stages_.find(stage); it != stages_.end()) return it->second;
  lock.unlock();
  return own_->Load(stage);
}

void SharedRun::Save(const std::string& stage, std::string bytes) {
  std::unique_lock lock(mutex_);
  stages_[stage] = bytes;
  std::erase_if(states_, [](const auto& state) { return state.second.old; });
  for (auto& [key, state] : states_)  // helpers may be ahead, in the next variant
    state.old = stage.starts_with(Join("variant", key.variant, "-"));
  lock.unlock();
  own_->Save(stage, std::move(bytes));
}

}  // namespace gopnet
