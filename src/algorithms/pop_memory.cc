// The memory that POPfast and its kin take.
#include <algorithm>

#include "algorithms/pop_config.h"

namespace gopnet {
namespace {

class GrownEstimate {
 public:
  GrownEstimate(const PopConfig& config, const MemoryShape& shape, const GrownKind& kind)
      : config_(config), s_(shape), kind_(kind) {}

  MemoryNeed Need() const {
    const std::vector<int>& topology = config_.growth.topology;
    const double units = *std::ranges::max_element(topology);
    const auto layers = static_cast<double>(topology.size());
    const double inputs = std::max(s_.features, layers > 1 ? units + memory_ : 0);
    const double weights = FloatBytes(inputs, units) + FloatBytes(units + memory_, s_.outputs);
    const double outputs = 4 * s_.rows * s_.outputs * (networks_ + 2);
    // of memories that the networks keep, and that other threads fit at the same time
    const double axes = networks_ > 1 ? networks_ * 12 * s_.features * memory_ +
                                            (s_.threads - 1) * 32 * memory_ * memory_
                                      : 0;
    const double network = layers * weights;
    const bool wide = kind_.remembers && s_.rows < s_.features;
    const double training = std::max(Search(weights, inputs), networks_ > 1 ? 0 : FineTuning()) +
                            s_.threads * Workspace(weights, inputs) + networks_ * network + axes +
                            outputs + Layers(layers > 1 ? units + memory_ : 0) +
                            TargetBytes(config_.common, s_) + (wide ? Wide() : 0);
    return {training, network};
  }

 private:
  // With halving every candidate of a search waits, otherwise one a thread does.
  double Search(double weights, double inputs) const {
    const SearchConfig& search = config_.search;
    const auto sets =
        static_cast<double>(search.nodal.size() * search.pool.size() * search.activation.size());
    const double waiting = (search.search == SearchMethod::kHalving ? sets : s_.threads + 1.0) +
                           (kind_.pairs ? sets : 0);
    // weights, gradients, two moments, the best so far, perhaps an average; gaps in the heap
    const double states = 1.2 * waiting * weights * (config_.training.ema > 0 ? 6 : 5);
    const double rows = std::min(s_.train_rows, 1.0 * config_.training.batch_size);
    const double unwritten = std::min(0.4 * states, 256e6);  // see RunWriter
    return states + waiting * FloatBytes(rows, inputs) + unwritten;
  }

  // A network, its gradient, two moments, copies of it, and twice what the run keeps of them.
  double FineTuning() const {
    double weights = 0, inputs = s_.features;
    for (const int units : config_.growth.topology) {
      weights += FloatBytes(inputs, units);
      inputs = units + memory_;
    }
    weights += FloatBytes(inputs, s_.outputs);
    return 15 * weights + std::min(4 * weights, 256e6);
  }

  // A memory of more columns than rows: the rows and the axes in double, and the axes as kept.
  double Wide() const { return 20 * s_.rows * s_.features; }

  // Outputs of the layers for all rows. Each thread grows one network, on its own rows.
  double Layers(double width) const {
    if (networks_ == 1) return 4 * s_.rows * width;
    return s_.threads * 4 * std::min(s_.rows, 1.0 * config_.ensemble.network_rows) *
           (s_.features + width);
  }

  // Per thread: weights in the order of the kernels, and the outputs for a chunk of rows.
  double Workspace(double weights, double inputs) const {
    constexpr double kChunk = 256, kFactors = 4e6;
    return 4 * weights + 4 * FloatBytes(std::min(s_.rows, kChunk), inputs) + kFactors;
  }

  const PopConfig& config_;
  const MemoryShape& s_;
  const GrownKind& kind_;
  const double memory_ = kind_.remembers ? std::min(s_.rows, s_.features) : 0;  // dimensions
  const double networks_ = config_.ensemble.ensemble;
};

}  // namespace

MemoryNeed GrownMemory(const PopConfig& config, const MemoryShape& shape, const GrownKind& kind) {
  return GrownEstimate(config, shape, kind).Need();
}

}  // namespace gopnet
