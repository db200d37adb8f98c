// The memory G of POPmem (arXiv:1808.06377, section 3.3): a linear projection of a layer's input
// X_k that keeps its information for the layers to come,
//   G(x) = ((x - mean) * inverse_scale) P + bias,    P of shape D x q.
// Fitted on training rows, then fixed until fine-tuning, which may train P and bias. A new kind of
// memory is a file with a function that returns the axes and a line in memory.def.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/mat.h"
#include "linalg/dense.h"
#include "linalg/gram.h"

namespace gopnet {

struct Projection {
  std::string type;
  Mat mean;           // 1 x D
  Mat inverse_scale;  // 1 x D
  Mat p;              // D x q
  Mat bias;           // 1 x q
  size_t inputs() const { return p.rows(); }
  size_t dims() const { return p.cols(); }
};

// What a memory is fitted to. Classes are absent (null) in regression, where targets stand in.
struct MemoryData {
  ConstView x;  // N x D
  const int32_t* labels = nullptr;
  size_t classes = 0;
  ConstView targets = {};          // N x Q, regression
  const float* weights = nullptr;  // null: all 1
};

// Memory is scaled by one factor (mean variance 1), each axis by its deviation, or not at all.
enum class MemoryPostscale { kGlobal, kStd, kNone };
inline std::vector<std::string> ChoiceNames(MemoryPostscale) { return {"global", "std", "none"}; }

struct MemoryOptions {
  double energy = 0.98;
  double reg = 0.01;
  bool reg_by_trace = true;
  bool standardize = true;
  MemoryPostscale postscale = MemoryPostscale::kGlobal;
  // How X~^T X~ is computed, by far the most of the work; empty: by one thread.
  std::function<DenseMatrix(const Columns&)> gram = {};
};

// The features as a memory sees them: standardised with these, X~ = (X - mean) / scale.
struct Standardized {
  MemoryData data;
  std::vector<double> mean, scale;
  double total_weight = 0;
  double Weight(size_t n) const {
    return data.weights ? static_cast<double>(data.weights[n]) : 1.0;
  }
  Columns columns() const { return {data.x, mean.data(), data.weights, scale.data()}; }
  DenseMatrix Gram(const MemoryOptions& options) const {  // X~^T X~, D x D
    return options.gram ? options.gram(columns()) : SelfGram(columns(), 1);
  }
};

// Fits the memory `type` ("pca", "lda"). dims() is 0 if there is nothing to keep (constant
// features, one class).
Projection FitMemory(const std::string& type, const MemoryData& data, const MemoryOptions& options);

// (x - mean) * inverse_scale into `centred`, then out = centred P + bias. out may have more columns
// to its right.
void Project(const Projection& g, ConstView x, MutView centred, MutView out);

const std::vector<std::string>& MemoryTypes();

}  // namespace gopnet
