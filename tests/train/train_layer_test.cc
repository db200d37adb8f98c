// Training of a candidate layer: the steps, compared with a plain implementation in double, the
// schedule and the best epoch.
#include "train/train_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/toy_problem.h"

namespace gopnet::testing {
namespace {

LayerTask TaskOn(const Problem& problem, int epochs) {
  TrainingConfig config;
  config.epochs = epochs;
  config.dropout = 0;
  config.max_norm = 0;
  config.batch_size = 16;
  return {.problem = problem,
          .x_train = problem.train.x.view(),
          .x_val = problem.val.x.view(),
          .g_train = {},
          .g_val = {},
          .units = 6,
          .config = config,
          .input_dropout = 0,
          .key = {1, 1, 0, 0}};
}

const auto kGoOn = [] { return true; };

// A perceptron layer tanh(x W + b) -> batch norm -> softmax, trained in double with Adam and the
// same random draws and batches.
class DoublePerceptron {
 public:
  explicit DoublePerceptron(const LayerTask& task)
      : task_(task), k_(task.x_train.cols), m_(task.units), c_(task.problem.outputs) {
    Mat w(k_, m_), o(m_, c_);
    InitializeWeights(Rng(task.key, Purpose::kWeights), w);
    InitializeWeights(Rng(task.key, Purpose::kOutput), o);
    p_.resize(k_ * m_ + 3 * m_ + m_ * c_ + c_);
    for (size_t i = 0; i < k_; ++i) {
      for (size_t j = 0; j < m_; ++j) p_[i * m_ + j] = static_cast<double>(w.Row(i)[j]);
    }
    for (size_t j = 0; j < m_; ++j) p_[k_ * m_ + m_ + j] = 1;
    for (size_t i = 0; i < m_; ++i) {
      for (size_t j = 0; j < c_; ++j)
        p_[k_ * m_ + 3 * m_ + i * c_ + j] = static_cast<double>(o.Row(i)[j]);
    }
    first_.resize(p_.size());
    second_.resize(p_.size());
  }

  void Epoch(uint32_t epoch, double lr) {
    std::vector<uint32_t> order(task_.x_train.rows);
    Shuffle(Rng(task_.key, Purpose::kShuffle, epoch), order);
    for (const auto& [begin, end] :
         BatchRanges(order.size(), static_cast<size_t>(task_.config.batch_size))) {
      const std::vector<uint32_t> rows(order.begin() + static_cast<long>(begin),
                                       order.begin() + static_cast<long>(end));
      std::vector<double> gradient(p_.size());
      for (size_t i = 0; i < p_.size();
           ++i) {  // central differences share no code with the kernels
        const double keep = p_[i], step = 1e-6;
        p_[i] = keep + step;
        const double up = Loss(rows);
        p_[i] = keep - step;
        gradient[i] = (up - Loss(rows)) / (2 * step);
        p_[i] = keep;
      }
      ++steps_;
      for (size_t i = 0; i < p_.size(); ++i) {
        first_[i] = 0.9 * first_[i] + 0.1 * gradient[i];
        second_[i] = 0.999 * second_[i] + 0.001 * gradient[i] * gradient[i];
        const double rate =
            lr * std::sqrt(1 - std::pow(0.999, steps_)) / (1 - std::pow(0.9, steps_));
        p_[i] -= rate * first_[i] / (std::sqrt(second_[i]) + 1e-7);
      }
    }
  }

  double Loss(const std::vector<uint32_t>& rows) const {
    const size_t n = rows.size();
    std::vector<double> a(n * m_);
    for (size_t r = 0; r < n; ++r) {
      for (size_t j = 0; j < m_; ++j) {
        double x = p_[k_ * m_ + j];
        for (size_t i = 0; i < k_; ++i)
          x += static_cast<double>(task_.x_train.Row(rows[r])[i]) * p_[i * m_ + j];
        a[r * m_ + j] = std::tanh(x);
      }
    }
    for (size_t j = 0; j < m_; ++j) {
      double mean = 0, variance = 0;
      for (size_t r = 0; r < n; ++r) mean += a[r * m_ + j] / static_cast<double>(n);
      for (size_t r = 0; r < n; ++r)
        variance += std::pow(a[r * m_ + j] - mean, 2) / static_cast<double>(n);
      for (size_t r = 0; r < n; ++r) {
        a[r * m_ + j] = p_[k_ * m_ + m_ + j] * (a[r * m_ + j] - mean) / std::sqrt(variance + 1e-3) +
                        p_[k_ * m_ + 2 * m_ + j];
      }
    }
    double loss = 0;
    for (size_t r = 0; r < n; ++r) {
      double total = 0, target = 0;
      for (size_t j = 0; j < c_; ++j) {
        double logit = p_[k_ * m_ + 3 * m_ + m_ * c_ + j];
        for (size_t i = 0; i < m_; ++i) logit += a[r * m_ + i] * p_[k_ * m_ + 3 * m_ + i * c_ + j];
        total += std::exp(logit);
        if (static_cast<int32_t>(j) == task_.problem.train.labels[rows[r]]) target = logit;
      }
      loss += (std::log(total) - target) / static_cast<double>(n);
    }
    return loss;
  }
  double W(size_t i, size_t j) const { return p_[i * m_ + j]; }

