#include "grow/tournament.h"

#include <algorithm>
#include <mutex>
#include <numeric>

namespace gopnet {
namespace {

// Survivors of a rung: those, and whoever is as good as the last of them.
std::vector<size_t> Promote(const std::vector<size_t>& field, const std::vector<Score>& scores,
                            const TournamentOptions& options) {
  std::vector<size_t> sorted = field;
  std::sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) {
    return Beats(scores[a], a, scores[b], b, options.direction);
  });
  auto promoted = static_cast<size_t>(FieldSizes(static_cast<int>(sorted.size()), 2)[1]);
  const Score cut = scores[sorted[promoted - 1]];
  while (promoted < sorted.size() &&
         !Better(cut, scores[sorted[promoted]], options.direction))  // sorted: it is as good
    ++promoted;
  sorted.resize(promoted);
  std::erase_if(sorted, [&](size_t i) { return !scores[i].valid; });
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

bool Beats(const Score& a, size_t index_a, const Score& b, size_t index_b, double direction) {
  if (Better(a, b, direction)) return true;
  return !Better(b, a, direction) && index_a < index_b;
}

std::vector<int> Rungs(bool halving, int epochs) {
  if (!halving) return {epochs};
  std::vector<int> rungs;
  for (int rung = std::max(1, (epochs + 27) / 28); rung < epochs && rungs.size() < 3; rung *= 3)
    rungs.push_back(rung);
  rungs.push_back(epochs);
  return rungs;
}

std::vector<int> FieldSizes(int candidates, size_t rungs) {
  std::vector<int> sizes;
  for (size_t r = 0; r < rungs; ++r, candidates = (candidates + kEta - 1) / kEta)
    sizes.push_back(candidates);
  return sizes;
}

size_t Tournament(const TournamentOptions& options, const TrainRung& train,
                  const std::function<void(size_t)>& finish) {
  const size_t n = options.costs.size();
  std::vector<size_t> field(n);
  std::iota(field.begin(), field.end(), size_t{0});
  std::vector<Score> scores(n);
  size_t best = n;
  std::mutex mutex;
  for (size_t r = 0; r < options.rungs.size() && !field.empty(); ++r) {
    const bool last = r + 1 == options.rungs.size();
    std::vector<size_t> order = field;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return options.costs[a] > options.costs[b]; });
    train(order, options.rungs[r], [&](size_t i, const Score& score) {
      scores[i] = score;
      if (!last) return;
      const std::lock_guard lock(mutex);  // of the last rung only the best so far is kept
      const bool better =
          score.valid && (best == n || Beats(score, i, scores[best], best, options.direction));
      const size_t loser = better ? best : i;
      if (better) best = i;
      if (loser < n) finish(loser);
    });
    if (last) break;
    const std::vector<size_t> next = Promote(field, scores, options);
    for (const size_t i : field) {
      if (!std::binary_search(next.begin(), next.end(), i)) finish(i);
    }
    field = next;
  }
  return best;
}

}  // namespace gopnet
