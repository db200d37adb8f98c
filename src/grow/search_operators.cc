#include "grow/search_operators.h"

#include <algorithm>

#include "base/check.h"
#include "base/names.h"
#include "grow/share_work.h"

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

std::optional<SearchResult> OperatorSearch::Run(const std::function<bool()>& search) {
  return FindOnce<LayerRecord>(rt_, task_, [&]() -> std::optional<SearchResult> {
    if (search()) return Result();
    if (trained_ == 0) return std::nullopt;  // there was nothing to try
    SlowDown();
    return search() ? std::optional(Result()) : std::nullopt;
  });
}

// Rows x epochs x cost of a row, from round `first` of a tournament on, which `field` sets reached.
double OperatorSearch::WorkAhead(const std::vector<int>& rungs, size_t first, size_t field,
                                 const TournamentOptions& options) const {
  double cost = 0, visits = rt_.later_visits;
  for (const double c : options.costs) cost += c / static_cast<double>(options.costs.size());
  const auto add = [&](size_t from, size_t sets) {
    std::vector<int> sizes = FieldSizes(static_cast<int>(sets), rungs.size() - from);
    for (size_t r = from; r < rungs.size(); ++r) {
      const int epochs = rungs[r] - (r > 0 ? rungs[r - 1] : 0);
      visits += static_cast<double>(task_.x_train.rows) * epochs * sizes[r - from];
    }
  };
  add(first, field);
  for (int later = run_; later < tournaments_; ++later) add(0, options.costs.size());
  return visits * cost;
}

std::vector<int> OperatorSearch::ChooseRungs(size_t candidates) const {
  const int epochs = task_.config.epochs;
  const bool halving = config_.search == SearchMethod::kHalving;
  const bool own_or_plain = rt_.upper_set && task_.key.layer > 1 && candidates == 2;
  if (halving && own_or_plain && epochs >= kEarly) return {(epochs + kEarly / 2) / kEarly, epochs};
  std::vector<int> rungs = Rungs(halving && candidates > size_t{kEta}, epochs);
  if (tournaments_ > 1) return rungs;  // scores are compared across tournaments
  const std::vector<int> sizes = FieldSizes(static_cast<int>(candidates), rungs.size());
  while (rungs.size() > 1 && sizes[rungs.size() - 1] <= static_cast<int>(rt_.wanted_sets))
    rungs.pop_back();
  return rungs;
}

std::optional<size_t> OperatorSearch::Best(const std::vector<PairCandidate>& candidates) {
  // Later tournaments compare with scores of the first, at the same epochs.
  if (++run_ == 1) rungs_ = ChooseRungs(candidates.size());
  const std::vector<int>& rungs = rungs_;
  TournamentOptions options{rungs, task_.problem.metric->direction, {}};
  for (const PairCandidate& c : candidates) {
    options.costs.push_back(Cost(task_, c.phi));
    RankedSet& set = entries_[c.index].set;  // made before threads look for it
    set.operator_set = Names(c.phi.hidden);
    if (c.phi.output) set.output_set = Names(*c.phi.output);
  }
  leader_.reset();
  if (run_ == 1) {
    for (const int n : FieldSizes(static_cast<int>(candidates.size()), rungs.size()))
      board_.Expect(n * tournaments_);
  }
  size_t round = 0;
  const auto train = [&](const std::vector<size_t>& order, int epochs, const auto& done) {
    const auto rounds = static_cast<int>(rungs.size());
    const double ahead = WorkAhead(rungs, round++, order.size(), options);
    board_.BeginRound((run_ - 1) * rounds + static_cast<int>(round), tournaments_ * rounds,
                      static_cast<int>(order.size()), ahead);
    TrainRung(candidates, order, epochs, done);
  };
  const auto finish = [&](size_t i) {
    if (!KeepsAll()) entries_.at(candidates[i].index).training.reset();
  };
  const size_t winner = OfferIfStopped([&] { return Tournament(options, train, finish); },
                                       [&] { OfferBest(candidates); });
  if (winner == candidates.size()) return std::nullopt;
  winner_ = candidates[winner];
  return winner;
}

SearchResult OperatorSearch::Result() {
  return OfferIfStopped([&] { return Winner(); }, [&] { OfferBest({*winner_}); });
}

SearchResult OperatorSearch::Winner() {
  LayerTraining& training = Training(*winner_, entries_.at(winner_->index));
  // Nothing to do, unless it was recalled and its state is lost.
  training.Advance(rungs_.back(), work_.front(), [&] { return rt_.GoOn(); });
  rt_.CheckStop();
  SearchResult result{training.best(), {}};
  const LayerProposal& best = result.proposal;
  LayerRecord& record = result.record;
  record.units = static_cast<int>(task_.units);
  record.operator_set = Names(best.block.phi);
  if (best.output.phi) record.output_set = Names(*best.output.phi);
  record.candidates = trained_;
  record.epochs = board_.epochs();
  record.diverged = board_.diverged();
  record.seconds = Seconds();
  record.ranking = Ranking();
  for (const Score& epoch : training.curve()) {
    record.curve[task_.problem.metric->name].push_back(epoch.measure);
    if (task_.problem.metric->needs != Needs::kLoss) record.curve["loss"].push_back(epoch.loss);
  }
  record.train = Measure(best, task_.problem.train, task_.x_train, task_.g_train);
  record.val = task_.x_val.rows > 0 ? Measure(best, task_.problem.val, task_.x_val, task_.g_val)
                                    : record.train;
  return result;
}

