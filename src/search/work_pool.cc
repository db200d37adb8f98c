#include "search/work_pool.h"

#include <algorithm>
#include <chrono>

namespace gopnet {

void WorkPool::Open(const std::string& name, size_t units,
                    const std::map<size_t, std::string>& known) {
  const std::lock_guard lock(mutex_);
  const auto [it, fresh] = batches_.try_emplace(name);
  if (!fresh) return;
  Batch& batch = it->second;
  batch.units.resize(units);
  for (size_t i = 0; i < units; ++i) {
    const auto result = known.find(i);
    if (result == known.end()) {
      batch.waiting.push_back(i);
    } else {
      batch.units[i] = {true, result->second, true, {}};
      batch.finished.push_back(i);
    }
  }
}

WorkPool::Turn WorkPool::Next(const std::string& name, const Worker& worker) {
  const std::lock_guard lock(mutex_);
  return Take(name, worker);
}

WorkPool::Turn WorkPool::Take(const std::string& name, const Worker& worker) {
  const auto it = batches_.find(name);
  if (it == batches_.end()) return {Turn::kGone};
  Batch& batch = it->second;
  Reader& reader = batch.readers[worker];
  while (reader.told < batch.finished.size()) {
    const size_t unit = batch.finished[reader.told++];
    if (!reader.known.insert(unit).second) continue;
    return {Turn::kResult, unit, batch.units[unit].result, batch.units[unit].earlier};
  }
  if (batch.finished.size() == batch.units.size()) return {Turn::kDone};
  if (batch.waiting.empty()) return {};
  const size_t unit = batch.waiting.front();
  batch.waiting.pop_front();
  batch.units[unit].leased = worker;
  reader.known.insert(unit);  // it will know from its own work, whoever else may do it
  return {Turn::kWork, unit};
}

WorkPool::Turn WorkPool::WaitNext(const std::string& name, const Worker& worker, double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::unique_lock lock(mutex_);
  for (;;) {
    Turn turn = Take(name, worker);
    if (turn.kind != Turn::kWait) return turn;
    if (changed_.wait_until(lock, deadline) == std::cv_status::timeout) return turn;
  }
}

void WorkPool::Finish(const std::string& name, size_t unit, const Worker& worker,
                      std::string result) {
  {
    const std::lock_guard lock(mutex_);
    const auto it = batches_.find(name);
    if (it == batches_.end() || unit >= it->second.units.size()) return;
    Batch& batch = it->second;
    batch.readers[worker].known.insert(unit);
    if (batch.units[unit].finished) return;  // somebody was thought lost
    batch.units[unit] = {true, std::move(result), false, {}};
    batch.finished.push_back(unit);
    std::erase(batch.waiting, unit);
  }
  Changed();
}

void WorkPool::Lose(int rank) {
  {
    const std::lock_guard lock(mutex_);
    for (auto& [name, batch] : batches_) {
      for (size_t i = batch.units.size(); i-- > 0;) {  // the heaviest ends up in front
        Unit& unit = batch.units[i];
        if (unit.finished || !unit.leased || unit.leased->rank != rank) continue;
        unit.leased.reset();
        batch.waiting.push_front(i);
      }
    }
  }
  Changed();
}

bool WorkPool::HasWork(const std::string& prefix) const {
  const std::lock_guard lock(mutex_);
  for (auto it = batches_.lower_bound(prefix);
       it != batches_.end() && it->first.starts_with(prefix); ++it)
    if (!it->second.waiting.empty()) return true;
  return false;
}

void WorkPool::Drop(const std::string& prefix) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(batches_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
  }
  Changed();
}

void WorkPool::Changed() {
  changed_.notify_all();
  if (on_change_) on_change_();
}

}  // namespace gopnet
