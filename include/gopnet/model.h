// A trained network: predicts, saves, loads, and tells what it is. Immutable; any thread may use
// it. A Model that was moved from holds no network: its functions throw Error.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gopnet/dataset.h"
#include "gopnet/matrix.h"

namespace gopnet {

struct BlockInfo {
  int units = 0;
  std::vector<std::string> operator_set;  // nodal, pool, activation
  std::string norm;                       // "batch", "none" or "row"
};

struct LayerInfo {
  int inputs = 0;
  int units = 0;                          // of all blocks
  std::vector<std::string> operator_set;  // of the first block
  std::string memory;                     // "pca", "lda" or empty
  int memory_dims = 0;
  bool keeps_input = false;  // hands its input on beside its own output
  std::vector<BlockInfo> blocks;
};

// One of the networks whose average a model is.
struct MemberInfo {
  double weight = 1;
  std::vector<LayerInfo> layers;
  std::vector<std::string> output_operator_set;
};

class Model {
 public:
  struct Impl;
  explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

  static Model Load(const std::string& path);  // throws Error for a truncated or foreign file
  void Save(const std::string& path) const;    // atomic: the file exists whole or not at all
  // The same bytes in memory, for callers with a store of their own.
  static Model FromBytes(std::string_view bytes);
  std::string ToBytes() const;

  Task task() const;
  size_t inputs() const;                            // features after one-hot encoding
  size_t outputs() const;                           // classes or targets
  size_t hidden() const;                            // columns of Features
  const std::vector<std::string>& classes() const;  // as given in training, in column order
  bool integer_classes() const;
  bool boolean_classes() const;  // TrainOptions::boolean_labels
  const Schema& schema() const;
  std::string algorithm() const;
  // Of the only network, or of the first of several.
  std::vector<LayerInfo> layers() const;
  std::vector<std::string> output_operator_set() const;  // empty: the output layer is linear
  std::vector<MemberInfo> members() const;               // all networks, usually one
  size_t parameters() const;

  // x holds raw, unscaled rows; NaN is a blank, filled by the mean of its column in training. Of a
  // column with an offset (schema()) it holds the rest. `threads` may share them, with the same
  // bits for any number; 0 is one for each core that the process may use. N x classes
  // probabilities, or N x targets values in original units.
  Matrix Predict(MatrixView x, int threads = 1) const;
  // The same in double, row after row: values far from 0 keep their digits.
  std::vector<double> PredictValues(MatrixView x, int threads = 1) const;
  // Index into classes() of the most probable class of each row.
  std::vector<int> PredictClass(MatrixView x, int threads = 1) const;
  // What the probabilities are the softmax of; in regression the same as Predict.
  Matrix Decision(MatrixView x, int threads = 1) const;
  // What the output layer sees: the last layer's neurons, its memory after them; of several
  // networks side by side.
  Matrix Features(MatrixView x, int threads = 1) const;

  std::string Json() const;  // what `gopnet inspect --json` prints
  const Impl& impl() const;

 private:
  std::shared_ptr<const Impl> impl_;
};

// Predicts one row at a time and allocates nothing once it is made: for services that answer single
// requests. One per thread.
class Predictor {
 public:
  explicit Predictor(const Model& model);
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;
  // row: model.inputs() raw numbers. out: model.outputs() probabilities, or values in original
  // units. The same bits as Model::Predict. A NaN is a blank; an infinity is an Error.
  void Predict(const float* row, float* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gopnet