std::vector<RankedSet> OperatorSearch::Ranking() const {
  std::vector<const Entry*> tried;
  for (const auto& [index, entry] : entries_)
    if (!entry.scores.empty() && entry.scores.rbegin()->second.valid) tried.push_back(&entry);
  std::stable_sort(tried.begin(), tried.end(), [&](const Entry* a, const Entry* b) {
    const auto &x = *a->scores.rbegin(), &y = *b->scores.rbegin();
    if (x.first != y.first) return x.first > y.first;
    return Better(x.second, y.second, task_.problem.metric->direction);
  });
  std::vector<RankedSet> sets;
  for (const Entry* entry : tried) {  // POP tries a hidden set with several outputs
    const auto same_hidden = [&](const RankedSet& s) {
      return s.operator_set == entry->set.operator_set;
    };
    if (std::none_of(sets.begin(), sets.end(), same_hidden)) sets.push_back(entry->set);
  }
  return sets;
}

// Forgets what was trained; from now on with a tenth of the learning rates.
void OperatorSearch::SlowDown() {
  rt_.Warn("every candidate diverged; retrying with a tenth of the learning rates");
  for (double& lr : task_.config.lr) lr /= 10;
  entries_.clear();
  board_.Restart();
  run_ = 0;
  ++attempt_;
}

Metrics OperatorSearch::Measure(const LayerProposal& best, const Rows& rows, ConstView x,
                                ConstView g) {
  MetricSums sums(task_.problem, rows);
  EvaluateInto(best.block, best.output, x, g, work_.front(), sums);
  return sums.AsChosen();
}

WorkKey OperatorSearch::Key(const PairCandidate& candidate, int epochs) const {
  return CandidateKey(rt_, task_, candidate.index, attempt_, epochs);
}

double OperatorSearch::Seconds() {
  const std::lock_guard lock(rt_.mutex);
  return watch_.Seconds();
}

void OperatorSearch::TrainRung(const std::vector<PairCandidate>& candidates,
                               const std::vector<size_t>& order, int epochs,
                               const std::function<void(size_t, const Score&)>& done) {
  std::vector<size_t> units;
  std::vector<WorkKey> batch;
  for (const size_t i : order) {
    const Entry& entry = entries_.at(candidates[i].index);
    const auto score = entry.scores.find(epochs);
    if (score != entry.scores.end()) {  // of an earlier tournament
      done(i, score->second);
      continue;
    }
    units.push_back(i);
    batch.push_back(Key(candidates[i], epochs));
  }
  ShareWork(rt_, rt_.threads, batch, [&](const WorkQueue::Item& item, int worker) {
    const size_t i = units[item.unit];
    Entry& entry = entries_.at(candidates[i].index);
    if (!item.known) return done(i, Advance(candidates[i], entry, epochs, worker));
    entry.recalled = epochs;
    entry.training.reset();  // what was trained here before, somebody else has trained on
    done(i, Tell(candidates[i], entry, epochs, *item.known, item.earlier));
  });
}

// Of those that were trained, however far, here or in an earlier part of the run.
void OperatorSearch::OfferBest(const std::vector<PairCandidate>& candidates) {
  if (!task_.offer) return;
  const LayerProposal* best = nullptr;
  for (const PairCandidate& candidate : candidates) {
    Entry& entry = entries_.at(candidate.index);
    if (!entry.training && entry.recalled == 0) continue;
    const LayerProposal& p = Training(candidate, entry).best();
    if (p.score.valid && (!best || Better(p.score, best->score, task_.problem.metric->direction)))
      best = &p;
  }
  if (best) task_.offer(*best);
}

Score OperatorSearch::Advance(const PairCandidate& candidate, Entry& entry, int epochs,
                              int worker) {
  rt_.CheckStop();
  LayerTraining& training = Training(candidate, entry);
  LayerWorkspace& work = work_[static_cast<size_t>(worker)];
  if (rt_.tells_layer_epochs) AdvanceTelling(candidate, training, epochs, work);
  training.Advance(epochs, work, [&] { return rt_.GoOn(); });
  rt_.CheckStop();
  const Finished finished{training.best().score, training.epochs(), training.diverged(), Seconds()};
  const Score score = Tell(candidate, entry, epochs, finished, false);
  if (!rt_.store->keeps()) return score;
  Notes notes = {{"operator_set", Names(candidate.phi.hidden)}};
  if (candidate.phi.output) notes["output_set"] = Names(*candidate.phi.output);
  rt_.store->Add(Key(candidate, epochs), finished, notes,
                 NeedsState(candidate, score, epochs) ? training.Save() : "");
  return score;
}

