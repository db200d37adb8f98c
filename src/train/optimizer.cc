#include "train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/real_math.h"

namespace gopnet {
namespace {

size_t Floats(const MutView& v) { return v.rows * v.stride; }

}  // namespace

Optimizer::Optimizer(std::vector<Trained> tensors, double beta2, double ema)
    : tensors_(std::move(tensors)), beta2_(static_cast<float>(beta2)), ema_(ema) {
  for (const Trained& t : tensors_) {
    m_.emplace_back(Floats(t.value));
    v_.emplace_back(Floats(t.value));
    scratch_.emplace_back(t.value.stride);
    if (ema <= 0) continue;
    averages_.emplace_back(Floats(t.value));
    std::copy_n(t.value.data, Floats(t.value), averages_.back().data());
  }
}

void Optimizer::Reset() {
  step_ = 0;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    std::memset(m_[i].data(), 0, m_[i].size() * sizeof(float));
    std::memset(v_[i].data(), 0, v_[i].size() * sizeof(float));
  }
}

bool Optimizer::Finite() const {
  return std::all_of(tensors_.begin(), tensors_.end(),
                     [](const Trained& t) { return AllFinite(t.value.data, Floats(t.value)); });
}

void Optimizer::ClipGradient(double limit) {
  double squares = 0;
  for (const Trained& t : tensors_) squares += SquaredNorm(t.gradient.data, Floats(t.gradient));
  const double norm = std::sqrt(squares);
  if (!(norm > limit)) return;
  for (const Trained& t : tensors_)
    Scale(static_cast<float>(limit / norm), Floats(t.gradient), t.gradient.data);
}

// The first steps count more than later ones, or the average would long remember the start.
void Optimizer::UpdateAverage(size_t i) {
  const auto step = static_cast<double>(step_);
  const double keep = std::min(ema_, (1 + step) / (10 + step));
  const MutView& value = tensors_[i].value;
  Scale(static_cast<float>(keep), Floats(value), averages_[i].data());
  AddDecay(static_cast<float>((1 - keep) / 2), value.data, Floats(value), averages_[i].data());
}

void Optimizer::SwapAverages() {
  for (size_t i = 0; i < averages_.size(); ++i) {
    const MutView& value = tensors_[i].value;
    std::swap_ranges(value.data, value.data + Floats(value), averages_[i].data());
  }
}

void Optimizer::StepTensor(size_t i, const AdamStep& adam, const Regulariser& regulariser) {
  const Trained& t = tensors_[i];
  Adam(adam, t.gradient.data, Floats(t.value), m_[i].data(), v_[i].data(), t.value.data);
  if (t.regularised && regulariser.max_norm > 0)
    MaxNorm(static_cast<float>(regulariser.max_norm), t.value, scratch_[i].data());
  if (!averages_.empty()) UpdateAverage(i);
}

void Optimizer::Step(double lr, const Regulariser& regulariser, Team* team) {
  ++step_;
  AdamStep adam{};
  adam.beta2 = beta2_;
  const auto steps = static_cast<unsigned>(step_);
  const double correction = std::sqrt(1 - real::Power(static_cast<double>(adam.beta2), steps)) /
                            (1 - real::Power(static_cast<double>(adam.beta1), steps));
  adam.rate = static_cast<float>(lr * correction);
  for (const Trained& t : tensors_) {
    if (t.regularised && regulariser.weight_decay > 0) {
      AddDecay(static_cast<float>(regulariser.weight_decay), t.value.data, Floats(t.value),
               t.gradient.data);
    }
  }
  if (regulariser.clip > 0) ClipGradient(regulariser.clip);
  if (team != nullptr) {
    team->Run(tensors_.size(), [&](size_t i, int) { StepTensor(i, adam, regulariser); });
  } else {
    for (size_t i = 0; i < tensors_.size(); ++i) StepTensor(i, adam, regulariser);
  }
}

}  // namespace gopnet
