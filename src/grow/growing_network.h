// A network that grows: it knows the fixed inputs X_k of the layer to come, proposes tasks for it,
// and accepts what improves. Nothing is ever rolled back, since a proposal is a value until it is
// accepted.
#pragma once

#include <optional>

#include "grow/growth_steps.h"
#include "grow/search_operators.h"

namespace gopnet {

// Fits G on the training rows of X_k; empty for memory "none" or if there is nothing to remember.
std::optional<Projection> FitMemory(const MemoryConfig& config, const Problem& problem,
                                    ConstView x_train, Runtime& rt);

// A layer as an algorithm proposes it, with the output layer that goes with it.
struct Proposal {
  Layer layer;
  OutputLayer output;
  Score score;
  LayerRecord record;
};

class GrowingNetwork {
 public:
  GrowingNetwork(const Problem& problem, const StopConfig& config, size_t max_layers, Runtime& rt);

  // X_k on the training rows: the data, or what the last layer hands on.
  ConstView features();
  ConstView val_features();
  // The task of layer k: `units` neurons on X_k; with a memory the output layer sees G_k(X_k)
  // beside them.
  LayerTask Task(int units, const TrainingConfig& training, uint64_t seed,
                 const std::optional<Projection>& memory);
  // Accepts the layer if it improves on the one before (the first always); within `patience` also
  // one that does not, on trial. False if growth ends here.
  bool Accept(const std::optional<SearchResult>& found, const std::optional<Projection>& memory);
  bool Accept(const std::optional<Proposal>& proposal);
  // What there is of the first layer, should the run end before it is complete.
  void Offer(const Layer& layer, const OutputLayer& output, LayerRecord record);
  // Gives the last layer a memory for the next layer to see (POPmem-H).
  void Remember(std::optional<Projection> memory);
  // The best network so far. Layers on trial after it are forgotten.
  const Network& best() const { return growth_.best(); }

 private:
  const Problem& problem_;
  LayerGrowth growth_;
  Network net_;               // the best and, after it, layers on trial
  Mat x_train_, x_val_;       // X_k for k > 1
  Mat g_train_, g_val_;       // G_k(X_k) as the task shows it to the output
  size_t feature_depth_ = 0;  // layers that x_train_ has passed
};

}  // namespace gopnet
