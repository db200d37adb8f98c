// The parameters that algorithms share, each described once. An algorithm's Config combines these
// parts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/visit.h"
#include "memory/projection.h"
#include "nn/objective.h"
#include "ops/operator_set.h"

namespace gopnet {

// The loss, and the number that it may need.
struct LossConfig {
  std::vector<std::string> names = LossNames();  // those that the algorithm can minimise, and auto
  std::string loss = "auto";
  std::map<std::string, double> numbers;  // by the names of the parameters of losses
  static std::vector<std::string> LossNames();
  void Visit(FieldVisitor& v);
  const Loss& Chosen(Task task) const;
  // Throws Error if the number of another loss was set.
  std::shared_ptr<const Objective> Make(Task task) const;
};
// The number of a loss that is not chosen says nothing, unless it was set, which is an error later.
void DropUnusedNumbers(std::map<std::string, std::string>& values);

enum class ScaleChoice { kAuto, kStandard, kRobust, kQuantile };
inline std::vector<std::string> ChoiceNames(ScaleChoice) {
  return {"auto", "standard", "robust", "quantile"};
}

enum class BoundedChoice { kAuto, kAlways, kNever };
inline std::vector<std::string> ChoiceNames(BoundedChoice) { return {"auto", "always", "never"}; }

std::vector<std::string> SelectingMetrics();  // and auto

// Parameters of every algorithm: data handling, seed, threads.
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
  LossConfig loss;
  ScaleChoice scale = ScaleChoice::kAuto;
  BoundedChoice bounded = BoundedChoice::kAuto;
  void Visit(FieldVisitor& v) {
    v(seed,
      {.name = "seed",
       .doc =
           "Random seed. The same seed, data and parameters give the same model, byte for byte."});
    v(split_seed,
      {.name = "split_seed",
       .doc =
           "Seed of the val and test splits only, so that runs with different seeds see the same "
           "rows; 0 uses seed."});
    v(threads, {.name = "threads",
                .range = {0, 4096},
                .doc = "Number of threads; 0 uses all cores. Does not change the result."});
    v(val_split,
      {.name = "val_split",
       .range = kFraction,
       .doc =
           "Fraction of the training rows held out for validation if no validation set is given; 0 "
           "selects on the training rows."});
    v(test_split, {.name = "test_split",
                   .range = kFraction,
                   .doc = "Fraction of all rows held out for testing if no test set is given."});
    v(folds, {.name = "folds",
              .range = {0, 50},
              .doc = "Train every network once per fold, validate it on that fold, and average the "
                     "results; 0 turns folds off. Rows of a validation set join the training "
                     "rows."});
    v(stratify, {.name = "stratify", .doc = "Keep the class proportions in held-out parts."});
    v(class_weight,
      {.name = "class_weight",
       .doc = "Weights of the classes: none, balanced (rows / (classes * rows of the class)), or "
              "label:weight pairs such as cat:2,dog:1."});
    v(metric,
      {.name = "metric",
       .choices = SelectingMetrics(),
       .doc = "Validation metric that selects epochs and operators and stops growth. With auto it "
              "is accuracy, brier for an average of networks, r2 for regression, or the loss if "
              "that is huber or pinball. The metric brier is the mean squared error of the "
              "probabilities, summed over the classes (with two classes, of one of them). The "
              "metric pr_auc is the average precision, a mean over the classes (with two classes, "
              "of the second)."});
    loss.Visit(v);
    v(scale, {.name = "scale",
              .doc = "Scaling of features: standard gives mean 0 and standard deviation 1; robust "
                     "uses median and quartiles and compresses outliers; quantile maps to a "
                     "normal distribution. With auto it is robust for features with heavy tails "
                     "(kurtosis above 6) and standard for the others."});
    v(bounded, {.name = "bounded",
                .doc = "Whether to clip regression predictions to the range of the training and "
                       "validation targets. With auto gopnet clips unless a column holds dates, "
                       "since targets may grow with time."});
  }
};

enum class RegulariserChoice { kGiven, kBestOfTwo };
inline std::vector<std::string> ChoiceNames(RegulariserChoice) { return {"given", "best_of_two"}; }

