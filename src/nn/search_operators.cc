#include "nn/search_operators.h"

#include <algorithm>
#include <memory>

#include "base/check.h"
#include "base/names.h"
#include "search/tournament.h"

namespace gopnet {
namespace {

// Relative cost of a candidate, to start the heaviest first: a matrix product, a maximum, or a
// transcendental operator per synapse.
double Cost(const OperatorSet& phi) {
  if (PoolTerms(phi.pool) == 0) return 2;
  return IsSeparable(phi.nodal) ? 1 : 4 + PoolTerms(phi.pool);
}

// One search in flight: candidates, and the counts that observers see.
class Search {
 public:
  Search(Runtime& rt, const LayerTask& task, const SearchConfig& config)
      : rt_(rt),
        task_(task),
        config_(config),
        library_(Library(config.nodal, config.pool, config.activation, task.x_train.cols)),
        training_(library_.size()),
        work_(static_cast<size_t>(rt.threads)) {}

  std::optional<SearchResult> Run() {
    const std::vector<int> rungs = Rungs(config_.search == "halving", task_.config.epochs);
    TournamentOptions options{rungs, 3, {}, rt_.threads};
    for (const Candidate& c : library_) options.costs.push_back(Cost(c.phi));
    for (const int n : FieldSizes(static_cast<int>(library_.size()), rungs.size(), options.eta))
      total_ += n;
    const size_t winner = Tournament(
        options, [&](size_t i, int epochs, int worker) { return Advance(i, epochs, worker); },
        [&](size_t i) { training_[i].reset(); });
    rt_.CheckStop();
    if (winner == library_.size()) return std::nullopt;
    SearchResult result{training_[winner]->best(), {}};
    const LayerProposal& best = result.proposal;
    LayerRecord& record = result.record;
    record.units = static_cast<int>(task_.units);
    record.operator_set = Names(best.block.phi);
    record.candidates = static_cast<int>(library_.size());
    record.epochs = epochs_;
    record.diverged = diverged_;
    record.seconds = watch_.Seconds();
    record.train = Measure(best, task_.problem.train, task_.x_train, task_.g_train);
    record.val = task_.x_val.rows > 0 ? Measure(best, task_.problem.val, task_.x_val, task_.g_val)
                                      : record.train;
    return result;
  }

  // What this search spent, for the record of the one that follows it.
  void AddTo(LayerRecord& record) const {
    record.epochs += epochs_;
    record.diverged += diverged_;
    record.seconds += watch_.Seconds() - record.seconds;
  }

 private:
  Metrics Measure(const LayerProposal& best, const Rows& rows, ConstView x, ConstView g) {
    MetricSums sums(task_.problem, rows);
    EvaluateInto(best.block, best.output, x, g, work_.front(), sums);
    return sums.All();
  }

  Rank Advance(size_t i, int epochs, int worker) {
    rt_.CheckStop();
    if (!training_[i]) {
      const auto op = config_.shared_draws ? 0u : static_cast<uint32_t>(library_[i].index) + 1;
      training_[i] = std::make_unique<LayerTraining>(task_, library_[i].phi, op);
    }
    const int before = training_[i]->epochs();
    training_[i]->Advance(epochs, work_[static_cast<size_t>(worker)], [&] { return rt_.GoOn(); });
    rt_.CheckStop();
    const Score score = training_[i]->best().score;
    Report(i, training_[i]->epochs() - before);
    return {score.valid, task_.problem.direction * score.measure, score.loss};
  }

  void Report(size_t i, int epochs) {
    const std::lock_guard lock(rt_.mutex);
    const LayerTraining& t = *training_[i];
    const Score score = t.best().score;
    epochs_ += epochs;
    diverged_ += t.diverged();
    if (Better(score, best_, task_.problem.direction)) {
      best_ = score;
      best_set_ = Names(library_[i].phi);
    }
    if (rt_.observer == nullptr) return;
    CandidateEvent event;
    event.layer = static_cast<int>(task_.key.layer);
    event.done = ++reported_;
    event.total = std::max(total_, reported_);
    event.operator_set = Names(library_[i].phi);
    if (score.valid) event.val = {{task_.problem.metric, score.measure}, {"loss", score.loss}};
    event.diverged = t.diverged();
    event.epochs = t.epochs();
    event.best_operator_set = best_set_;
    event.best_score = best_.measure;
    event.metric = task_.problem.metric;
    rt_.observer->OnCandidate(event);
  }

  Runtime& rt_;
  const LayerTask& task_;
  const SearchConfig& config_;
  std::vector<Candidate> library_;
  std::vector<std::unique_ptr<LayerTraining>> training_;
  std::vector<LayerWorkspace> work_;
  Stopwatch watch_;
  Score best_;
  std::vector<std::string> best_set_;
  long epochs_ = 0;
  int diverged_ = 0, reported_ = 0, total_ = 0;
};

// Says which sets make no sense for so few inputs; an Error if none is left for the first layer.
bool HasCandidates(Runtime& rt, const LayerTask& task, const SearchConfig& search) {
  const size_t inputs = task.x_train.cols;
  const size_t all = search.nodal.size() * search.pool.size() * search.activation.size();
  const size_t fit = Library(search.nodal, search.pool, search.activation, inputs).size();
  Check(fit > 0 || task.key.layer > 1, "parameter pool: '", JoinList(search.pool), "' given, but ",
        inputs, " input(s) are too few for a correlation; sum or maximum is wanted");
  if (fit < all) {
    rt.Warn(Join("layer ", task.key.layer, ": ", all - fit, " of ", all,
                 " operator sets correlate more inputs than the ", inputs, " there are; left out"));
  }
  return fit > 0;
}

}  // namespace

std::optional<SearchResult> SearchOperators(Runtime& rt, const LayerTask& task,
                                            const SearchConfig& search) {
  if (!HasCandidates(rt, task, search)) return std::nullopt;
  Search first(rt, task, search);
  auto result = first.Run();
  if (result) return result;
  LayerTask gentle = task;
  for (double& lr : gentle.config.lr) lr /= 10;
  rt.Warn("every candidate diverged; trying again with a tenth of the learning rates");
  result = Search(rt, gentle, search).Run();
  if (result) first.AddTo(result->record);
  return result;
}

}  // namespace gopnet