// Trains epoch by epoch, and tells the observer of each. The result is the same.
void OperatorSearch::AdvanceTelling(const PairCandidate& candidate, LayerTraining& training,
                                    int epochs, LayerWorkspace& work) {
  EpochEvent event{.layer = static_cast<int>(task_.key.layer),
                   .operator_set = Names(candidate.phi.hidden),
                   .epochs = task_.config.epochs};
  while (training.epochs() < epochs) {
    const int before = training.epochs();
    training.Advance(before + 1, work, [&] { return rt_.GoOn(); });
    if (training.epochs() == before || training.diverged()) return;
    event.epoch = training.epochs();
    const Score& score = training.curve().back();
    event.val = {{task_.problem.metric->name, score.measure}, {"loss", score.loss}};
    if (rt_.observer != nullptr) rt_.observer->OnEpoch(event);
  }
}

// The training of a candidate as far as it has come, here or in an earlier part of the run. Should
// its state be lost, it starts from scratch, and the caller trains it to where it was.
LayerTraining& OperatorSearch::Training(const PairCandidate& candidate, Entry& entry) {
  if (entry.training) return *entry.training;
  const auto op = config_.shared_draws ? 0u : static_cast<uint32_t>(candidate.index) + 1;
  entry.training = std::make_unique<LayerTraining>(task_, candidate.phi, op);
  if (entry.recalled == 0) return *entry.training;
  const std::string state = rt_.store->LoadState(Key(candidate, entry.recalled));
  try {
    if (!state.empty()) entry.training->Restore(state, "");
  } catch (const Error&) {  // not the state of this candidate: lost
    entry.training = std::make_unique<LayerTraining>(task_, candidate.phi, op);
  }
  return *entry.training;
}

// Takes down what became of a candidate, and tells the observer.
Score OperatorSearch::Tell(const PairCandidate& candidate, Entry& entry, int epochs,
                           const Finished& finished, bool recalled) {
  const Score& score = finished.score;
  const int before = entry.scores.empty() ? 0 : entry.scores.rbegin()->first;
  const double work =
      static_cast<double>(task_.x_train.rows) * (epochs - before) * Cost(task_, candidate.phi);
  board_.Report(candidate.phi.hidden, candidate.phi.output ? &*candidate.phi.output : nullptr,
                score, finished.epochs, finished.epochs - entry.epochs, finished.diverged, recalled,
                work);
  const std::lock_guard lock(rt_.mutex);
  if (entry.scores.empty()) ++trained_;
  if (recalled) watch_.CatchUp(finished.seconds);
  entry.epochs = finished.epochs;
  entry.scores[epochs] = score;
  const auto index = static_cast<size_t>(candidate.index);
  if (epochs == rungs_.back() && score.valid &&
      (!leader_ || Beats(score, index, leader_->first, static_cast<size_t>(leader_->second),
                         task_.problem.metric->direction)))
    leader_ = {score, candidate.index};
  return score;
}

// Those that may go on, those that a later tournament may ask for, and the best so far.
bool OperatorSearch::NeedsState(const PairCandidate& candidate, const Score& score, int epochs) {
  if (!score.valid) return false;
  if (epochs < rungs_.back() || KeepsAll()) return true;
  const std::lock_guard lock(rt_.mutex);
  return leader_ && leader_->second == candidate.index;
}

std::vector<Candidate> UsableSets(Runtime& rt, const LayerTask& task,
                                  const LibraryConfig& library) {
  const size_t inputs = task.x_train.cols;
  const size_t all = library.nodal.size() * library.pool.size() * library.activation.size();
  std::vector<Candidate> fit = Library(library.nodal, library.pool, library.activation, inputs);
  Check(!fit.empty() || task.key.layer > 1, "parameter pool: '", JoinList(library.pool),
        "' needs more than ", inputs, " input(s); use sum or maximum");
  if (fit.size() < all) {
    rt.Warn(Join("layer ", task.key.layer, ": skipping ", all - fit.size(), " of ", all,
                 " operator sets, whose pools need more than ", inputs, " inputs"));
  }
  if (task.key.layer > 1 && rt.upper_set) fit.push_back({static_cast<int>(all), *rt.upper_set});
  return fit;
}

std::optional<SearchResult> SearchOperators(Runtime& rt, const LayerTask& task,
                                            const SearchConfig& search) {
  OperatorSearch tries(rt, task, search);
  std::vector<PairCandidate> candidates;
  return tries.Run([&] {
    if (candidates.empty())
      for (const Candidate& c : UsableSets(rt, task, search))
        candidates.push_back({c.index, c.phi});
    return !candidates.empty() && tries.Best(candidates);
  });
}

}  // namespace gopnet