 private:
  LayerTask task_;
  size_t k_, m_, c_;
  std::vector<double> p_, first_, second_;
  int steps_ = 0;
};

TEST(TrainLayer, PerceptronSetTrainsLikeAnMlpInDouble) {
  Problem problem = ToyProblem(48, 4, 3);
  problem.metric = FindMetric("loss");
  LayerTask task = TaskOn(problem, 3);
  task.config.lr = {0.01};
  DoublePerceptron reference(task);
  LayerWorkspace work;
  LayerTraining training(task, OperatorSet{0, 0, 1}, 0);
  training.Advance(3, work, kGoOn);
  for (uint32_t epoch = 0; epoch < 3; ++epoch) reference.Epoch(epoch, 0.01);
  ASSERT_EQ(training.best().best_epoch,
            3);  // the loss still falls, so the last weights are best
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(static_cast<double>(training.best().block.w.Row(i)[j]), reference.W(i, j), 2e-4);
    }
  }
}

TEST(TrainLayer, PausedTrainingContinuesWithTheSameBits) {
  const Problem problem = ToyProblem(60, 5, 3);
  LayerTask task = TaskOn(problem, 12);
  task.config.dropout = 0.5;
  LayerWorkspace work, other;
  LayerTraining whole(task, OperatorSet{2, 1, 0}, 0), parts(task, OperatorSet{2, 1, 0}, 0);
  whole.Advance(12, work, kGoOn);
  for (const int epoch : {1, 5, 12}) parts.Advance(epoch, epoch == 5 ? other : work, kGoOn);
  EXPECT_EQ(whole.best().score.loss, parts.best().score.loss);
  EXPECT_EQ(whole.best().best_epoch, parts.best().best_epoch);
  for (size_t i = 0; i < whole.best().block.w.rows(); ++i) {
    for (size_t j = 0; j < 6; ++j)
      EXPECT_EQ(whole.best().block.w.Row(i)[j], parts.best().block.w.Row(i)[j]);
  }
}

TEST(TrainLayer, AveragedWeightsSurviveSavingAndRestoring) {
  const Problem problem = ToyProblem(60, 5, 3);
  LayerTask task = TaskOn(problem, 12);
  task.config.ema = 0.9;
  LayerWorkspace work;
  LayerTraining whole(task, OperatorSet{2, 1, 0}, 0), before(task, OperatorSet{2, 1, 0}, 0),
      after(task, OperatorSet{2, 1, 0}, 0);
  whole.Advance(12, work, kGoOn);
  before.Advance(5, work, kGoOn);
  after.Restore(before.Save(), "state");
  after.Advance(12, work, kGoOn);
  EXPECT_EQ(whole.Save(), after.Save());
}

TEST(TrainLayer, WithoutEpochsProposesTheInitialWeights) {
  const Problem problem = ToyProblem(40, 4, 2);
  LayerWorkspace work;
  LayerTraining training(TaskOn(problem, 0), OperatorSet{1, 0, 2}, 0);
  training.Advance(0, work, kGoOn);
  EXPECT_TRUE(training.best().score.valid);
  EXPECT_EQ(training.best().best_epoch, 0);
}

TEST(TrainLayer, MaxNormHoldsForEveryNeuron) {
  const Problem problem = ToyProblem(60, 5, 3);
  LayerTask task = TaskOn(problem, 5);
  task.config.max_norm = 0.7;
  LayerWorkspace work;
  LayerTraining training(task, OperatorSet{0, 0, 2}, 0);
  training.Advance(5, work, kGoOn);
  const Mat& w = training.best().block.w;
  for (size_t j = 0; j < w.cols(); ++j) {
    double squares = 0;
    for (size_t i = 0; i < w.rows(); ++i) squares += std::pow(static_cast<double>(w.Row(i)[j]), 2);
    EXPECT_LE(std::sqrt(squares), 0.7 + 1e-5);
  }
}

TEST(TrainLayer, DivergenceGivesAScoreInsteadOfAnError) {
  Problem problem = ToyProblem(40, 4, 2);
  LayerTask task = TaskOn(problem, 30);
  task.config.lr = {1e30};
  LayerWorkspace work;
  LayerTraining training(task, OperatorSet{5, 2, 2}, 0);
  training.Advance(30, work, kGoOn);
  EXPECT_TRUE(training.diverged());
  EXPECT_FALSE(training.best().score.valid);
}

TEST(TrainLayer, EpochPatienceEndsTrainingEarly) {
  const Problem problem = ToyProblem(40, 4, 2);
  LayerTask task = TaskOn(problem, 500);
  task.config.epoch_patience = 3;
  LayerWorkspace work;
  LayerTraining training(task, OperatorSet{0, 0, 1}, 0);
  training.Advance(500, work, kGoOn);
  EXPECT_EQ(training.epochs(), training.best().best_epoch + 3);
}

TEST(StageEpochs, AreEqualAndEarlierStagesTakeTheRemainder) {
  EXPECT_EQ(StageEpochs(300, 3), (std::vector<int>{100, 100, 100}));
  EXPECT_EQ(StageEpochs(8, 3), (std::vector<int>{3, 3, 2}));
  EXPECT_EQ(StageEpochs(0, 2), (std::vector<int>{0, 0}));
}

TEST(BatchRanges, ASingleLastRowJoinsThePreviousBatch) {
  using Ranges = std::vector<std::pair<size_t, size_t>>;
  EXPECT_EQ(BatchRanges(130, 64), (Ranges{{0, 64}, {64, 128}, {128, 130}}));
  EXPECT_EQ(BatchRanges(129, 64), (Ranges{{0, 64}, {64, 129}}));
  EXPECT_EQ(BatchRanges(5, 64), (Ranges{{0, 5}}));
}

}  // namespace
}  // namespace gopnet::testing
