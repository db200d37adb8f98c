#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/check.h"
#include "base/mat.h"
#include "base/names.h"
#include "base/spill.h"
#include "base/usable_memory.h"
#include "nn/yardstick.h"
#include "run/prepare.h"

namespace gopnet {
namespace {

struct Shape {
  double rows, features, outputs;
  double train_rows;  // what the splits leave of them: `auto` goes by these, as in FitToData
  bool folds;         // of --cv
};

class Estimate {
 public:
  Estimate(const std::string& algorithm, const Values& values, const Shape& shape, int threads)
      : algorithm_(algorithm), values_(values), s_(shape), threads_(threads) {}

  double Bytes() const {
    const double least = std::min(s_.rows, s_.features);
    const double copy = 4 * s_.rows * s_.features;
    // as read, those of a fold, scaled
    const double rows = copy > static_cast<double>(SpillBytes()) ? 0 : (s_.folds ? 3 : 2) * copy;
    const double fixed = 15e6 + 32 * least * least + rows;  // the program, and eigenvectors
    const double gaps = s_.folds ? 1.3 : 1;                 // that one fold leaves to the next
    return fixed + gaps * std::max(Linear(), Training());
  }

 private:
  // The linear model that every network is measured beside: pairs of steps and changes.
  double Linear() const {
    constexpr double kVectors = 26;
    const double weights = (s_.features + 1) * s_.outputs;
    return weights > static_cast<double>(kMostLinearWeights) ? 0 : 8 * kVectors * weights;
  }

  double Training() const {
    if (values_.count("topology")) return Grown();
    if (algorithm_ == "bls") return Broad();
    if (algorithm_ == "s-elm") return Stacked();
    if (algorithm_ == "pln") return Progressive();
    return Blocks();
  }

  // POP and its kin: with halving every candidate of a search waits, otherwise one a thread does;
  // POP keeps those of its first tournament for the later ones.
  double Grown() const {
    const std::string topology = Topology();
    const double units = Largest(topology), layers = Count(topology);
    const bool remembers = values_.count("memory") != 0 && Text("memory") != "none";
    const double memory = remembers ? std::min(s_.rows, s_.features) : 0;
    const double inputs = std::max(s_.features, layers > 1 ? units + memory : 0);
    const double weights = Floats(inputs, units) + Floats(units + memory, s_.outputs);
    const double sets = Count(Text("nodal")) * Count(Text("pool")) * Count(Text("activation"));
    const double waiting =
        (Text("search") == "halving" ? sets : threads_ + 1.0) + (algorithm_ == "pop" ? sets : 0);
    // weights, gradients, two moments, the best so far, perhaps an average; gaps in the heap
    const double states = 1.2 * waiting * weights * (Number("ema") > 0 ? 6 : 5);
    const double batches = waiting * Floats(BatchRows(), inputs);
    const double unwritten = std::min(0.4 * states, 256e6);  // see RunWriter
    const double networks =
        Text("ensemble") == "auto"
            ? static_cast<double>(AutoEnsemble(static_cast<size_t>(s_.train_rows)))
            : std::max(1.0, Number("ensemble"));
    const double outputs = 4 * s_.rows * s_.outputs * (networks + 2);
    // of memories that the networks keep, and that other threads fit at the same time
    const double axes =
        networks > 1 ? networks * 12 * s_.features * memory + (threads_ - 1) * 32 * memory * memory
                     : 0;
    return std::max(states + batches + unwritten, networks > 1 ? 0 : FineTuning(memory)) +
           threads_ * Workspace(weights, inputs) + networks * layers * weights + axes + outputs +
           Layers(layers > 1 ? units + memory : 0) + Targets() +
           (remembers && s_.rows < s_.features ? Wide() : 0);
  }

  // A network, its gradient, two moments, copies of it, and twice what the run keeps of them.
  double FineTuning(double memory) const {
    double weights = 0, inputs = s_.features;
    for (const std::string& item : SplitList(Topology())) {
      double units = 0;
      ParseNumber(item, &units);
      weights += Floats(inputs, units);
      inputs = units + memory;
    }
    weights += Floats(inputs, s_.outputs);
    return 15 * weights + std::min(4 * weights, 256e6);
  }

  // A memory of more columns than rows: the rows and the axes in double, and the axes as kept.
  double Wide() const { return 20 * s_.rows * s_.features; }

  // What layers make of the rows; the networks of an ensemble, one a thread, see rows of their own.
  double Layers(double width) const {
    if (Number("ensemble") == 1 && Text("ensemble") != "auto") return 4 * s_.rows * width;
    const double seen = values_.count("network_rows") ? Number("network_rows") : s_.rows;
    return threads_ * 4 * std::min(s_.rows, seen) * (s_.features + width);
  }

  // Of a thread: weights in the order of the kernels, and what is made of the rows of a chunk.
  double Workspace(double weights, double inputs) const {
    constexpr double kChunk = 256, kFactors = 4e6;
    return 4 * weights + 4 * Floats(std::min(s_.rows, kChunk), inputs) + kFactors;
  }

  double BatchRows() const {
    const bool chosen = Text("batch_size") == "auto";
    return std::min(s_.train_rows,
                    chosen ? (s_.train_rows < kManyRows ? 64 : 256) : Number("batch_size"));
  }

  // So many nodes with least squares on top.
  double Ridge(double nodes) const {
    const double columns = 8 * s_.rows * nodes;
    return columns + 16 * nodes * nodes + 24 * nodes * s_.outputs + 4 * s_.rows * s_.outputs +
           Targets();
  }

