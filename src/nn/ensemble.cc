#include "nn/ensemble.h"

#include <algorithm>
#include <cmath>

#include "base/real_math.h"
#include "base/stop_check.h"
#include "kernels/loss.h"

namespace gopnet {

size_t Ensemble::parameters() const {
  size_t sum = 0;
  for (const Member& member : members) sum += member.network.parameters();
  return sum;
}

void AddToAverage(MutView z, double weight, bool logits, MutView sum) {
  if (logits) Softmax(z);
  const auto w = static_cast<float>(weight);
  for (size_t n = 0; n < z.rows; ++n)
    for (size_t j = 0; j < z.cols; ++j) sum.Row(n)[j] += w * z.Row(n)[j];
}

void FinishAverage(bool logits, MutView sum) {
  if (!logits) return;
  constexpr float kLeast = 1e-30f;  // the logarithm of 0 is no number
  for (size_t n = 0; n < sum.rows; ++n)
    for (size_t j = 0; j < sum.cols; ++j) {
      const double p = static_cast<double>(std::max(sum.Row(n)[j], kLeast));
      sum.Row(n)[j] = static_cast<float>(real::Log(p));
    }
}

MutView EnsembleInference::Forward(const Ensemble& ensemble, ConstView x) {
  members_.resize(ensemble.members.size());
  if (members_.size() == 1) return ensemble.bounds.Cut(members_[0].Forward(ensemble.first(), x));
  const MutView sum = Room(sum_, x.rows, ensemble.outputs());
  for (size_t n = 0; n < sum.rows; ++n) std::fill_n(sum.Row(n), sum.cols, 0.0f);
  for (size_t m = 0; m < members_.size(); ++m) {
    const Member& member = ensemble.members[m];
    const MutView out = ensemble.bounds.Cut(members_[m].Forward(member.network, x));
    AddToAverage(out, member.weight, ensemble.logits, sum);
  }
  FinishAverage(ensemble.logits, sum);
  return sum;
}

void EnsembleInference::Run(const Ensemble& ensemble, ConstView x,
                            const std::function<void(size_t, MutView)>& use) {
  ForEachChunk(x.rows, Inference::kChunk, [&](size_t first, size_t count) {
    use(first, Forward(ensemble, x.Rows(first, count)));
  });
}

Mat Outputs(const Ensemble& ensemble, ConstView x) {
  Mat outputs(x.rows, ensemble.outputs());
  EnsembleInference().Run(ensemble, x, [&](size_t first, MutView out) {
    CopyRows(out, outputs.view().Rows(first, out.rows));
  });
  return outputs;
}

}  // namespace gopnet
