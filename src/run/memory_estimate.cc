#include "run/memory_estimate.h"

#include <algorithm>
#include <cstdio>

#include "base/check.h"
#include "base/names.h"
#include "base/spill.h"
#include "base/usable_memory.h"
#include "run/prepare.h"

namespace gopnet {
namespace {

struct Shape {
  double rows, features, outputs;
};

class Estimate {
 public:
  Estimate(const std::string& algorithm, const Values& values, const Shape& shape, int threads)
      : algorithm_(algorithm), values_(values), s_(shape), threads_(threads) {}

  double Bytes() const {
    const double least = std::min(s_.rows, s_.features);
    // the program, and the linear model that every network is measured beside
    const double fixed = 15e6 + 16 * least * least + 8 * s_.features * s_.outputs;
    if (values_.count("topology")) return fixed + Grown();
    if (algorithm_ == "bls") return fixed + Ridge(2 * Number("max_blocks"), 1);
    if (algorithm_ == "s-elm") return fixed + Stacked();
    if (algorithm_ == "pln") return fixed + Ridge(Number("max_blocks"), 1) + Normal();
    return fixed + Ridge(Number("max_blocks"), Number("max_layers"));
  }

 private:
  // POP and its kin: with halving every candidate of a search waits, with its weights in the order
  // of the kernels, the best ones so far, gradients and two moments; otherwise one a thread does.
  double Grown() const {
    const std::string topology =
        Text("topology") == "auto" ? AutoTopology(static_cast<size_t>(s_.rows)) : Text("topology");
    const double units = Largest(topology);
    const double sets = Count(Text("nodal")) * Count(Text("pool")) * Count(Text("activation"));
    const bool halving = Text("search") == "halving";
    const double layers = Count(topology);
    const double later = layers > 1 ? units + std::min(s_.rows, s_.features) : 0;
    const double inputs = std::max(s_.features, later);
    const double weights = 4 * units * (inputs + s_.outputs);  // bytes
    const double waiting = halving ? sets : threads_ + 1.0;
    const double networks = Text("ensemble") == "auto" ? 8 : std::max(1.0, Number("ensemble"));
    const double outputs = 4 * s_.rows * s_.outputs * (networks + 2);
    return weights * (7 * waiting + 4 * threads_ + networks * layers) + outputs + Targets();
  }

  // Random nodes with least squares on top.
  double Ridge(double blocks, double layers) const {
    const double nodes = Number("block_size") * blocks;
    const double columns = 8 * s_.rows * nodes;
    return columns + 16 * nodes * nodes + 24 * nodes * s_.outputs +
           12 * s_.features * nodes * layers + 4 * s_.rows * s_.outputs + Targets();
  }

  // S-ELM: what each layer keeps of its random nodes and of their autoencoder.
  double Stacked() const {
    const double nodes = Number("block_size"), all = nodes + Number("reduced_size");
    const double layers = std::min(Number("max_layers"), 3.0);
    return s_.features * nodes * (20 * layers + 20) + 8 * s_.rows * all + 24 * all * all +
           24 * all * s_.outputs + 4 * s_.rows * s_.outputs + Targets();
  }

  double Normal() const { return 22 * s_.features * s_.features; }

  // One-hot classes, as they are and as least squares see them.
  double Targets() const {
    return Text("loss") == "cross_entropy" || s_.outputs < 3 ? 0 : 8 * s_.rows * s_.outputs;
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

Shape ShapeOf(const TrainData& data) {
  const Dataset& train = data.train;
  const size_t rows = train.rows() + data.val.rows() + data.test.rows();
  const size_t outputs =
      train.task == Task::kClassification ? train.classes.size() : train.targets.cols();
  return {static_cast<double>(rows), static_cast<double>(train.features()),
          static_cast<double>(outputs)};
}

}  // namespace

double EstimateMemory(const std::string& algorithm, const Values& values, const TrainData& data,
                      int threads) {
  const Shape shape = ShapeOf(data);
  const double copy = 4 * shape.rows * shape.features;
  const bool spilled = copy > static_cast<double>(SpillBytes());
  return Estimate(algorithm, values, shape, threads).Bytes() + (spilled ? 0 : 2 * copy);
}

std::string CheckMemory(const std::string& algorithm, const Values& values, const TrainData& data,
                        int threads, size_t limit) {
  const auto most = static_cast<double>(limit > 0 ? limit : DefaultMemoryLimit());
  const double bytes = EstimateMemory(algorithm, values, data, threads);
  const Shape shape = ShapeOf(data);
  const std::string needs = Join(algorithm, " on ", static_cast<size_t>(shape.rows), " rows of ",
                                 static_cast<size_t>(shape.features), " features with ",
                                 static_cast<size_t>(shape.outputs), " outputs takes about ",
                                 Gigabytes(bytes), " of memory, ", Gigabytes(most), " may be used");
  Check(bytes <= most, needs,
        "; fewer rows, columns or classes, fewer neurons, search exhaustive, or a higher "
        "memory limit (--memory-limit) are the ways out");
  return bytes > most / 2 ? needs : "";
}

}  // namespace gopnet
