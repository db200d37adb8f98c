#include "search/tournament.h"

#include <algorithm>
#include <mutex>
#include <numeric>

namespace gopnet {
namespace {

// Survivors of a rung: the best 1/eta, and whoever is as good as the last of them.
std::vector<size_t> Promote(const std::vector<size_t>& field, const std::vector<Rank>& ranks,
                            int eta) {
  std::vector<size_t> sorted = field;
  std::sort(sorted.begin(), sorted.end(),
            [&](size_t a, size_t b) { return Beats(ranks[a], a, ranks[b], b); });
  size_t keep = (sorted.size() + static_cast<size_t>(eta) - 1) / static_cast<size_t>(eta);
  const Rank cut = ranks[sorted[keep - 1]];
  while (keep < sorted.size() && ranks[sorted[keep]].valid == cut.valid &&
         ranks[sorted[keep]].score == cut.score && ranks[sorted[keep]].loss == cut.loss) {
    ++keep;
  }
  sorted.resize(keep);
  std::erase_if(sorted, [&](size_t i) { return !ranks[i].valid; });
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

bool Beats(const Rank& a, size_t index_a, const Rank& b, size_t index_b) {
  if (a.valid != b.valid) return a.valid;
  if (a.valid && a.score != b.score) return a.score > b.score;
  if (a.valid && a.loss != b.loss) return a.loss < b.loss;
  return index_a < index_b;
}

std::vector<int> Rungs(bool halving, int epochs) {
  if (!halving) return {epochs};
  std::vector<int> rungs;
  for (int rung = std::max(1, (epochs + 27) / 28); rung < epochs && rungs.size() < 3; rung *= 3)
    rungs.push_back(rung);
  rungs.push_back(epochs);
  return rungs;
}

std::vector<int> FieldSizes(int candidates, size_t rungs, int eta) {
  std::vector<int> sizes;
  for (size_t r = 0; r < rungs; ++r, candidates = (candidates + eta - 1) / eta)
    sizes.push_back(candidates);
  return sizes;
}

size_t Tournament(const TournamentOptions& options, const TrainRung& train,
                  const std::function<void(size_t)>& finish) {
  const size_t n = options.costs.size();
  std::vector<size_t> field(n);
  std::iota(field.begin(), field.end(), size_t{0});
  std::vector<Rank> ranks(n);
  size_t best = n;
  std::mutex mutex;
  for (size_t r = 0; r < options.rungs.size() && !field.empty(); ++r) {
    const bool last = r + 1 == options.rungs.size();
    std::vector<size_t> order = field;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return options.costs[a] > options.costs[b]; });
    train(order, options.rungs[r], [&](size_t i, const Rank& rank) {
      ranks[i] = rank;
      if (!last) return;
      const std::lock_guard lock(mutex);  // of the last rung only the best so far is kept
      const bool better = ranks[i].valid && (best == n || Beats(ranks[i], i, ranks[best], best));
      const size_t loser = better ? best : i;
      if (better) best = i;
      if (loser < n) finish(loser);
    });
    if (last) break;
    const std::vector<size_t> next = Promote(field, ranks, options.eta);
    for (const size_t i : field) {
      if (!std::binary_search(next.begin(), next.end(), i)) finish(i);
    }
    field = next;
  }
  return best;
}

}  // namespace gopnet
