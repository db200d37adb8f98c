#include "train/finetune.h"

#include <algorithm>
#include <cmath>

#include "base/stop_check.h"
#include "nn/metric.h"
#include "nn/state.h"
#include "train/batches.h"
#include "train/block_pass.h"
#include "train/network_pass.h"

namespace gopnet {
namespace {

// Cuts rows into parts of kPart, runs them on the team, and hands the results on in order.
constexpr size_t kPart = Inference::kChunk;
template <class Result, class Run, class Use>
void InOrder(Team& team, size_t rows, const Run& run, const Use& use) {
  constexpr size_t kWave = 64;  // parts whose results are held at once
  for (size_t wave = 0; wave < rows; wave += kWave * kPart) {
    StopCheck::Ask();
    std::vector<Result> results(std::min(kWave, (rows - wave + kPart - 1) / kPart));
    team.Run(results.size(), [&](size_t i, int) {
      const size_t first = wave + i * kPart;
      results[i] = run(first, std::min(kPart, rows - first));
    });
    for (size_t i = 0; i < results.size(); ++i) use(wave + i * kPart, results[i]);
  }
}

// Batch statistics in training are those of inputs under dropout; inference has no dropout. So
// statistics are measured anew on the training rows before every evaluation ("precise" batch norm).
void FitStatistics(ConstView x, Network& net, Team& team) {
  Mat features;
  for (size_t k = 0; k < net.layers.size(); ++k) {
    const ConstView input = k == 0 ? x : ConstView(features.view());
    Layer& layer = net.layers[k];
    Mat next(x.rows, layer.outputs(), layer.outputs());
    ColumnMoments total(layer.units());
    InOrder<ColumnMoments>(
        team, x.rows,
        [&](size_t first, size_t count) {
          Inference inference;
          const MutView out = next.view().Rows(first, count);
          inference.Forward(layer, input.Rows(first, count), out, false);
          ColumnMoments part(layer.units());
          part.Add(out);
          return part;
        },
        [&](size_t, const ColumnMoments& part) { total.Add(part); });
    size_t column = 0;
    for (Block& block : layer.blocks) {
      total.WriteTo(x.rows, block, column);
      column += block.units();
    }
    team.Run((x.rows + kPart - 1) / kPart, [&](size_t i, int) {
      NormalizeRows(layer, next.view().Rows(i * kPart, std::min(kPart, x.rows - i * kPart)));
    });
    features = std::move(next);
  }
}

Score Evaluate(const Problem& problem, const Network& net, Team& team, Metrics* metrics) {
  const Rows& rows = problem.selection();
  MetricSums sums(problem, rows);
  InOrder<Mat>(
      team, rows.size(),
      [&](size_t first, size_t count) {
        Inference inference;
        Mat outputs(count, net.output.w.cols());
        CopyRows(inference.Forward(net, rows.x.view().Rows(first, count)), outputs.view());
        return outputs;
      },
      [&](size_t first, Mat& outputs) { sums.Add(first, outputs.view()); });
  const Score score{sums.Measure(), sums.Loss(), true};
  *metrics = sums.AsChosen();  // what layers show, too
  return {score.measure, score.loss, std::isfinite(score.measure + score.loss)};
}

// Fine-tuning in flight: the network that moves, and the best one seen.
class Tuning {
 public:
  Tuning(const FinetuneTask& task, Network net, Runtime& rt)
      : task_(task),
        problem_(task.problem),
        rt_(rt),
        key_{task.seed, static_cast<uint32_t>(net.layers.size()), 1, 0},
        net_(std::move(net)),
        gradient_(net_),
        best_(net_),
        optimizer_(TensorsOf(net_, gradient_, task.memory)),
        team_(rt.threads),
        pass_(team_),
        batch_(problem_, problem_.train.x.view(), {}, task.training.batch_size),
        mask_keys_(net_.layers.size()) {}

  // Goes on from what Save kept; an Error if that is not of this network.
  void Restore(const std::string& bytes) {
    double seconds = 0;
    ArchiveReader read(bytes, "");
    read.Same(net_, best_, best_score_, epoch_, best_epoch_, diverged_, seconds, optimizer_);
    read(curve_);
    read.End();
    read.Require(0 <= best_epoch_ && best_epoch_ <= epoch_ &&
                 epoch_ <= task_.finetune.finetune_epochs &&
                 curve_.size() == static_cast<size_t>(epoch_ - (diverged_ ? 1 : 0)));
    for (const Network* net : {&net_, &best_})
      CheckShapes(*net, problem_.train.x.cols(), problem_.outputs, "");
    watch_.CatchUp(seconds);
    restored_ = true;
  }

