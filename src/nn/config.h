// The parameters that algorithms share, each described once. An algorithm's Config is made of these
// parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/visit.h"
#include "memory/projection.h"
#include "ops/operator_set.h"

namespace gopnet {

// What every algorithm has: data handling, seed, threads.
struct CommonConfig {
  uint64_t seed = 1;
  uint64_t split_seed = 0;
  int threads = 0;
  double val_split = 0.2;
  double test_split = 0;
  bool stratify = true;
  std::string class_weight = "none";
  std::string metric = "auto";
  std::string loss = "auto";
  bool squared_error = false;  // the algorithm minimises squared error, whatever the task
  template <class V>
  void Visit(V& v) {
    v(seed, {.name = "seed", .doc = "Same seed, data and parameters: same model, bit for bit."});
    v(split_seed,
      {.name = "split_seed",
       .doc = "Seed of the val and test splits alone, so that runs of other seeds see the same "
              "rows; 0 is the seed."});
    v(threads, {.name = "threads",
                .min = 0,
                .max = 4096,
                .doc = "Worker threads; 0 uses all cores. Changes the time, never the result."});
    v(val_split,
      {.name = "val_split",
       .min = 0,
       .max = 1,
       .below_max = true,
       .doc =
           "Part of the training rows held out for validation when no validation set is given; 0 "
           "selects by the training measure."});
    v(test_split,
      {.name = "test_split",
       .min = 0,
       .max = 1,
       .below_max = true,
       .doc = "Part of all rows held out for the test metrics when no test set is given."});
    v(stratify, {.name = "stratify", .doc = "Held-out parts keep the class proportions."});
    v(class_weight,
      {.name = "class_weight",
       .doc =
           "none, balanced (rows / (classes * rows of the class)), or label:weight pairs such as "
           "cat:2,dog:1."});
    v(metric,
      {.name = "metric",
       .choices = {"auto", "accuracy", "balanced_accuracy", "f1_macro", "loss", "r2", "mse"},
       .doc = "Validation measure that selects epochs and operators and stops growth; auto is "
              "accuracy, or "
              "r2 for regression."});
    const std::vector<std::string> losses = {"auto", "cross_entropy", "mse"};
    if (squared_error) loss = "mse";
    v(loss, {.name = "loss",
             .choices = squared_error ? std::vector<std::string>{"mse"} : losses,
             .doc = "Training loss; auto is cross_entropy, or mse for regression."});
  }
};

// Batches and what keeps weights small, in every training by back-propagation.
struct BatchConfig {
  int batch_size = 64;
  double dropout = 0.5;
  double input_dropout = 0;
  double weight_decay = 0;
  double max_norm = 2.0;
  std::string regulariser = "given";
  template <class V>
  void Visit(V& v) {
    v(batch_size,
      {.name = "batch_size", .min = 2, .max = 1048576, .doc = "Rows per gradient step."});
    v(dropout, {.name = "dropout",
                .min = 0,
                .max = 1,
                .below_max = true,
                .doc = "Dropout on the output of hidden layers, memory included."});
    v(input_dropout, {.name = "input_dropout",
                      .min = 0,
                      .max = 1,
                      .below_max = true,
                      .doc = "Dropout on the input features of the first layer."});
    v(weight_decay,
      {.name = "weight_decay",
       .min = 0,
       .max = 1000,
       .doc = "Penalty c*||W||^2 on hidden and output weights; setting it turns max_norm off."});
    v(max_norm, {.name = "max_norm",
                 .min = 0,
                 .max = 1e9,
                 .doc = "Largest norm of the incoming weights of a neuron; 0 is off."});
    v(regulariser,
      {.name = "regulariser",
       .choices = {"given", "best_of_two"},
       .doc =
           "given uses max_norm or weight_decay as set; best_of_two trains once with weight decay "
           "1e-4 and once with max-norm 2 and keeps the better on validation."});
  }
};

// How one proposal of a layer is trained by back-propagation.
struct TrainingConfig : BatchConfig {
  int epochs = 300;
  std::vector<double> lr = {0.01, 0.001, 0.0001};
  bool dropout_on_cached_input = false;
  int epoch_patience = 0;
  template <class V>
  void Visit(V& v) {
    v(epochs, {.name = "epochs",
               .min = 0,
               .max = 1000000,
               .doc = "Epochs per candidate, shared evenly by the lr stages (earlier stages take "
                      "the remainder)."});
    v(lr, {.name = "lr",
           .min = 1e-12,
           .max = 10,
           .doc = "Learning rates of the stages of a candidate's training."});
    BatchConfig::Visit(v);
    v(dropout_on_cached_input,
      {.name = "dropout_on_cached_input",
       .doc = "Apply dropout also to the fixed inputs of layers after the first."});
    v(epoch_patience,
      {.name = "epoch_patience",
       .min = 0,
       .max = 1000000,
       .doc = "Stop a candidate after so many epochs without improvement; 0 is off."});
  }
};

// When a network stops growing.
struct StopConfig {
  double layer_threshold = 1e-4;
  std::optional<double> target_loss;
  int patience = 1;
  template <class V>
  void Visit(V& v) {
    v(layer_threshold,
      {.name = "layer_threshold",
       .min = 0,
       .max = 1,
       .doc = "Relative gain in the validation measure below which growth stops."});
    v(target_loss, {.name = "target_loss",
                    .min = 0,
                    .doc = "Stop growing once the loss is below this; none is off."});
    v(patience,
      {.name = "patience",
       .min = 1,
       .max = 64,
       .doc =
           "Stop after so many layers in a row without gain; layers after the best are dropped."});
  }
};

// How a network of given widths grows.
struct GrowthConfig : StopConfig {
  std::vector<int> topology = {40, 40, 40, 40, 40, 40, 40, 40};
  template <class V>
  void Visit(V& v) {
    v(topology, {.name = "topology",
                 .min = 1,
                 .max = 65536,
                 .doc = "Neurons of each layer; its length is the greatest depth."});
    StopConfig::Visit(v);
  }
};

// Which operator sets are tried.
struct LibraryConfig {
  std::vector<std::string> nodal = NodalNames();
  std::vector<std::string> pool = PoolNames();
  std::vector<std::string> activation = {ActivationNames().begin(),
                                         ActivationNames().begin() + PaperActivations()};
  bool shared_draws = true;
  template <class V>
  void Visit(V& v) {
    v(nodal, {.name = "nodal", .choices = NodalNames(), .doc = "Nodal operators to try."});
    v(pool, {.name = "pool", .choices = PoolNames(), .doc = "Pool operators to try."});
    v(activation,
      {.name = "activation", .choices = ActivationNames(), .doc = "Activation operators to try."});
    v(shared_draws,
      {.name = "shared_draws",
       .doc =
           "All candidates of a search start from the same random numbers (paired comparison)."});
  }
};

// And how.
struct SearchConfig : LibraryConfig {
  std::string search = "halving";
  template <class V>
  void Visit(V& v) {
    v(search, {.name = "search",
               .choices = {"exhaustive", "halving"},
               .doc = "exhaustive trains every operator set to the end, as the paper does; halving "
                      "drops two thirds at 1/27, 1/9 and 1/3 of the epochs."});
    LibraryConfig::Visit(v);
  }
};

inline std::vector<std::string> MemoryChoices() {
  std::vector<std::string> choices = MemoryTypes();
  choices.push_back("none");
  return choices;
}

// What layers remember of their input.
struct MemoryConfig {
  std::string memory = "pca";
  double memory_energy = 0.98;
  double memory_reg = 0.01;
  std::string memory_reg_scale = "trace";
  std::string memory_prescale = "standardize";
  std::string memory_postscale = "global";
  bool finetune_memory = true;
  template <class V>
  void Visit(V& v) {
    v(memory,
      {.name = "memory",
       .choices = MemoryChoices(),
       .doc =
           "Linear memory of a layer's input: principal components, discriminant axes, or none."});
    v(memory_energy,
      {.name = "memory_energy", .min = 0, .max = 1, .doc = "Part of the variance that PCA keeps."});
    v(memory_reg, {.name = "memory_reg",
                   .min = 0,
                   .max = 1e6,
                   .doc = "Added to the diagonal of LDA's within-class covariance."});
    v(memory_reg_scale,
      {.name = "memory_reg_scale",
       .choices = {"trace", "absolute"},
       .doc = "Whether memory_reg is relative to the mean variance or absolute (paper)."});
    v(memory_prescale,
      {.name = "memory_prescale",
       .choices = {"standardize", "center"},
       .doc =
           "Features are standardised, or only centred (paper), before the projection is fitted."});
    v(memory_postscale,
      {.name = "memory_postscale",
       .choices = {"global", "std", "none"},
       .doc = "Memory is scaled by one factor (mean variance 1), per axis, or not (paper)."});
    v(finetune_memory,
      {.name = "finetune_memory", .doc = "Fine-tuning also updates the memory projections."});
  }
};

// Training of the whole network after growth.
struct FinetuneConfig {
  int finetune_epochs = 200;
  std::vector<double> finetune_lr = {1e-4, 1e-5};
  double finetune_clip = 5;
  template <class V>
  void Visit(V& v) {
    v(finetune_epochs,
      {.name = "finetune_epochs",
       .min = 0,
       .max = 1000000,
       .doc = "Epochs of training the whole network in the end, shared evenly by its lr stages."});
    v(finetune_lr, {.name = "finetune_lr",
                    .min = 1e-12,
                    .max = 10,
                    .doc = "Learning rates of the fine-tuning stages."});
    v(finetune_clip, {.name = "finetune_clip",
                      .min = 0,
                      .max = 1e9,
                      .doc = "Largest norm of the whole gradient in fine-tuning; 0 is off."});
  }
};

// Growth by blocks of neurons.
struct BlockSizeConfig {
  int block_size = 20;
  template <class V>
  void Visit(V& v) {
    v(block_size,
      {.name = "block_size", .min = 1, .max = 65536, .doc = "Neurons added at a time."});
  }
};

struct BlocksConfig : BlockSizeConfig {
  int max_blocks = 50;
  double block_threshold = 1e-4;
  template <class V>
  void Visit(V& v) {
    BlockSizeConfig::Visit(v);
    v(max_blocks,
      {.name = "max_blocks", .min = 1, .max = 65536, .doc = "Blocks of a layer, at most."});
    v(block_threshold,
      {.name = "block_threshold",
       .min = 0,
       .max = 1,
       .doc = "Relative gain in the validation measure below which a block is dropped and its "
              "layer is complete."});
  }
};

struct PatientBlocksConfig : BlocksConfig {
  int block_patience = 1;
  template <class V>
  void Visit(V& v) {
    BlocksConfig::Visit(v);
    v(block_patience,
      {.name = "block_patience",
       .min = 1,
       .max = 1000,
       .doc = "Stop after so many blocks in a row without gain; blocks after the best are "
              "dropped."});
  }
};

struct DepthConfig {
  int max_layers = 8;
  template <class V>
  void Visit(V& v) {
    v(max_layers, {.name = "max_layers", .min = 1, .max = 1024, .doc = "Layers, at most."});
  }
};

struct RidgeConfig {
  double ridge = 0.1;
  template <class V>
  void Visit(V& v) {
    v(ridge, {.name = "ridge",
              .min = 0,
              .max = 1e9,
              .doc = "Penalty c*||W||^2 of output weights found by least squares."});
  }
};

struct AdmmConfig {
  int admm_iterations = 500;
  template <class V>
  void Visit(V& v) {
    v(admm_iterations,
      {.name = "admm_iterations", .min = 1, .max = 1000000, .doc = "Iterations of ADMM, at most."});
  }
};

// Epochs of each lr stage: `epochs` shared evenly, earlier stages take the remainder.
inline std::vector<int> StageEpochs(int epochs, size_t stages) {
  std::vector<int> share(stages, epochs / static_cast<int>(stages));
  for (int i = 0; i < epochs % static_cast<int>(stages); ++i) ++share[static_cast<size_t>(i)];
  return share;
}

}  // namespace gopnet
