// Several networks as one: their probabilities, or values, are averaged. A single network is an
// ensemble of one, and gives the same bits as by itself.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "nn/network.h"
#include "nn/value_range.h"

namespace gopnet {

struct Member {
  Network network;
  double weight = 1;
};

struct Ensemble {
  std::vector<Member> members;
  // The outputs are logits: log sum_m w_m softmax(z_m) is their average, else sum_m w_m z_m.
  bool logits = false;
  ValueRange bounds;  // of the outputs of each network

  Ensemble() = default;
  Ensemble(Network net) { members.push_back({std::move(net)}); }  // NOLINT: one network is one, too
  const Network& first() const { return members.front().network; }
  size_t outputs() const { return first().output.w.cols(); }
  size_t parameters() const;
};

// Inference in chunks of rows; owns its buffers. One per thread.
class EnsembleInference {
 public:
  // For at most Inference::kChunk rows: logits or values, free to overwrite, valid until the next
  // call.
  MutView Forward(const Ensemble& ensemble, ConstView x);
  // For any number of rows: calls use(first_row, outputs) for every chunk of rows of x.
  void Run(const Ensemble& ensemble, ConstView x, const std::function<void(size_t, MutView)>& use);

 private:
  std::vector<Inference> members_;
  Mat sum_;
};

// The outputs for all rows.
Mat Outputs(const Ensemble& ensemble, ConstView x);

// The average of outputs: adds weight * softmax(z), or weight * z, to sum; z is overwritten.
void AddToAverage(MutView z, double weight, bool logits, MutView sum);
// What to do after the last: probabilities become logits again.
void FinishAverage(bool logits, MutView sum);

}  // namespace gopnet