  Network Run() {
    OfferIfStopped([&] { AllEpochs(); },
                   [&] {
                     Tell(best_epoch_);
                     rt_.Offer(best_);
                   });
    Save();
    Tell(epoch_);
    return std::move(best_);
  }

 private:
  void Tell(int epochs) {
    rt_.history.finetune_epochs = epochs;
    rt_.history.finetune_best_epoch = best_epoch_;
    rt_.history.finetune_seconds = watch_.Seconds();
    rt_.history.finetune_curve = curve_;
  }

  void AllEpochs() {
    const FinetuneConfig& config = task_.finetune;
    const std::vector<int> stages = StageEpochs(config.finetune_epochs, config.finetune_lr.size());
    if (!restored_) best_score_ = Evaluate(problem_, net_, team_, &metrics_);
    int begin = 0;
    for (size_t stage = 0; stage < stages.size(); begin += stages[stage++]) {
      for (int e = std::max(0, epoch_ - begin); e < stages[stage] && !diverged_; ++e) {
        if (!rt_.GoOn()) Save();  // a whole epoch is not trained again
        rt_.CheckStop();
        if (e == 0) optimizer_.Reset();
        diverged_ = !Epoch(config.finetune_lr[stage]);  // then what was best stays
        if (saved_.Seconds() >= rt_.checkpoint_seconds) Save();
      }
    }
  }

  // Trains one epoch and keeps it if it is the best. False if the loss is no longer finite.
  bool Epoch(double lr) {
    constexpr double kShort = 0.3;  // seconds in which an epoch may end properly
    const Stopwatch watch;
    const StopCheck::Check* ask = StopCheck::Current();
    const StopCheck give_up([&] {
      if (ask != nullptr && *ask && watch.Seconds() > kShort) (*ask)();
    });
    const auto step = [&](size_t, Rng& dropout) { return Step(lr, dropout); };
    if (!batch_.Epoch(key_, epoch_++, task_.training.input_dropout, order_, step)) return false;
    if (!optimizer_.Finite()) return false;
    FitStatistics(problem_.train.x.view(), net_, team_);
    const Score score = Evaluate(problem_, net_, team_, &metrics_);
    if (Better(score, best_score_, problem_.metric->direction)) {
      best_ = net_;
      best_score_ = score;
      best_epoch_ = epoch_;
    }
    curve_.push_back(score.measure);
    if (rt_.observer != nullptr)
      rt_.observer->OnEpoch(
          {.epoch = epoch_, .epochs = task_.finetune.finetune_epochs, .val = metrics_});
    return true;
  }

  void Save() {
    saved_ = {};
    if (!rt_.store->keeps()) return;
    ArchiveWriter write;
    write(net_, best_, best_score_, epoch_, best_epoch_, diverged_, watch_.Seconds(), optimizer_,
          curve_);
    rt_.store->Save(StageName(rt_, 0, 0, "finetune"), write.Take());
  }

  bool Step(double lr, Rng& dropout) {
    const TrainingConfig& training = task_.training;
    for (uint64_t& key : mask_keys_) key = dropout.Next64();
    const MutView outputs = pass_.Forward(net_, batch_.x(), training.dropout, mask_keys_);
    if (!std::isfinite(batch_.LossGradient(outputs))) return false;
    pass_.Backward(net_, batch_.x(), outputs, task_.memory, gradient_);
    optimizer_.Step(lr, {training.weight_decay, training.max_norm, task_.finetune.finetune_clip},
                    &team_);
    return true;
  }

  const FinetuneTask& task_;
  const Problem& problem_;
  Runtime& rt_;
  StreamKey key_;
  Network net_, gradient_, best_;
  Score best_score_;
  Optimizer optimizer_;
  Team team_;
  NetworkPass pass_;
  Batch batch_;
  std::vector<uint32_t> order_;
  std::vector<uint64_t> mask_keys_;
  Metrics metrics_;
  std::vector<double> curve_;
  int epoch_ = 0, best_epoch_ = 0;
  bool diverged_ = false, restored_ = false;
  Stopwatch watch_, saved_;
};

}  // namespace

Network FineTune(const FinetuneTask& task, const Network& net, Runtime& rt) {
  rt.LeaveIfHelping();
  std::optional<Tuning> tuning(std::in_place, task, net, rt);
  const auto bytes = rt.store->Load(StageName(rt, 0, 0, "finetune"));
  try {
    if (bytes) tuning->Restore(*bytes);
  } catch (const Error&) {
    tuning.emplace(task, net, rt);
  }
  return tuning->Run();
}

}  // namespace gopnet
