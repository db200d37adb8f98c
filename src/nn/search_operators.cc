#include "nn/search_operators.h"

#include <algorithm>

#include "base/check.h"
#include "base/names.h"

namespace gopnet {
namespace {

// Relative cost of a synapse, to start the heaviest candidates first: a matrix product, a maximum,
// or a transcendental operator.
double Cost(const OperatorSet& phi) {
  if (PoolTerms(phi.pool) == 0) return 2;
  return IsSeparable(phi.nodal) ? 1 : 4 + PoolTerms(phi.pool);
}

double Cost(const LayerTask& task, const OperatorPair& phi) {
  const auto inputs = static_cast<double>(task.x_train.cols);
  const auto outputs = static_cast<double>(task.problem.outputs);
  return inputs * Cost(phi.hidden) + outputs * (phi.output ? Cost(*phi.output) : 1);
}

}  // namespace

OperatorSearch::OperatorSearch(Runtime& rt, const LayerTask& task, const SearchConfig& config,
                               int tournaments)
    : rt_(rt),
      task_(task),
      config_(config),
      tournaments_(tournaments),
      work_(static_cast<size_t>(rt.threads)),
      board_(rt, task.problem, static_cast<int>(task.key.layer)) {}

std::optional<OperatorPair> OperatorSearch::Best(const std::vector<PairCandidate>& candidates) {
  const std::vector<int> rungs = Rungs(config_.search == "halving", task_.config.epochs);
  TournamentOptions options{rungs, 3, {}, rt_.threads};
  std::vector<Entry*> entries;  // made before threads look for them
  for (const PairCandidate& c : candidates) {
    options.costs.push_back(Cost(task_, c.phi));
    entries.push_back(&entries_[c.index]);
  }
  ++run_;
  if (run_ == 1) {
    for (const int n : FieldSizes(static_cast<int>(candidates.size()), rungs.size(), options.eta))
      board_.Expect(n * tournaments_);
  }
  // What a later tournament may ask for again stays: the pairs of the first, and every winner.
  const bool keep = run_ == 1 && tournaments_ > 1;
  const size_t winner = Tournament(
      options,
      [&](size_t i, int epochs, int worker) {
        return Advance(candidates[i], *entries[i], epochs, worker);
      },
      [&](size_t i) {
        if (!keep) entries[i]->training.reset();
      });
  rt_.CheckStop();
  if (winner == candidates.size()) return std::nullopt;
  winner_ = candidates[winner].index;
  return candidates[winner].phi;
}

SearchResult OperatorSearch::Result() {
  SearchResult result{entries_.at(winner_).training->best(), {}};
  const LayerProposal& best = result.proposal;
  LayerRecord& record = result.record;
  record.units = static_cast<int>(task_.units);
  record.operator_set = Names(best.block.phi);
  if (best.output.phi) record.output_set = Names(*best.output.phi);
  record.candidates = trained_;
  record.epochs = board_.epochs();
  record.diverged = board_.diverged();
  record.seconds = watch_.Seconds();
  record.train = Measure(best, task_.problem.train, task_.x_train, task_.g_train);
  record.val = task_.x_val.rows > 0 ? Measure(best, task_.problem.val, task_.x_val, task_.g_val)
                                    : record.train;
  return result;
}

void OperatorSearch::SlowDown() {
  rt_.Warn("every candidate diverged; trying again with a tenth of the learning rates");
  for (double& lr : task_.config.lr) lr /= 10;
  entries_.clear();
  board_.Restart();
  run_ = 0;
}

Metrics OperatorSearch::Measure(const LayerProposal& best, const Rows& rows, ConstView x,
                                ConstView g) {
  MetricSums sums(task_.problem, rows);
  EvaluateInto(best.block, best.output, x, g, work_.front(), sums);
  return sums.All();
}

Rank OperatorSearch::Advance(const PairCandidate& candidate, Entry& entry, int epochs, int worker) {
  rt_.CheckStop();
  const auto known = entry.ranks.find(epochs);
  if (known != entry.ranks.end()) return known->second;
  if (!entry.training) {
    const auto op = config_.shared_draws ? 0u : static_cast<uint32_t>(candidate.index) + 1;
    entry.training = std::make_unique<LayerTraining>(task_, candidate.phi, op);
    const std::lock_guard lock(rt_.mutex);
    ++trained_;
  }
  LayerTraining& training = *entry.training;
  const int before = training.epochs();
  training.Advance(epochs, work_[static_cast<size_t>(worker)], [&] { return rt_.GoOn(); });
  rt_.CheckStop();
  const Score score = training.best().score;
  board_.Report(candidate.phi.hidden, candidate.phi.output ? &*candidate.phi.output : nullptr,
                score, training.epochs(), training.epochs() - before, training.diverged());
  return entry.ranks[epochs] = {score.valid, task_.problem.direction * score.measure, score.loss};
}

std::vector<Candidate> UsableSets(Runtime& rt, const LayerTask& task,
                                  const LibraryConfig& library) {
  const size_t inputs = task.x_train.cols;
  const size_t all = library.nodal.size() * library.pool.size() * library.activation.size();
  std::vector<Candidate> fit = Library(library.nodal, library.pool, library.activation, inputs);
  Check(!fit.empty() || task.key.layer > 1, "parameter pool: '", JoinList(library.pool),
        "' given, but ", inputs,
        " input(s) are too few for a correlation; sum or maximum is wanted");
  if (fit.size() < all) {
    rt.Warn(Join("layer ", task.key.layer, ": ", all - fit.size(), " of ", all,
                 " operator sets correlate more inputs than the ", inputs, " there are; left out"));
  }
  return fit;
}

std::optional<SearchResult> SearchOperators(Runtime& rt, const LayerTask& task,
                                            const SearchConfig& search) {
  std::vector<PairCandidate> candidates;
  for (const Candidate& c : UsableSets(rt, task, search)) candidates.push_back({c.index, c.phi});
  if (candidates.empty()) return std::nullopt;
  OperatorSearch tries(rt, task, search);
  if (tries.Best(candidates)) return tries.Result();
  tries.SlowDown();
  if (tries.Best(candidates)) return tries.Result();
  return std::nullopt;
}

}  // namespace gopnet
