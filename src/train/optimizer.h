// Adam over the tensors of a model, with weight decay or max-norm on those that are `regularised`.
#pragma once

#include <vector>

#include "base/mat.h"
#include "base/team.h"
#include "kernels/elementwise.h"

namespace gopnet {

// A trained tensor and its gradient, of one shape.
struct Trained {
  MutView value;
  MutView gradient;
  bool regularised = false;  // weights: decay and max-norm apply, one column per neuron
};

struct Regulariser {
  double weight_decay = 0;
  double max_norm = 0;
  double clip = 0;  // largest norm of the whole gradient, 0 = off
};

class Optimizer {
 public:
  // ema > 0: also averages the tensors over the steps, the older the less.
  explicit Optimizer(std::vector<Trained> tensors, double beta2 = 0.999, double ema = 0);
  void Reset();  // forgets the moments: a new learning-rate stage starts afresh
  // With a team on its threads, one tensor per task.
  void Step(double lr, const Regulariser& regulariser, Team* team = nullptr);
  // False once any trained number is NaN or inf; clips and guards can hide that from the loss.
  bool Finite() const;
  // Puts the averages in the place of the tensors, and back when it is called again. Without
  // averages nothing changes.
  void SwapAverages();

  friend decltype(auto) Fields(auto& a, Optimizer& o) {
    return a(o.step_, o.m_, o.v_, o.averages_);
  }

 private:
  void ClipGradient(double limit);
  void UpdateAverage(size_t i);
  void StepTensor(size_t i, const AdamStep& adam, const Regulariser& regulariser);

  std::vector<Trained> tensors_;
  std::vector<Buffer<float>> m_, v_;
  std::vector<Buffer<float>> averages_;  // empty without ema
  std::vector<Buffer<float>> scratch_;   // a row of each tensor
  float beta2_;
  double ema_;
  long step_ = 0;
};

}  // namespace gopnet
