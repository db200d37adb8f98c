#include "nn/share_work.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/threads.h"

namespace gopnet {

void ShareWork(Runtime& rt, int threads, const std::vector<WorkKey>& batch,
               const std::function<void(const Turns::Turn& turn, int worker)>& work) {
  const auto turns = rt.ledger->Share(batch);
  std::atomic<bool> failed{false};
  const auto go_on = [&] { return !failed && rt.GoOn(); };
  std::vector<size_t> workers(std::min(batch.size(), static_cast<size_t>(threads)));
  std::iota(workers.begin(), workers.end(), size_t{0});
  RunTasks(workers, threads, [&](size_t, int worker) {
    try {
      while (const auto turn = turns->Next(go_on)) work(*turn, worker);
    } catch (...) {
      failed = true;  // the others need not go on
      throw;
    }
  });
  rt.CheckStop();
}

}  // namespace gopnet
