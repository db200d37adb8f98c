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

enum class LossChoice { kAuto, kCrossEntropy, kMse };
inline std::vector<std::string> ChoiceNames(LossChoice) { return {"auto", "cross_entropy", "mse"}; }

enum class ScaleChoice { kAuto, kStandard, kRobust, kQuantile };
inline std::vector<std::string> ChoiceNames(ScaleChoice) {
  return {"auto", "standard", "robust", "quantile"};
}

enum class BoundedChoice { kAuto, kAlways, kNever };
inline std::vector<std::string> ChoiceNames(BoundedChoice) { return {"auto", "always", "never"}; }

// What every algorithm has: data handling, seed, threads.
struct CommonConfig {
  uint64_t seed = 1;
  uint64_t split_seed = 0;
  int threads = 0;
  double val_split = 0.2;
  double test_split = 0;
  int folds = 0;
  bool stratify = true;
  std::string class_weight = "none";
  std::string metric = "auto";
  LossChoice loss = LossChoice::kAuto;
  ScaleChoice scale = ScaleChoice::kAuto;
  BoundedChoice bounded = BoundedChoice::kAuto;
  bool squared_error = false;  // the algorithm minimises squared error, whatever the task
  void Visit(FieldVisitor& v) {
    v(seed, {.name = "seed", .doc = "Same seed, data and parameters: same model, bit for bit."});
    v(split_seed,
      {.name = "split_seed",
       .doc = "Seed of the val and test splits alone, so that runs of other seeds see the same "
              "rows; 0 is the seed."});
    v(threads, {.name = "threads",
                .range = {0, 4096},
                .doc = "Worker threads; 0 uses all cores. Changes the time, never the result."});
    v(val_split,
      {.name = "val_split",
       .range = kFraction,
       .doc =
           "Part of the training rows held out for validation when no validation set is given; 0 "
           "selects by the training measure."});
    v(test_split,
      {.name = "test_split",
       .range = kFraction,
       .doc = "Part of all rows held out for the test metrics when no test set is given."});
    v(folds, {.name = "folds",
              .range = {0, 50},
              .doc = "Train every network so many times, each time validated on another part of "
                     "the rows, and average them; 0: once. Rows given for validation are used "
                     "like the others."});
    v(stratify, {.name = "stratify", .doc = "Held-out parts keep the class proportions."});
    v(class_weight,
      {.name = "class_weight",
       .doc =
           "none, balanced (rows / (classes * rows of the class)), or label:weight pairs such as "
           "cat:2,dog:1."});
    v(metric,
      {.name = "metric",
       .choices = {"auto", "accuracy", "balanced_accuracy", "f1_macro", "brier", "loss", "r2",
                   "mse"},
       .doc = "Validation measure that selects epochs and operators and stops growth; auto is "
              "accuracy, brier for an ensemble, or r2 for regression. brier is the mean squared "
              "error of the probabilities: of one class if there are two, else summed over all."});
    if (squared_error) loss = LossChoice::kMse;
    v(loss,
      {.name = "loss",
       .choices = squared_error ? std::vector<std::string>{"mse"} : std::vector<std::string>{},
       .doc = "Training loss; auto is cross_entropy, or mse for regression."});
    v(scale, {.name = "scale",
              .doc = "standard gives every feature mean 0 and deviation 1; robust uses median and "
                     "quartiles and draws in far values; quantile bends it to a normal "
                     "distribution; auto is robust for features with heavy tails (kurtosis above "
                     "6), standard for the others."});
    v(bounded, {.name = "bounded",
                .doc = "Whether values that a regression predicts stay within the range of the "
                       "training and validation targets; auto: unless a column holds dates, as "
                       "targets may grow with time."});
  }
};

enum class RegulariserChoice { kGiven, kBestOfTwo };
inline std::vector<std::string> ChoiceNames(RegulariserChoice) { return {"given", "best_of_two"}; }

// Batches and what keeps weights small, in every training by back-propagation.
struct BatchConfig {
  int batch_size = 64;
  double dropout = 0.5;
  double input_dropout = 0;
  double weight_decay = 0;
  double max_norm = 2.0;
  double label_smoothing = 0;
  RegulariserChoice regulariser = RegulariserChoice::kGiven;
  void Visit(FieldVisitor& v) {
    v(batch_size, {.name = "batch_size",
                   .range = {2, 1048576},
                   .automatic = true,
                   .doc = "Rows per gradient step; auto is 64, 256 from 50,000 training rows on."});
    v(dropout, {.name = "dropout",
                .range = kFraction,
                .automatic = true,
                .doc = "Dropout on the output of hidden layers, memory included; auto is 0 for "
                       "regression, 0.5 where there are more features than rows, else 0.2."});
    v(input_dropout, {.name = "input_dropout",
                      .range = kFraction,
                      .doc = "Dropout on the input features of the first layer."});
    v(weight_decay,
      {.name = "weight_decay",
       .range = {0, 1000},
       .doc = "Penalty c*||W||^2 on hidden and output weights; setting it turns max_norm off."});
    v(max_norm, {.name = "max_norm",
                 .range = {0, 1e9},
                 .doc = "Largest norm of the incoming weights of a neuron; 0 is off."});
    v(label_smoothing,
      {.name = "label_smoothing",
       .range = kFraction,
       .doc = "Part of a row's label that is spread over all classes in training."});
    v(regulariser,
      {.name = "regulariser",
       .doc =
           "given uses max_norm or weight_decay as set; best_of_two trains once with weight decay "
           "1e-4 and once with max-norm 2 and keeps the better on validation."});
  }
};

