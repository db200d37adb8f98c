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
  bool squared_error = false;  // the algorithm minimises squared error, whatever the task
  void Visit(FieldVisitor& v);
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
  void Visit(FieldVisitor& v);
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
  void Visit(FieldVisitor& v);
};

// When a network stops growing.
struct StopConfig {
  double layer_threshold = 1e-4;
  std::optional<double> target_loss;
  int patience = 1;
  void Visit(FieldVisitor& v);
};

// How a network of given widths grows.
struct GrowthConfig : StopConfig {
  std::vector<int> topology = {40, 40, 40, 40, 40, 40, 40, 40};
  void Visit(FieldVisitor& v);
};

// Which operator sets are tried.
struct LibraryConfig {
  std::vector<std::string> nodal = PaperNames("nodal");
  std::vector<std::string> pool = PaperNames("pool");
  std::vector<std::string> activation = PaperNames("activation");
  bool shared_draws = true;
  void Visit(FieldVisitor& v);
};

enum class SearchMethod { kExhaustive, kHalving };
inline std::vector<std::string> ChoiceNames(SearchMethod) { return {"exhaustive", "halving"}; }

// Which operator sets are tried, and how.
struct SearchConfig : LibraryConfig {
  SearchMethod search = SearchMethod::kHalving;
  void Visit(FieldVisitor& v);
};

// Several networks instead of one.
struct EnsembleConfig {
  int ensemble = kAutomatic;
  int search_epochs = kAutomatic;
  int search_rows = 5000;
  int network_rows = 100000;
  bool linear_member = true;
  void Visit(FieldVisitor& v);
};

// Training of the whole network after growth.
struct FinetuneConfig {
  int finetune_epochs = 200;
  std::vector<double> finetune_lr = {1e-4, 1e-5};
  double finetune_clip = 5;
  void Visit(FieldVisitor& v);
};

// Growth by blocks of neurons.
struct BlockSizeConfig {
  int block_size = 20;
  void Visit(FieldVisitor& v);
};

struct BlocksConfig : BlockSizeConfig {
  int max_blocks = 50;
  double block_threshold = 1e-4;
  void Visit(FieldVisitor& v);
};

struct PatientBlocksConfig : BlocksConfig {
  int block_patience = 1;
  void Visit(FieldVisitor& v);
};

struct DepthConfig {
  int max_layers = 8;
  void Visit(FieldVisitor& v);
};

struct RidgeConfig {
  double ridge = 0.1;
  void Visit(FieldVisitor& v);
};

struct AdmmConfig {
  int admm_iterations = 500;
  void Visit(FieldVisitor& v);
};

// Epochs of each lr stage: `epochs` shared evenly, earlier stages take the remainder.
inline std::vector<int> StageEpochs(int epochs, size_t stages) {
  std::vector<int> share(stages, epochs / static_cast<int>(stages));
  for (int i = 0; i < epochs % static_cast<int>(stages); ++i) ++share[static_cast<size_t>(i)];
  return share;
}

}  // namespace gopnet
