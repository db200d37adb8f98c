// A trained network: predicts, saves, loads, and tells what it is. Immutable; any thread may use
// it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gopnet/dataset.h"
#include "gopnet/matrix.h"

namespace gopnet {

struct LayerInfo {
  int inputs = 0;
  int units = 0;
  std::vector<std::string> operator_set;  // nodal, pool, activation
  std::string memory;                     // "pca", "lda" or empty
  int memory_dims = 0;
};

class Model {
 public:
  struct Impl;
  explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

  static Model Load(const std::string& path);  // throws Error for a truncated or foreign file
  void Save(const std::string& path) const;    // atomic: the file exists whole or not at all

  Task task() const;
  size_t inputs() const;                            // features after one-hot encoding
  size_t outputs() const;                           // classes or targets
  const std::vector<std::string>& classes() const;  // as given in training, in column order
  bool integer_classes() const;
  const Schema& schema() const;
  std::string algorithm() const;
  std::vector<LayerInfo> layers() const;
  size_t parameters() const;

  // N x classes probabilities, or N x targets values in original units. x holds raw, unscaled rows.
  Matrix Predict(MatrixView x) const;
  // Index into classes() of the most probable class of each row.
  std::vector<int> PredictClass(MatrixView x) const;

  std::string Json() const;  // what `gopnet inspect --json` prints
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace gopnet
