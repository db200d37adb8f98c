// The memory G of POPmem (arXiv:1808.06377, section 3.3): a linear projection of a layer's input
// X_k that keeps its information for the layers to come,
//   G(x) = ((x - mean) * inverse_scale) P + bias,    P of shape D x q.
// Fitted on training rows, then fixed until fine-tuning, which may train P and bias. A new kind of
// memory is a file with a function that returns the axes and a line in memory.def.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/mat.h"
#include "base/visit.h"
#include "linalg/dense.h"
#include "linalg/gram.h"
#include "linalg/symmetric_eigen.h"

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

enum class MemoryRegScale { kTrace, kAbsolute };
inline std::vector<std::string> ChoiceNames(MemoryRegScale) { return {"trace", "absolute"}; }

enum class MemoryPrescale { kStandardize, kCenter };
inline std::vector<std::string> ChoiceNames(MemoryPrescale) { return {"standardize", "center"}; }

// What layers remember of their input.
struct MemoryConfig {
  std::string memory = "pca";
  double memory_energy = 0.98;
  double memory_reg = 0.01;
  MemoryRegScale memory_reg_scale = MemoryRegScale::kTrace;
  MemoryPrescale memory_prescale = MemoryPrescale::kStandardize;
  MemoryPostscale memory_postscale = MemoryPostscale::kGlobal;
  bool finetune_memory = true;
  void Visit(FieldVisitor& v);
};

// The features as a memory sees them: standardised with these, X~ = (X - mean) / scale.
struct Standardized {
  MemoryData data;
  std::vector<double> mean, scale;
  double total_weight = 0;
  int threads = 1;
  double Weight(size_t n) const {
    return data.weights ? static_cast<double>(data.weights[n]) : 1.0;
  }
  Columns columns() const { return {data.x, mean.data(), data.weights, scale.data()}; }
  DenseMatrix Gram() const { return ShardedGram(columns(), threads); }  // X~^T X~, D x D
};

// Orthonormal axes of the leading directions of the rows, D x r; X~^T X~ along all directions,
// those of the axes first. Of fewer rows than columns: eigenvectors u of the N x N row products map
// back to axes X~^T u / sqrt(d).
struct RowSpan {
  DenseMatrix axes;
  std::vector<double> squares;
};
RowSpan SpanOfRows(const Standardized& s, const HowMany& wanted);

// Fits the memory config.memory ("pca", "lda"). dims() is 0 if there is nothing to keep (constant
// features, one class).
Projection FitMemory(const MemoryConfig& config, const MemoryData& data, int threads);

// (x - mean) * inverse_scale into `centred`, then out = centred P + bias. out may have more columns
// to its right.
void Project(const Projection& g, ConstView x, MutView centred, MutView out);

}  // namespace gopnet
