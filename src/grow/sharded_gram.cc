#include "grow/sharded_gram.h"

#include <algorithm>

#include "base/threads.h"

namespace gopnet {
namespace {

constexpr size_t kShardRows = 16384, kMostShards = 16;

DenseMatrix GramOfShard(const Columns& a, size_t shard, size_t shards) {
  const size_t first = a.x.rows * shard / shards, last = a.x.rows * (shard + 1) / shards;
  Columns part = a;
  part.x = a.x.Rows(first, last - first);
  if (part.weights != nullptr) part.weights += first;
  return SelfGram(part, 1);
}

}  // namespace

size_t GramShards(size_t rows) {
  return std::clamp<size_t>((rows + kShardRows - 1) / kShardRows, 1, kMostShards);
}

DenseMatrix ShardedGram(const Columns& a, int threads) {
  const size_t shards = GramShards(a.x.rows);
  if (shards == 1) return SelfGram(a, threads);
  std::vector<DenseMatrix> parts(shards);
  ParallelFor(shards, threads, [&](size_t s, int) { parts[s] = GramOfShard(a, s, shards); });
  DenseMatrix& sum = parts[0];
  for (size_t s = 1; s < shards; ++s)
    for (size_t i = 0; i < sum.rows() * sum.stride(); ++i) sum.data()[i] += parts[s].data()[i];
  return std::move(sum);
}

}  // namespace gopnet