  // BLS: features and as many enhancement nodes; a grid keeps and writes the best network so far.
  double Broad() const {
    const double nodes = Number("block_size") * Number("max_blocks");
    return Ridge(2 * nodes) + (HasGrid() ? 112 : 32) * s_.features * nodes;
  }

  // HeMLGOP and its kin. The first layer has the most weights: those of one block in every kind of
  // kernel, and those of all blocks in fine-tuning, its states, and each shard of a batch.
  double Blocks() const {
    constexpr double kShardRows = 16, kMostShards = 8;  // see NetworkPass
    const double blocks = Number("max_blocks"), units = Number("block_size");
    const double shards = std::clamp(BatchRows() / kShardRows, 1.0, kMostShards);
    const double block = Floats(s_.features, units);
    return Ridge(units * blocks) + 12 * (threads_ + 1) * block +
           (16 + 5 * std::ceil(shards)) * blocks * block;
  }

  // S-ELM: what each layer keeps of its random nodes and of their autoencoder.
  double Stacked() const {
    const double nodes = Number("block_size"), all = nodes + Number("reduced_size");
    const double layers = std::min(Number("max_layers"), 3.0);
    return s_.features * nodes * (20 * layers + 20) + 8 * s_.rows * all + 24 * all * all +
           24 * all * s_.outputs + 4 * s_.rows * s_.outputs + Targets();
  }

  // PLN: two nodes an output, and random ones. A layer is seen with one block more, with the best
  // so far, and above the layer before.
  double Progressive() const {
    const double blocks = Number("max_blocks"), layers = std::min(Number("max_layers"), 3.0);
    const auto nodes = [&](double of) { return 2 * s_.outputs + Number("block_size") * of; };
    const double n = nodes(blocks), middle = nodes((blocks + 1) / 2);
    const double solver = 24 * n * (n + s_.outputs);
    const double width = n * (4 * s_.rows + 8 * s_.outputs);
    const double widths = std::min(blocks, 2.0) + (layers > 1 ? 1 : 0);
    const double weights = 4 * n * (s_.features + (layers - 1) * n);
    // of the first layer for every number of blocks, see PlnWeights
    const double shared = HasGrid() ? 8 * blocks * middle * (middle + s_.outputs) : 0;
    return 22 * s_.features * s_.features + solver + widths * width + 3 * weights + shared +
           4 * s_.rows * s_.outputs + Targets();
  }

  // One-hot classes, as they are and as least squares see them.
  double Targets() const {
    return Text("loss") == "cross_entropy" || s_.outputs < 3 ? 0 : 8 * s_.rows * s_.outputs;
  }

  bool HasGrid() const { return values_.count("grid") != 0 && Text("grid") != "none"; }

  std::string Topology() const {
    if (Text("topology") != "auto") return Text("topology");
    return AutoTopology(static_cast<size_t>(s_.train_rows), Task::kClassification);
  }

  // Bytes of a matrix.
  static double Floats(double rows, double cols) {
    return 4 * rows * static_cast<double>(Stride<float>(static_cast<size_t>(cols)));
  }
  std::string Text(const char* name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? "" : it->second;
  }
  double Number(const char* name) const {
    double value = 0;
    return ParseNumber(Text(name), &value) ? value : 1;
  }
  static double Count(const std::string& list) {
    return static_cast<double>(std::max<size_t>(1, SplitList(list).size()));
  }
  static double Largest(const std::string& list) {
    double largest = 1, value = 0;
    for (const std::string& item : SplitList(list))
      if (ParseNumber(item, &value)) largest = std::max(largest, value);
    return largest;
  }

  const std::string& algorithm_;
  const Values& values_;
  const Shape s_;
  const int threads_;
};

std::string Gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < 1e9 ? "%.3f GB" : "%.1f GB", bytes / 1e9);
  return text;
}

// As Prepare divides them.
double TrainRows(const Values& values, const TrainData& data) {
  const auto config = ReadConfig<CommonConfig>(values);
  auto rows = static_cast<double>(data.train.rows());
  if (data.test.rows() == 0) rows -= config.test_split * rows;
  if (FoldCount(data, config, IsEnsemble(values), static_cast<size_t>(rows)) > 0)
    return rows + static_cast<double>(data.val.rows());
  return data.val.rows() > 0 ? rows : rows - config.val_split * rows;
}

Shape ShapeOf(const Values& values, const TrainData& data, bool folds) {
  const Dataset& train = data.train;
  const size_t rows = train.rows() + data.val.rows() + data.test.rows();
  const size_t outputs =
      train.task == Task::kClassification ? train.classes.size() : train.targets.cols();
  return {static_cast<double>(rows), static_cast<double>(train.features()),
          static_cast<double>(outputs), TrainRows(values, data), folds};
}

}  // namespace

std::string CheckMemory(const std::string& algorithm, const Values& values, const TrainData& data,
                        int threads, int cv_folds, size_t limit) {
  const auto most = static_cast<double>(limit > 0 ? limit : DefaultMemoryLimit());
  const Shape shape = ShapeOf(values, data, cv_folds > 0);
  const double bytes = Estimate(algorithm, values, shape, threads).Bytes();
  const std::string needs = Join(algorithm, " on ", static_cast<size_t>(shape.rows), " rows of ",
                                 static_cast<size_t>(shape.features), " features with ",
                                 static_cast<size_t>(shape.outputs), " outputs takes about ",
                                 Gigabytes(bytes), " of memory, ", Gigabytes(most), " may be used");
  Check(bytes <= most, needs, "; fewer rows, columns or classes, ",
        values.count("topology") ? "fewer neurons, search exhaustive" : "fewer or smaller blocks",
        ", or a higher memory limit (--memory-limit) are the ways out");
  return bytes > most / 2 ? needs : "";
}

}  // namespace gopnet
