#include "train/batches.h"

#include <algorithm>
#include <cstring>

#include "kernels/elementwise.h"
#include "kernels/loss.h"

namespace gopnet {
namespace {

void GatherRows(ConstView from, const uint32_t* order, size_t count, Mat& to) {
  Room(to, count, from.cols);
  for (size_t n = 0; n < count; ++n)
    std::memcpy(to.Row(n), from.Row(order[n]), from.cols * sizeof(float));
}

}  // namespace

std::vector<std::pair<size_t, size_t>> BatchRanges(size_t rows, size_t size) {
  std::vector<std::pair<size_t, size_t>> ranges;
  for (size_t begin = 0; begin < rows; begin += size)
    ranges.emplace_back(begin, std::min(rows, begin + size));
  if (ranges.size() > 1 && ranges.back().second - ranges.back().first == 1) {
    ranges.pop_back();
    ranges.back().second = rows;
  }
  return ranges;
}

void Batch::Gather(const uint32_t* order, size_t count) {
  count_ = count;
  GatherRows(x_, order, count, xb_);
  if (g_.data) GatherRows(g_, order, count, gb_);
  if (problem_.train.targets.rows() > 0)
    GatherRows(problem_.train.targets.view(), order, count, targets_);
  labels_.resize(count);
  weights_.resize(count);
  total_ = 0;
  for (size_t n = 0; n < count; ++n) {
    if (!problem_.train.labels.empty()) labels_[n] = problem_.train.labels[order[n]];
    weights_[n] = problem_.train.weights.empty() ? 1.0f : problem_.train.weights[order[n]];
    total_ += static_cast<double>(weights_[n]);
  }
}

void Batch::DropInputs(uint64_t key, double rate) {
  const MutView mask = Room(mask_, count_, x_.cols);
  DropoutMask(key, rate, mask);
  Multiply(x(), mask, x());
}

double Batch::LossGradient(MutView outputs) {
  hits_ = 0;
  if (problem_.task == Task::kClassification) {
    predicted_.resize(outputs.rows);
    ArgMaxRows(outputs, predicted_.data());
    for (size_t n = 0; n < outputs.rows; ++n) hits_ += predicted_[n] == labels_[n];
  }
  const Goal goal{labels_.data(), targets_.view().Rows(0, count_), weights_.data()};
  const double loss = problem_.objective->Gradient(outputs, goal, total_);
  if (label_smoothing_ > 0 && problem_.softmax()) SmoothLabels(outputs);
  return loss / total_;
}

// The gradient is weight (p - t) / total; t becomes (1 - s) t + s / classes.
void Batch::SmoothLabels(MutView gradient) const {
  for (size_t n = 0; n < gradient.rows; ++n) {
    const auto part =
        static_cast<float>(label_smoothing_ * static_cast<double>(weights_[n]) / total_);
    gradient.Row(n)[labels_[n]] += part;
    for (size_t j = 0; j < gradient.cols; ++j)
      gradient.Row(n)[j] -= part / static_cast<float>(gradient.cols);
  }
}

}  // namespace gopnet
