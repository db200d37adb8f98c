#include "grow/block_layer.h"
#include "grow/candidate_board.h"
#include "grow/find_once.h"
#include "grow/share_work.h"

namespace gopnet {
namespace {

class RandomBlockSearch {
 public:
  RandomBlockSearch(Runtime& rt, const BlockLayer& layer, const LibraryConfig& operators,
                    const std::vector<Candidate>& sets)
      : rt_(rt),
        layer_(layer),
        task_(layer.task()),
        shared_draws_(operators.shared_draws),
        sets_(sets),
        proposals_(sets.size()),
        work_(static_cast<size_t>(rt.threads)),
        board_(rt, task_.problem, static_cast<int>(task_.key.layer)) {}

  LayerProposal Run(BlockRecord& record) {
    std::vector<WorkKey> batch;
    for (size_t i = 0; i < sets_.size(); ++i) batch.push_back(Key(i));
    board_.Expect(static_cast<int>(sets_.size()));
    const auto try_or_take = [&](const WorkQueue::Item& item, int worker) {
      item.known ? Take(item) : Try(item.unit, worker);
    };
    OfferIfStopped([&] { ShareWork(rt_, rt_.threads, batch, try_or_take); },
                   [&] {
                     const LayerProposal& best = proposals_[Best()];
                     if (best.score.valid && best.block.units() > 0) layer_.Offer(best);
                   });
    record.candidates = static_cast<int>(sets_.size());
    record.diverged = board_.diverged();
    return Whole(Best());
  }

 private:
  size_t Best() const {
    size_t best = 0;
    for (size_t i = 1; i < proposals_.size(); ++i)
      if (Better(proposals_[i].score, proposals_[best].score, task_.problem.metric->direction))
        best = i;
    return best;
  }

  WorkKey Key(size_t i) const { return CandidateKey(rt_, task_, sets_[i].index); }

  LayerProposal Solve(size_t i, int worker) {
    const auto op = shared_draws_ ? 0u : static_cast<uint32_t>(sets_[i].index) + 1;
    return layer_.Solve(sets_[i].phi, op, work_[static_cast<size_t>(worker)]);
  }

  void Try(size_t i, int worker) {
    rt_.CheckStop();
    LayerProposal found = Solve(i, worker);
    const Score score = found.score;
    Store(i, found);
    Keep(i, std::move(found));
    Report(i, score, false);
  }

  // Of a set that was tried elsewhere, or earlier.
  void Take(const WorkQueue::Item& item) {
    const Score& score = item.known->score;
    Keep(item.unit, {{}, {}, score});
    Report(item.unit, score, item.earlier);
  }

  // Only the best so far keeps its weights: of many features those of all sets would fill the
  // memory.
  void Keep(size_t i, LayerProposal found) {
    const std::lock_guard lock(rt_.mutex);
    const size_t before = Best();
    proposals_[i] = std::move(found);
    const size_t dropped = Best() == i ? before : i;
    if (dropped != Best()) proposals_[dropped] = {{}, {}, proposals_[dropped].score};
  }

  void Report(size_t i, const Score& score, bool recalled) {
    board_.Report(sets_[i].phi, nullptr, score, 0, 0, !score.valid, recalled);
  }

  void Store(size_t i, const LayerProposal& found) {
    if (!rt_.store->keeps()) return;
    const Score& score = found.score;
    bool leads = false;
    {
      const std::lock_guard lock(rt_.mutex);
      leads = score.valid && !Better(best_, score, task_.problem.metric->direction);
      if (leads) best_ = score;
    }
    rt_.store->Add(Key(i), {score, 0, !score.valid, watch_.Seconds()},
                   {{"operator_set", Names(sets_[i].phi)}}, leads ? ToState(found) : "");
  }

  // The proposal with its weights, also if only its score was recalled.
  LayerProposal Whole(size_t i) {
    LayerProposal& p = proposals_[i];
    if (!p.score.valid || p.block.units() > 0) return std::move(p);
    auto kept = FromState<LayerProposal>(rt_.store->LoadState(Key(i)),
                                         [&](const auto& found) { CheckShapes(found, task_, ""); });
    return kept ? *std::move(kept) : Solve(i, 0);  // lost, or not the state of this candidate
  }

  Runtime& rt_;
  const BlockLayer& layer_;
  const LayerTask& task_;
  bool shared_draws_;
  const std::vector<Candidate>& sets_;
  std::vector<LayerProposal> proposals_;
  std::vector<LayerWorkspace> work_;
  CandidateBoard board_;
  Stopwatch watch_;
  Score best_;  // so far, of those tried here
};

}  // namespace

LayerProposal SearchRandomBlock(Runtime& rt, const BlockLayer& layer,
                                const LibraryConfig& operators, const std::vector<Candidate>& sets,
                                BlockRecord& record) {
  return RandomBlockSearch(rt, layer, operators, sets).Run(record);
}

}  // namespace gopnet