enum class Schedule { kStages, kCosine };
inline std::vector<std::string> ChoiceNames(Schedule) { return {"stages", "cosine"}; }

// How one proposal of a layer is trained by back-propagation.
struct TrainingConfig : BatchConfig {
  int epochs = 300;
  std::vector<double> lr = {0.01, 0.001, 0.0001};
  Schedule schedule = Schedule::kStages;
  double beta2 = 0.999;
  double ema = 0;
  bool dropout_on_cached_input = false;
  int epoch_patience = 0;
  void Visit(FieldVisitor& v) {
    v(epochs,
      {.name = "epochs",
       .range = {0, 1000000},
       .automatic = true,
       .doc = "Epochs per candidate, shared evenly by the lr stages (earlier stages take "
              "the remainder); auto is 60 (200 for regression of up to 2,000 rows, 100 for one "
              "network), fewer where rows, rows times features, or these times classes are many, "
              "at least 7."});
    v(lr, {.name = "lr",
           .range = {1e-12, 10},
           .doc = "Learning rates of the stages of a candidate's training."});
    v(schedule, {.name = "schedule",
                 .doc = "stages: each learning rate in turn, with a new optimiser; cosine: the "
                        "first one, rising and falling four times, ever longer."});
    v(beta2, {.name = "beta2",
              .range = kFraction,
              .doc = "Decay of Adam's second moments in a candidate's training."});
    v(ema, {.name = "ema",
            .range = kFraction,
            .doc = "A candidate's weights are averaged over its steps, those of the step before "
                   "counting this much less (0.99 is usual); 0 does not average."});
    BatchConfig::Visit(v);
    v(dropout_on_cached_input,
      {.name = "dropout_on_cached_input",
       .doc = "Apply dropout also to the fixed inputs of layers after the first."});
    v(epoch_patience,
      {.name = "epoch_patience",
       .range = {0, 1000000},
       .doc = "Stop a candidate after so many epochs without improvement; 0 is off."});
  }
};

// When a network stops growing.
struct StopConfig {
  double layer_threshold = 1e-4;
  std::optional<double> target_loss;
  int patience = 1;
  void Visit(FieldVisitor& v) {
    v(layer_threshold,
      {.name = "layer_threshold",
       .range = {0, 1},
       .doc = "Relative gain in the validation measure below which growth stops."});
    v(target_loss, {.name = "target_loss",
                    .range = {0},
                    .doc = "Stop growing once the loss is below this; none is off."});
    v(patience,
      {.name = "patience",
       .range = {1, 64},
       .doc =
           "Stop after so many layers in a row without gain; layers after the best are dropped."});
  }
};

// How a network of given widths grows.
struct GrowthConfig : StopConfig {
  std::vector<int> topology = {40, 40, 40, 40, 40, 40, 40, 40};
  void Visit(FieldVisitor& v) {
    v(topology,
      {.name = "topology",
       .range = {1, 65536},
       .automatic = true,
       .doc = "Neurons of each layer; its length is the greatest depth. auto is 40,40,40, "
              "and 80,80,80 for 2,000 (regression: 5,000) to 50,000 training rows."});
    StopConfig::Visit(v);
  }
};

