#include "train/train_layer.h"

#include <algorithm>
#include <cmath>

#include "base/real_math.h"
#include "base/stop_check.h"
#include "kernels/elementwise.h"
#include "linalg/gemm.h"
#include "nn/state.h"

namespace gopnet {
namespace {

std::vector<Trained> TensorsOf(Block& block, Block& block_gradient, OutputLayer& output,
                               OutputLayer& output_gradient) {
  std::vector<Trained> tensors;
  AppendTensors(block, block_gradient, tensors);
  AppendTensors(output, output_gradient, tensors);
  return tensors;
}

// Random weights; all operator sets of a search start from the same numbers.
LayerProposal RandomStart(const LayerTask& task, const OperatorPair& phi, uint32_t op_index) {
  StreamKey key = task.key;
  key.op = op_index;
  const size_t outputs = task.problem.outputs;
  LayerProposal start{MakeBlock(phi.hidden, task.x_train.cols, task.units),
                      {Mat(task.units + task.g_train.cols, outputs), Mat(1, outputs), phi.output}};
  InitializeWeights(Rng(key, Purpose::kWeights), start.block.w);
  InitializeWeights(Rng(key, Purpose::kOutput), start.output.w);
  std::fill_n(start.block.gamma.data(), task.units, 1.0f);
  return start;
}

// Rises and falls four times in t = 0 .. 1, each time twice as long (Holzmueller et al., 2024).
double CosineFactor(double t) { return 0.5 * (1 - real::CosOfTurns(real::Log2(1 + 15 * t))); }

}  // namespace

void InitializeWeights(Rng rng, Mat& w) {
  DrawUniform(rng, std::sqrt(6.0 / static_cast<double>(w.rows() + w.cols())), w);
}

void CheckShapes(const LayerProposal& proposal, const LayerTask& task, const std::string& source) {
  CheckShapes(proposal.block, task.x_train.cols, source);
  CheckShapes(proposal.output, task.units + task.g_train.cols, task.problem.outputs, source);
  Check(proposal.block.norm == Norm::kBatch, source,
        ": the neurons lack the batch normalisation of the run");
  Check(proposal.block.units() == task.units, source, ": must have ", task.units, " neurons; got ",
        proposal.block.units());
}

void EvaluateInto(const Block& block, const OutputLayer& output, ConstView x, ConstView g,
                  LayerWorkspace& work, MetricSums& sums) {
  ForEachChunk(x.rows, Inference::kChunk, [&](size_t first, size_t count) {
    ConstView hidden = work.inference.Forward(block, x.Rows(first, count));
    if (g.data != nullptr) {
      const MutView both = Room(work.hidden, count, hidden.cols + g.cols);
      CopyRows(hidden, both);
      CopyRows(g.Rows(first, count), both.Part(0, hidden.cols, count, g.cols));
      hidden = both;
    }
    const MutView outputs = Room(work.outputs, count, output.w.cols());
    work.output_inference.Forward(output, hidden, outputs);
    sums.Add(first, outputs);
  });
}

LayerTraining::LayerTraining(const LayerTask& task, const OperatorPair& phi, uint32_t op_index)
    : LayerTraining(task, RandomStart(task, phi, op_index)) {
  key_.op = op_index;
  running_measure_ = true;
}

LayerTraining::LayerTraining(const LayerTask& task, const LayerProposal& start)
    : task_(task),
      key_(task.key),
      block_(start.block),
      block_gradient_(block_),
      output_(start.output),
      output_gradient_(output_),
      statistics_(task.units),
      optimizer_(TensorsOf(block_, block_gradient_, output_, output_gradient_), task.config.beta2,
                 task.config.ema),
      batch_(task.problem, task.x_train, task.g_train, task.config.batch_size,
             task.config.label_smoothing) {}

void LayerTraining::Advance(int epoch, LayerWorkspace& work, const std::function<bool()>& go_on) {
  if (!started_) {  // epoch 0: the initial weights count as a candidate
    started_ = true;
    curve_.reserve(static_cast<size_t>(task_.config.epochs) + 1);
    FitStatistics(task_.x_train, work.inference, block_);  // no batch has been seen yet
    Consider(work);
  }
  while (epoch_ < epoch && !diverged_ && go_on()) {
    if (task_.config.epoch_patience > 0 && epoch_ - best_.best_epoch >= task_.config.epoch_patience)
      return;
    Epoch(work);
    Consider(work);
  }
}

void FitStatistics(ConstView x, Inference& inference, Block& block) {
  ColumnMoments moments(block.units());
  ForEachChunk(x.rows, Inference::kChunk, [&](size_t first, size_t count) {
    moments.Add(inference.Activations(block, x.Rows(first, count)));
  });
  moments.WriteTo(x.rows, block);
}

// A new stage starts with a new optimiser, from the last weights of the stage before.
void LayerTraining::EnterStage() {
  int begin = 0;
  const std::vector<int> stages = StageEpochs(task_.config.epochs, task_.config.lr.size());
  for (size_t s = 0; s < stages.size(); begin += stages[s++]) {
    if (epoch_ != begin || stages[s] == 0) continue;
    if (s > 0 && task_.config.schedule == Schedule::kCosine) continue;
    optimizer_.Reset();
    lr_ = task_.config.lr[s];
  }
}

void LayerTraining::Epoch(LayerWorkspace& work) {
  EnterStage();
  running_loss_ = running_hits_ = 0;
  const auto rows = static_cast<double>(task_.x_train.rows);
  const auto step = [&](size_t first, Rng& dropout) {
    if (task_.config.schedule == Schedule::kCosine) {
      const double t = (epoch_ + static_cast<double>(first) / rows) / task_.config.epochs;
      lr_ = task_.config.lr.front() * CosineFactor(t);
    }
    Step(work, dropout.Next64());
    return true;
  };
  batch_.Epoch(key_, epoch_, task_.input_dropout, work.order, step);
  statistics_.WriteTo(block_);
  ++epoch_;
}

// [F, G] under dropout, rows x (units + q).
ConstView LayerTraining::Hidden(ConstView f, LayerWorkspace& work, uint64_t dropout_key) {
  const double rate = task_.config.dropout;
  const ConstView g = batch_.g();
  if (rate <= 0 && g.data == nullptr) return f;
  const MutView hidden = Room(work.hidden, f.rows, f.cols + g.cols);
  const MutView mask = Room(work.mask, f.rows, f.cols + g.cols);
  DropoutMask(dropout_key, rate, mask);
  Multiply(f, mask, hidden);
  if (g.data != nullptr) {
    Multiply(g, {mask.data + f.cols, mask.rows, g.cols, mask.stride},
             {hidden.data + f.cols, hidden.rows, g.cols, hidden.stride});
  }
  return hidden;
}

void LayerTraining::Step(LayerWorkspace& work, uint64_t dropout_key) {
  const MutView x = batch_.x();
  const Shard all{0, 0, x.rows};
  work.pass.MakeRoom(block_, x.rows, 1);
  work.pass.Activations(block_, x, all);
  work.pass.Statistics();
  const ConstView f = work.pass.Outputs(block_, all);
  statistics_.Add(work.pass.mean(), work.pass.variance());
  const ConstView hidden = Hidden(f, work, dropout_key);
  const MutView outputs = Room(work.outputs, x.rows, task_.problem.outputs);
  work.output.Forward(output_, hidden, outputs);

  const double loss = batch_.LossGradient(outputs);
  running_loss_ += loss * static_cast<double>(batch_.count());
  running_hits_ += static_cast<double>(batch_.hits());
  // Only the block's part of dLoss/dhidden is needed: memory is fixed.
  const MutView output_t = Room(work.output_t, task_.problem.outputs, f.cols);
  const MutView df = work.pass.df(all);
  if (!output_.phi) Transpose(output_.w.view().Rows(0, f.cols), output_t);
  work.output.Backward(output_, output_t, hidden, outputs, output_gradient_, df);
  if (task_.config.dropout > 0) Multiply(df, work.mask.view().Rows(0, x.rows), df);
  work.pass.BackwardNorm(all, block_gradient_);
  work.pass.Backward(block_, x, all, block_gradient_, block_gradient_, {});
  optimizer_.Step(lr_, {task_.config.weight_decay, task_.config.max_norm, 0});
}

Score LayerTraining::Evaluate(LayerWorkspace& work) const {
  const auto rows = static_cast<double>(task_.x_train.rows);
  const bool running = running_measure_ && task_.x_val.rows == 0 && epoch_ > 0;
  const Metric& metric = *task_.problem.metric;
  if (running && metric.running != nullptr) {
    const double loss = running_loss_ / rows;
    return {metric.running(running_hits_ / rows, loss), loss, true};
  }
  MetricSums sums(task_.problem, task_.problem.selection());
  EvaluateInto(block_, output_, task_.x_selection(), task_.g_selection(), work, sums);
  return {sums.Measure(), sums.Loss(), true};
}

std::string LayerTraining::Save() const {
  ArchiveWriter write;
  write(block_, output_, statistics_, optimizer_, epoch_, lr_, started_, diverged_, curve_);
  if (!diverged_) write(best_);
  return write.Take();
}

void LayerTraining::Restore(std::string_view state, const std::string& source) {
  ArchiveReader read(state, source);
  const OperatorPair phi(block_.phi, output_.phi);
  read.Same(block_, output_, statistics_, optimizer_, epoch_, lr_, started_, diverged_);
  read(curve_);
  read.Require(curve_.size() <= static_cast<size_t>(std::max(epoch_, 0)) + 1);
  best_ = {};
  if (!diverged_) {
    best_ = {block_, output_};
    read.Same(best_);
    CheckShapes(best_.block, task_.x_train.cols, source);
    read.Require(best_.block.phi == phi.hidden && best_.output.phi == phi.output);
  }
  CheckShapes(block_, task_.x_train.cols, source);
  read.Require(block_.phi == phi.hidden && output_.phi == phi.output);
  read.Require(block_.norm == Norm::kBatch && (diverged_ || best_.block.norm == Norm::kBatch));
  read.Require(0 <= best_.best_epoch && best_.best_epoch <= epoch_ &&
               epoch_ <= task_.config.epochs);
  read.End();
}

// Keeps the weights of the best epoch; of equal ones the earliest. A non-finite loss ends the
// candidate.
void LayerTraining::Consider(LayerWorkspace& work) {
  if (task_.config.ema <= 0) return Judge(work);
  optimizer_.SwapAverages();
  FitStatistics(task_.x_train, work.inference, block_);  // those of the batches are not theirs
  Judge(work);
  optimizer_.SwapAverages();
}

void LayerTraining::Judge(LayerWorkspace& work) {
  const Score score = Evaluate(work);
  if (!std::isfinite(score.measure + score.loss + running_loss_) || !optimizer_.Finite()) {
    diverged_ = true;
    best_ = {};
    return;
  }
  curve_.push_back(score);
  if (Better(score, best_.score, task_.problem.metric->direction))
    best_ = {block_, output_, score, epoch_};
}

}  // namespace gopnet