// Batches and regularisation, for all training by back-propagation.
struct BatchConfig {
  int batch_size = 64;
  double dropout = 0.5;
  double input_dropout = 0;
  double weight_decay = 0;
  double max_norm = 2.0;
  double label_smoothing = 0;
  RegulariserChoice regulariser = RegulariserChoice::kGiven;
  void Visit(FieldVisitor& v) {
    v(batch_size,
      {.name = "batch_size",
       .range = {2, 1048576},
       .automatic = true,
       .doc = "Rows per gradient step; auto is 64, or 256 with at least 50,000 training rows."});
    v(dropout,
      {.name = "dropout",
       .range = kFraction,
       .automatic = true,
       .doc = "Dropout rate on the output of hidden layers, including memory. auto is 0 for "
              "regression, 0.5 if there are more features than rows, else 0.2."});
    v(input_dropout, {.name = "input_dropout",
                      .range = kFraction,
                      .doc = "Dropout rate on the input features of the first layer."});
    v(weight_decay,
      {.name = "weight_decay",
       .range = {0, 1000},
       .doc = "Penalty c*||W||^2 on hidden and output weights. Setting it turns max_norm off."});
    v(max_norm, {.name = "max_norm",
                 .range = {0, 1e9},
                 .doc = "Largest norm of the incoming weights of a neuron; 0 turns it off."});
    v(label_smoothing, {.name = "label_smoothing",
                        .range = kFraction,
                        .doc = "Fraction of each label to spread over all classes in training."});
    v(regulariser,
      {.name = "regulariser",
       .doc = "Regularisation: given uses max_norm or weight_decay as set; best_of_two trains once "
              "with weight_decay 1e-4 and once with max_norm 2 and keeps the better result on "
              "validation."});
  }
};

enum class Schedule { kStages, kCosine };
inline std::vector<std::string> ChoiceNames(Schedule) { return {"stages", "cosine"}; }

// Training of one candidate layer by back-propagation.
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
       .doc = "Epochs per candidate. auto is 60 for each network of an average (200 for regression "
              "with up to 2,000 rows) and 100 for a single network. It falls to 7 for large data. "
              "POP trains classes four times as long. With schedule stages, the lr stages share "
              "the epochs evenly, and earlier stages take the remainder."});
    v(lr, {.name = "lr",
           .range = {1e-12, 10},
           .doc = "Learning rates of the stages of a candidate's training. The schedule cosine "
                  "uses only the first."});
    v(schedule,
      {.name = "schedule",
       .doc = "Course of the learning rate. With stages, each rate is used in turn, with a "
              "new optimiser. With cosine, the first learning rate rises and falls in "
              "four cycles, each twice as long as the last."});
    v(beta2, {.name = "beta2",
              .range = kFraction,
              .doc = "Decay rate of Adam's second moments in a candidate's training."});
    v(ema, {.name = "ema",
            .range = kFraction,
            .doc = "Decay rate of an exponential moving average of a candidate's weights (0.99 is "
                   "usual); 0 does not average."});
    BatchConfig::Visit(v);
    v(dropout_on_cached_input,
      {.name = "dropout_on_cached_input",
       .doc = "Also apply dropout to the fixed inputs of layers after the first."});
    v(epoch_patience,
      {.name = "epoch_patience",
       .range = {0, 1000000},
       .doc = "Stop a candidate after this many epochs without improvement; 0 turns it off."});
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
       .doc = "Smallest relative gain in the validation metric that keeps a new layer."});
    v(target_loss, {.name = "target_loss",
                    .range = {0},
                    .doc = "Stop growing once the loss is below this; none turns it off."});
    v(patience, {.name = "patience",
                 .range = {1, 64},
                 .doc = "Stop after this many layers in a row without gain; layers after the best "
                        "are dropped."});
  }
};

// Growth of a network with given layer widths.
struct GrowthConfig : StopConfig {
  std::vector<int> topology = {40, 40, 40, 40, 40, 40, 40, 40};
  void Visit(FieldVisitor& v) {
    v(topology,
      {.name = "topology",
       .range = {1, 65536},
       .automatic = true,
       .doc =
           "Neurons of each layer; the length of the list is the maximum depth. auto is 80,80,80 "
           "from 2,000 (regression: 5,000) to 50,000 training rows, else 40,40,40."});
    StopConfig::Visit(v);
  }
};

// The operator sets to try.
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
           "Start all candidates of a search from the same random numbers (paired comparison)."});
  }
};

enum class SearchMethod { kExhaustive, kHalving };
inline std::vector<std::string> ChoiceNames(SearchMethod) { return {"exhaustive", "halving"}; }

// The operator sets to try, and how to search them.
struct SearchConfig : LibraryConfig {
  SearchMethod search = SearchMethod::kHalving;
  void Visit(FieldVisitor& v) {
    v(search,
      {.name = "search",
       .doc = "Search method: exhaustive trains every operator set for all epochs, as in the "
              "paper; halving drops the worst two thirds of the sets after 1/27, 1/9 and 1/3 of "
              "the epochs. Three sets or fewer are always trained to the end."});
    LibraryConfig::Visit(v);
  }
};

enum class UpperLayers { kOwn, kPlain };
inline std::vector<std::string> ChoiceNames(UpperLayers) { return {"own", "plain"}; }

