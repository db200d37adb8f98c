#include "grow/grid.h"

#include "base/check.h"
#include "grow/growth_steps.h"
#include "grow/share_work.h"
#include "nn/state.h"

namespace gopnet {
namespace {

// The network of one setting, and how it grew.
struct Trial {
  Network net;
  std::vector<LayerRecord> layers, rejected;
  std::string stopped;
};

decltype(auto) Fields(auto& a, Trial& t) { return a(t.net, t.layers, t.rejected, t.stopped); }

class Grid {
 public:
  Grid(const Problem& problem, const std::vector<Setting>& grid, Runtime& rt,
       const TrainSetting& train)
      : problem_(problem), grid_(grid), rt_(rt), train_(train) {
    event_.metric = problem.metric->name;
    event_.total = static_cast<int>(grid.size());
  }

  Network Run() {
    std::vector<WorkKey> batch;
    for (size_t i = 0; i < grid_.size(); ++i) batch.push_back(Key(i));
    // one at a time: a setting uses all threads
    ShareWork(rt_, 1, batch,
              [&](const WorkQueue::Item& item, int) { item.known ? Take(item) : Try(item.unit); });
    rt_.LeaveIfHelping();
    if (!best_) Recall();
    rt_.history.chosen = grid_[best_index_];
    rt_.history.layers = best_->layers;
    rt_.history.rejected = best_->rejected;
    rt_.history.stopped = best_->stopped;
    for (size_t k = 0; rt_.observer != nullptr && k < rt_.history.layers.size(); ++k)
      rt_.observer->OnLayer(rt_.history.layers[k], static_cast<int>(k) + 1, true);
    return std::move(best_->net);
  }

 private:
  WorkKey Key(size_t i) const { return {rt_.variant, 0, 0, 0, static_cast<int>(i), 0}; }

  Trial Train(size_t i) {
    Runtime trial;
    trial.threads = rt_.threads;
    trial.observer = &silent_;
    Network net = train_(grid_[i], trial);
    History& h = trial.history;
    return {std::move(net), std::move(h.layers), std::move(h.rejected), std::move(h.stopped)};
  }

  void Try(size_t i) {
    Trial trial = Train(i);
    const Metrics& val = trial.layers.back().val;
    const Score score = FiniteScore(val.at(problem_.metric->name), val.at("loss"));
    const Finished finished{score, 0, !score.valid, watch_.Seconds()};
    const std::string state = rt_.store->keeps() && Leads(i, score) ? ToState(trial) : "";
    Consider(i, score, &trial);
    Notes notes;
    for (const auto& [name, value] : grid_[i]) notes["setting"].push_back(name + "=" + value);
    rt_.store->Add(Key(i), finished, notes, state);
  }

  // Of a setting that was tried elsewhere, or earlier.
  void Take(const WorkQueue::Item& item) {
    watch_.CatchUp(item.known->seconds);
    Consider(item.unit, item.known->score, nullptr, item.earlier);
  }

  // The first of equals, in whatever order they come.
  bool Leads(size_t i, const Score& score) const {
    if (Better(score, best_score_, problem_.metric->direction)) return true;
    return i < best_index_ && !Better(best_score_, score, problem_.metric->direction);
  }

  // trial: null if only its score is known.
  void Consider(size_t i, const Score& score, Trial* trial, bool earlier = false) {
    if (Leads(i, score)) {
      best_.reset();
      if (trial != nullptr) best_ = std::move(*trial);
      best_score_ = score;
      best_index_ = i;
      event_.best_score = score.measure;
      event_.best_setting = grid_[i];
      if (best_ && rt_.checkpoint) rt_.checkpoint(best_->net);
    }
    ++event_.done;
    event_.setting = grid_[i];
    event_.val = {{problem_.metric->name, score.measure}, {"loss", score.loss}};
    event_.recalled = earlier;
    if (rt_.observer != nullptr) rt_.observer->OnGrid(event_);
  }

  // The best was trained in an earlier part of the run.
  void Recall() {
    best_ = FromState<Trial>(rt_.store->LoadState(Key(best_index_)), [&](const Trial& trial) {
      CheckShapes(trial.net, problem_.train.x.cols(), problem_.outputs, "");
    });
    if (!best_) best_ = Train(best_index_);  // lost, or not that of this network
  }

  const Problem& problem_;
  const std::vector<Setting>& grid_;
  Runtime& rt_;
  const TrainSetting& train_;
  // a setting grows in silence
  PartObserver silent_{[this](const std::string& text) { rt_.Warn(text); },
                       [this] { return rt_.GoOn(); }};
  Stopwatch watch_;
  GridEvent event_;
  std::optional<Trial> best_;
  Score best_score_;
  size_t best_index_ = 0;
};

}  // namespace

std::vector<Setting> PaperGrid(const std::vector<std::string>& axes) {
  std::vector<Setting> grid = {{}};
  for (const std::string& axis : axes) {
    std::vector<Setting> finer;
    for (const Setting& setting : grid) {
      for (const double value : {1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0, 1000.0}) {
        finer.push_back(setting);
        finer.back()[axis] = FormatValue(value);
      }
    }
    grid = std::move(finer);
  }
  return grid;
}

Network BestOfGrid(const Problem& problem, const std::vector<Setting>& grid, Runtime& rt,
                   const TrainSetting& train) {
  Check(problem.val.size() > 0, "parameter grid: needs validation rows; use --val or --val-split");
  return Grid(problem, grid, rt, train).Run();
}

}  // namespace gopnet
