// SearchOperators: trains a proposal of the layer for every operator set and returns the best.
// OperatorSearch is the tool behind it, for algorithms that search more than once a layer (POP).
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "grow/candidate_board.h"
#include "grow/find_once.h"
#include "grow/tournament.h"
#include "train/train_layer.h"

namespace gopnet {

// The record tells units, operator set, candidates, epochs, diverged, seconds, and the winner's
// metrics.
using SearchResult = Found<LayerRecord>;

// Of the epochs, 1/kEarly is enough to tell whether an upper layer is to have the network's own
// operators or plain perceptrons (Runtime::upper_set): the learning rate of the cosine schedule has
// a low there.
constexpr int kEarly = 5;

// What a search chooses from: operators for the block, or for it and for the output layer.
struct PairCandidate {
  int index = 0;  // in the library of all pairs (or behind it), stable whatever is left out
  OperatorPair phi;
};

// One or several tournaments over pairs of operator sets on one task. A pair that was trained in an
// earlier tournament is not trained again.
class OperatorSearch {
 public:
  // tournaments: how many there will be at most, for the progress shown.
  OperatorSearch(Runtime& rt, const LayerTask& task, const SearchConfig& config,
                 int tournaments = 1);
  // The winner of the tournaments that `search` plays, with what all of them spent. It returns
  // whether there is one: if every candidate diverged it plays again, with a tenth of the learning
  // rates. What an earlier part of the run found is returned at once.
  std::optional<SearchResult> Run(const std::function<bool()>& search);
  // For `search`: a tournament. Which one wins, or nothing if every candidate diverged.
  std::optional<size_t> Best(const std::vector<PairCandidate>& candidates);

 private:
  struct Entry {
    std::unique_ptr<LayerTraining> training;
    std::map<int, Score> scores;  // by epoch: those of an earlier tournament hold again
    RankedSet set;
    int epochs = 0;    // really trained
    int recalled = 0;  // the last rung that the store knew
  };
  // What a later tournament may ask for again stays: the pairs of the first, and every winner.
  bool KeepsAll() const { return run_ == 1 && tournaments_ > 1; }
  std::vector<int> ChooseRungs(size_t candidates) const;
  double WorkAhead(const std::vector<int>& rungs, size_t first, size_t field,
                   const TournamentOptions& options) const;
  void TrainRung(const std::vector<PairCandidate>& candidates, const std::vector<size_t>& order,
                 int epochs, const std::function<void(size_t, const Score&)>& done);
  SearchResult Result();
  SearchResult Winner();
  std::vector<RankedSet> Ranking() const;
  void SlowDown();
  void OfferBest(const std::vector<PairCandidate>& candidates);
  Score Advance(const PairCandidate& candidate, Entry& entry, int epochs, int worker);
  void AdvanceTelling(const PairCandidate& candidate, LayerTraining& training, int epochs,
                      LayerWorkspace& work);
  LayerTraining& Training(const PairCandidate& candidate, Entry& entry);
  Score Tell(const PairCandidate& candidate, Entry& entry, int epochs, const Finished& finished,
             bool recalled);
  bool NeedsState(const PairCandidate& candidate, const Score& score, int epochs);
  WorkKey Key(const PairCandidate& candidate, int epochs) const;
  double Seconds();  // since the search began, in whatever part of the run
  Metrics Measure(const LayerProposal& best, const Rows& rows, ConstView x, ConstView g);

  Runtime& rt_;
  LayerTask task_;
  const SearchConfig& config_;
  int tournaments_;
  std::map<int, Entry> entries_;  // by index of the pair
  std::optional<PairCandidate> winner_;
  std::optional<std::pair<Score, int>> leader_;  // best of this tournament so far, and its index
  std::vector<LayerWorkspace> work_;
  Stopwatch watch_;  // under the runtime's lock: a recalled candidate sets it
  CandidateBoard board_;
  std::vector<int> rungs_;  // epochs at which candidates are compared
  int run_ = 0, trained_ = 0, attempt_ = 0;
};

// The sets of the library that make sense for so many inputs, and Runtime::upper_set above the
// first layer; says how many do not. An Error if none is left for the first layer.
std::vector<Candidate> UsableSets(Runtime& rt, const LayerTask& task, const LibraryConfig& library);

// Empty if every candidate diverged, also at a tenth of the learning rates.
std::optional<SearchResult> SearchOperators(Runtime& rt, const LayerTask& task,
                                            const SearchConfig& search);

}  // namespace gopnet
