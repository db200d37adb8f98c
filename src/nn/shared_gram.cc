#include "nn/shared_gram.h"

#include <algorithm>
#include <numeric>

#include "base/archive.h"
#include "base/threads.h"
#include "nn/share_work.h"

namespace gopnet {
namespace {

constexpr size_t kShardRows = 16384, kMostShards = 16;
constexpr double kWorthSharing = 1e9;  // products: about a tenth of a second

class ShardedGram {
 public:
  ShardedGram(Runtime& rt, size_t layer, const Columns& a)
      : rt_(rt), layer_(layer), a_(a), parts_(GramShards(a.x.rows)) {}

  DenseMatrix Sum() {
    const auto cols = static_cast<double>(a_.x.cols);
    const bool pays = static_cast<double>(a_.x.rows) * cols * cols >= kWorthSharing;
    pays&& rt_.ledger->shares() ? OnRanks() : OnThreads();
    DenseMatrix sum = std::move(parts_[0]);
    for (size_t s = 1; s < parts_.size(); ++s)
      for (size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += parts_[s].data[i];
    return sum;
  }

 private:
  DenseMatrix Part(size_t shard) const {
    const size_t n = parts_.size();
    const size_t first = a_.x.rows * shard / n, last = a_.x.rows * (shard + 1) / n;
    Columns part = a_;
    part.x = a_.x.Rows(first, last - first);
    if (part.weights != nullptr) part.weights += first;
    return SelfGram(part, 1);
  }

  void OnThreads() {
    std::vector<size_t> order(parts_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    RunTasks(order, rt_.threads, [&](size_t shard, int) { parts_[shard] = Part(shard); });
  }

  void OnRanks() {
    std::vector<WorkKey> batch;
    for (size_t s = 0; s < parts_.size(); ++s)
      batch.push_back({rt_.variant, static_cast<int>(layer_), -1, 0, static_cast<int>(s), 0});
    ShareWork(rt_, rt_.threads, batch, [&](const Turns::Turn& turn, int) {
      if (turn.known) return;
      parts_[turn.unit] = Part(turn.unit);
      ArchiveWriter state;
      state(parts_[turn.unit].data);
      rt_.ledger->Add(batch[turn.unit], {}, {}, state.Take());
    });
    for (size_t s = 0; s < parts_.size(); ++s)
      if (parts_[s].data.empty()) parts_[s] = FromElsewhere(batch[s], s);
  }

  DenseMatrix FromElsewhere(const WorkKey& key, size_t shard) {
    DenseMatrix part(a_.x.cols, a_.x.cols);
    const std::string state = rt_.ledger->State(key);
    if (state.empty()) return Part(shard);  // of a stage long past
    ArchiveReader(state, "sum of another rank").Same(part.data);
    return part;
  }

  Runtime& rt_;
  const size_t layer_;
  const Columns& a_;
  std::vector<DenseMatrix> parts_;
};

}  // namespace

size_t GramShards(size_t rows) {
  return std::clamp<size_t>((rows + kShardRows - 1) / kShardRows, 1, kMostShards);
}

DenseMatrix SharedGram(Runtime& rt, size_t layer, const Columns& a) {
  if (GramShards(a.x.rows) == 1) return SelfGram(a, rt.threads);
  return ShardedGram(rt, layer, a).Sum();
}

}  // namespace gopnet
