#include <algorithm>
#include <cstdio>

#include "algorithms/train_ensemble.h"
#include "base/check.h"
#include "base/spill.h"
#include "base/usable_memory.h"
#include "nn/yardstick.h"
#include "run/prepare.h"

namespace gopnet {
namespace {

// Rows whose predictions report.json has beside the true values: those of the test or else of
// validation.
double ReportBytes(const MemoryShape& s) {
  const double judged = s.train_rows < s.rows ? s.rows - s.train_rows : s.rows;
  return s.regression ? 32 * judged * s.outputs : 0;
}

// The linear model that every network is measured beside: pairs of steps and changes.
double LinearBytes(const MemoryShape& s) {
  constexpr double kVectors = 26;
  const double weights = (s.features + 1) * s.outputs;
  return weights > static_cast<double>(kMostLinearWeights) ? 0 : 8 * kVectors * weights;
}

// With what FitToData will choose by the rows, where it changes the memory.
Values WithoutAuto(Values values, const MemoryShape& s) {
  const auto rows = static_cast<size_t>(s.train_rows);
  const auto choose = [&](const char* name, const std::string& value) {
    const auto it = values.find(name);
    if (it != values.end() && it->second == "auto") it->second = value;
  };
  choose("topology", AutoTopology(rows, s.regression ? Task::kRegression : Task::kClassification));
  choose("ensemble", std::to_string(AutoEnsemble(rows)));
  choose("batch_size", std::to_string(AutoBatchSize(rows)));
  return values;
}

// `cv`: the folds of a cross-validation come first, one after the other.
double Estimate(const Algorithm& algorithm, const Values& values, const MemoryShape& s, bool cv) {
  const double least = std::min(s.rows, s.features);
  const double copy = 4 * s.rows * s.features;
  // as read, those of a fold, scaled
  const double rows = copy > static_cast<double>(SpillBytes()) ? 0 : (cv ? 3 : 2) * copy;
  const double targets = s.regression ? 4 * s.rows * s.outputs : 0;  // as read
  const double fixed = 15e6 + 32 * least * least + rows + targets;   // the program, eigenvectors
  const double gaps = cv ? 1.3 : 1;  // that one fold leaves to the next
  const double training = TrainingBytes(algorithm, WithoutAuto(values, s), s);
  return fixed + gaps * std::max(LinearBytes(s), training + ReportBytes(s));
}

std::string Gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < 1e9 ? "%.3f GB" : "%.1f GB", bytes / 1e9);
  return text;
}

// As Prepare divides them.
double TrainRows(const Values& values, const TrainData& data) {
  const auto config = ReadConfig<CommonConfig>(values);
  auto rows = static_cast<double>(data.train.rows());
  if (data.test.rows() == 0) rows -= config.test_split * rows;
  if (FoldCount(data, config, IsEnsemble(values), static_cast<size_t>(rows)) > 0)
    return rows + static_cast<double>(data.val.rows());
  return data.val.rows() > 0 ? rows : rows - config.val_split * rows;
}

MemoryShape ShapeOf(const Values& values, const TrainData& data, int threads) {
  const Dataset& train = data.train;
  const size_t rows = train.rows() + data.val.rows() + data.test.rows();
  const bool regression = train.task == Task::kRegression;
  const size_t outputs = regression ? train.targets.cols() : train.classes.size();
  return {static_cast<double>(rows),
          static_cast<double>(train.features()),
          static_cast<double>(outputs),
          TrainRows(values, data),
          regression,
          threads};
}

}  // namespace

std::string CheckMemory(const Algorithm& algorithm, const Values& values, const TrainData& data,
                        int threads, int cv_folds, size_t limit) {
  const auto most = static_cast<double>(limit > 0 ? limit : DefaultMemoryLimit());
  const MemoryShape shape = ShapeOf(values, data, threads);
  const double bytes = Estimate(algorithm, values, shape, cv_folds > 0);
  const std::string needs = Join(
      algorithm.name, " on ", static_cast<size_t>(shape.rows), " rows of ",
      static_cast<size_t>(shape.features), " features with ", static_cast<size_t>(shape.outputs),
      " outputs needs about ", Gigabytes(bytes), " of memory; the limit is ", Gigabytes(most));
  Check(bytes <= most, needs, "; try fewer rows, columns or classes, ",
        values.count("topology") ? "fewer neurons, search exhaustive" : "fewer or smaller blocks",
        ", or a higher --memory-limit");
  return bytes > most / 2 ? needs : "";
}

}  // namespace gopnet