// Which operator sets are tried.
struct LibraryConfig {
  std::vector<std::string> nodal = PaperNames("nodal");
  std::vector<std::string> pool = PaperNames("pool");
  std::vector<std::string> activation = PaperNames("activation");
  bool shared_draws = true;
  void Visit(FieldVisitor& v) {
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

enum class SearchMethod { kExhaustive, kHalving };
inline std::vector<std::string> ChoiceNames(SearchMethod) { return {"exhaustive", "halving"}; }

// Which operator sets are tried, and how.
struct SearchConfig : LibraryConfig {
  SearchMethod search = SearchMethod::kHalving;
  void Visit(FieldVisitor& v) {
    v(search,
      {.name = "search",
       .doc = "exhaustive trains every operator set to the end, as the paper does; halving, of "
              "more than three sets, drops two thirds at 1/27, 1/9 and 1/3 of the epochs, and one "
              "of the two that upper_layers plain has at 1/5."});
    LibraryConfig::Visit(v);
  }
};

enum class UpperLayers { kOwn, kPlain };
inline std::vector<std::string> ChoiceNames(UpperLayers) { return {"own", "plain"}; }

// Several networks instead of one.
struct EnsembleConfig {
  int ensemble = kAutomatic;
  int search_epochs = kAutomatic;
  int search_rows = 5000;
  int network_rows = 100000;
  UpperLayers upper_layers = UpperLayers::kPlain;
  bool linear_member = true;
  void Visit(FieldVisitor& v) {
    v(ensemble,
      {.name = "ensemble",
       .range = {1, 72},
       .automatic = true,
       .doc =
           "So many of the best operator sets of one search grow a network each, and these are "
           "averaged; auto is 8, above 20,000 training rows 160,000 / rows, at least 3. Without "
           "given validation rows each holds out another part of the rows, if they are not many."});
    v(search_epochs, {.name = "search_epochs",
                      .range = {1, 1000000},
                      .automatic = true,
                      .doc = "Epochs per candidate of the search that ranks the operator sets of "
                             "an ensemble; auto is 27, 54 up to 1,500 training rows, 81 up to "
                             "1,000: the first comparison is after a 27th of them. But for POP the "
                             "search ends when no more sets are left than networks are wanted."});
    v(search_rows, {.name = "search_rows",
                    .range = {10, 1000000000},
                    .doc = "That search learns from so many rows, at most, drawn at random."});
    v(network_rows, {.name = "network_rows",
                     .range = {10, 1000000000},
                     .doc = "Each network of an ensemble learns from so many rows, at most, drawn "
                            "at random, others for each network."});
    v(upper_layers,
      {.name = "upper_layers",
       .doc = "Layers above the first of an ensemble's networks: own has the operator set of the "
              "first; plain has plain perceptrons (multiplication/sum/relu, unless nodal, pool or "
              "activation leave them out) where these are better on validation rows after a fifth "
              "of the epochs (with search exhaustive, at the end)."});
    v(linear_member,
      {.name = "linear_member",
       .doc = "Whether a linear model is averaged with the networks of an ensemble "
              "where that lowers the squared error on rows held out by more than its "
              "standard error."});
  }
};

// Training of the whole network after growth.
struct FinetuneConfig {
  int finetune_epochs = 200;
  std::vector<double> finetune_lr = {1e-4, 1e-5};
  double finetune_clip = 5;
  void Visit(FieldVisitor& v) {
    v(finetune_epochs,
      {.name = "finetune_epochs",
       .range = {0, 1000000},
       .doc = "Epochs of training the whole network in the end, shared evenly by its lr stages."});
    v(finetune_lr, {.name = "finetune_lr",
                    .range = {1e-12, 10},
                    .doc = "Learning rates of the fine-tuning stages."});
    v(finetune_clip, {.name = "finetune_clip",
                      .range = {0, 1e9},
                      .doc = "Largest norm of the whole gradient in fine-tuning; 0 is off."});
  }
};

// Growth by blocks of neurons.
struct BlockSizeConfig {
  int block_size = 20;
  void Visit(FieldVisitor& v) {
    v(block_size, {.name = "block_size", .range = {1, 65536}, .doc = "Neurons added at a time."});
  }
};

struct BlocksConfig : BlockSizeConfig {
  int max_blocks = 50;
  double block_threshold = 1e-4;
  void Visit(FieldVisitor& v) {
    BlockSizeConfig::Visit(v);
    v(max_blocks,
      {.name = "max_blocks", .range = {1, 65536}, .doc = "Blocks of a layer, at most."});
    v(block_threshold,
      {.name = "block_threshold",
       .range = {0, 1},
       .doc = "Relative gain in the validation measure below which a block is dropped and its "
              "layer is complete."});
  }
};

struct PatientBlocksConfig : BlocksConfig {
  int block_patience = 1;
  void Visit(FieldVisitor& v) {
    BlocksConfig::Visit(v);
    v(block_patience,
      {.name = "block_patience",
       .range = {1, 1000},
       .doc = "Stop after so many blocks in a row without gain; blocks after the best are "
              "dropped."});
  }
};

struct DepthConfig {
  int max_layers = 8;
  void Visit(FieldVisitor& v) {
    v(max_layers, {.name = "max_layers", .range = {1, 1024}, .doc = "Layers, at most."});
  }
};

struct RidgeConfig {
  double ridge = 0.1;
  void Visit(FieldVisitor& v) {
    v(ridge, {.name = "ridge",
              .range = {0, 1e9},
              .doc = "Penalty c*||W||^2 of output weights found by least squares."});
  }
};

struct AdmmConfig {
  int admm_iterations = 500;
  void Visit(FieldVisitor& v) {
    v(admm_iterations,
      {.name = "admm_iterations", .range = {1, 1000000}, .doc = "Iterations of ADMM, at most."});
  }
};

// Epochs of each lr stage: `epochs` shared evenly, earlier stages take the remainder.
inline std::vector<int> StageEpochs(int epochs, size_t stages) {
  std::vector<int> share(stages, epochs / static_cast<int>(stages));
  for (int i = 0; i < epochs % static_cast<int>(stages); ++i) ++share[static_cast<size_t>(i)];
  return share;
}

}  // namespace gopnet