// An average of networks instead of a single one.
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
           "Number of networks in the average. A search ranks the operator sets, and each network "
           "gets one of the best. auto is 8 up to 20,000 training rows, and 160,000 / rows (at "
           "least 3) above. Without a "
           "validation set, the networks hold out different parts of the training rows; above "
           "20,000 rows they all hold out the same part."});
    v(search_epochs, {.name = "search_epochs",
                      .range = {1, 1000000},
                      .automatic = true,
                      .doc = "Epochs per candidate of the search that ranks operator sets for an "
                             "average. auto is 81 up to 1,000 training rows, 54 up to 1,500, else "
                             "27. With search halving, the search ends once few enough sets are "
                             "left for the average (except for POP)."});
    v(search_rows, {.name = "search_rows",
                    .range = {10, 1000000000},
                    .doc = "Largest number of rows that this search trains on, drawn at random."});
    v(network_rows,
      {.name = "network_rows",
       .range = {10, 1000000000},
       .doc = "Largest number of rows that each network of an average trains on, drawn "
              "at random for each network."});
    v(upper_layers,
      {.name = "upper_layers",
       .doc =
           "Operators of the layers above the first, in the networks of an average. With own, "
           "they are those of the first layer. With plain, gopnet trains one such layer and one "
           "of plain perceptrons (multiplication/sum/relu) and keeps the better on validation. "
           "With search halving, it compares them after a fifth of the epochs. If nodal, pool or "
           "activation excludes plain perceptrons, plain is the same as own."});
    v(linear_member,
      {.name = "linear_member",
       .doc =
           "Add a linear model to the average if it reduces the squared error (the loss, if that "
           "is huber or pinball) on held-out rows by more than the standard error of the "
           "reduction."});
  }
};

// Training of the whole network after growth.
struct FinetuneConfig {
  int finetune_epochs = 200;
  std::vector<double> finetune_lr = {1e-4, 1e-5};
  double finetune_clip = 5;
  void Visit(FieldVisitor& v) {
    v(finetune_epochs, {.name = "finetune_epochs",
                        .range = {0, 1000000},
                        .doc = "Epochs of fine-tuning the whole network, divided evenly among the "
                               "finetune_lr stages."});
    v(finetune_lr, {.name = "finetune_lr",
                    .range = {1e-12, 10},
                    .doc = "Learning rates of the fine-tuning stages."});
    v(finetune_clip,
      {.name = "finetune_clip",
       .range = {0, 1e9},
       .doc = "Largest norm of the whole gradient in fine-tuning; 0 turns clipping off."});
  }
};

// Growth by blocks of neurons.
struct BlockSizeConfig {
  int block_size = 20;
  void Visit(FieldVisitor& v) {
    v(block_size,
      {.name = "block_size", .range = {1, 65536}, .doc = "Number of neurons added at a time."});
  }
};

struct BlocksConfig : BlockSizeConfig {
  int max_blocks = 50;
  double block_threshold = 1e-4;
  void Visit(FieldVisitor& v) {
    BlockSizeConfig::Visit(v);
    v(max_blocks,
      {.name = "max_blocks", .range = {1, 65536}, .doc = "Largest number of blocks in a layer."});
    v(block_threshold,
      {.name = "block_threshold",
       .range = {0, 1},
       .doc =
           "Smallest relative gain in the validation metric that keeps a new block; without it the "
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
       .doc = "Stop after this many blocks in a row without gain; blocks after the best are "
              "dropped."});
  }
};

struct DepthConfig {
  int max_layers = 8;
  void Visit(FieldVisitor& v) {
    v(max_layers, {.name = "max_layers", .range = {1, 1024}, .doc = "Largest number of layers."});
  }
};

struct RidgeConfig {
  double ridge = 0.1;
  void Visit(FieldVisitor& v) {
    v(ridge, {.name = "ridge",
              .range = {0, 1e9},
              .doc = "Penalty c*||W||^2 on output weights found by least squares."});
  }
};

struct AdmmConfig {
  int admm_iterations = 500;
  void Visit(FieldVisitor& v) {
    v(admm_iterations, {.name = "admm_iterations",
                        .range = {1, 1000000},
                        .doc = "Largest number of ADMM iterations."});
  }
};

// Epochs of each lr stage: `epochs` divided evenly, earlier stages take the remainder.
inline std::vector<int> StageEpochs(int epochs, size_t stages) {
  std::vector<int> share(stages, epochs / static_cast<int>(stages));
  for (int i = 0; i < epochs % static_cast<int>(stages); ++i) ++share[static_cast<size_t>(i)];
  return share;
}

}  // namespace gopnet
