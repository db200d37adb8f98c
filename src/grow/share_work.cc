#include "grow/share_work.h"

#include <algorithm>
#include <atomic>

#include "base/threads.h"

namespace gopnet {

void ShareWork(Runtime& rt, int threads, const std::vector<WorkKey>& batch,
               const std::function<void(const WorkQueue::Item& item, int worker)>& work) {
  const auto queue = rt.store->Share(batch);
  std::atomic<bool> failed{false};
  const auto go_on = [&] { return !failed && rt.GoOn(); };
  const size_t workers = std::min(batch.size(), static_cast<size_t>(threads));
  ParallelFor(workers, threads, [&](size_t, int worker) {
    try {
      while (const auto item = queue->Next(go_on)) work(*item, worker);
    } catch (...) {
      failed = true;  // the others need not go on
      throw;
    }
  });
  rt.CheckStop();
}

}  // namespace gopnet
