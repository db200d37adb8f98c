// A trained model: predict, save, load, describe. Immutable and thread-safe. A moved-from Model
// holds no network: its functions throw Error.
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
  int units = 0;                          // in all blocks
  std::vector<std::string> operator_set;  // of the first block
  std::string memory;                     // "pca", "lda" or empty
  int memory_dims = 0;
  bool keeps_input = false;  // passes its input on beside its own output
  std::vector<BlockInfo> blocks;
};

// One of the networks that the model averages.
struct MemberInfo {
  double weight = 1;
  std::vector<LayerInfo> layers;
  std::vector<std::string> output_operator_set;
};

class Model {
 public:
  struct Impl;
  explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

  static Model Load(const std::string& path);  // throws Error if the file is damaged or no model
  void Save(const std::string& path) const;    // atomic: the file is complete or does not exist
  // The same bytes in memory, for callers with their own storage.
  static Model FromBytes(std::string_view bytes);
  std::string ToBytes() const;

  Task task() const;
  size_t inputs() const;                            // features after one-hot encoding
  size_t outputs() const;                           // classes or targets
  size_t hidden() const;                            // columns of Features
  const std::vector<std::string>& classes() const;  // as given in training, in output order
  bool integer_classes() const;
  bool boolean_classes() const;  // TrainOptions::boolean_labels
  const Schema& schema() const;
  std::string algorithm() const;
  // The layers of the first network; see members() for all.
  std::vector<LayerInfo> layers() const;
  std::vector<std::string> output_operator_set() const;  // empty: the output layer is linear
  std::vector<MemberInfo> members() const;               // all networks
  size_t parameters() const;

  // Returns N x classes probabilities, or N x targets values in original units. x holds raw,
  // unscaled rows, less the offset of a column that has one (schema()). NaN is a blank and becomes
  // the mean of its column in training. `threads` does not change the result; 0 uses all available
  // cores.
  Matrix Predict(MatrixView x, int threads = 1) const;
  // The same in double, row by row: values far from 0 keep their digits.
  std::vector<double> PredictValues(MatrixView x, int threads = 1) const;
  // Index into classes() of the most probable class of each row.
  std::vector<int> PredictClass(MatrixView x, int threads = 1) const;
  // The logits, whose softmax gives the probabilities; in regression the same as Predict.
  Matrix Decision(MatrixView x, int threads = 1) const;
  // The input of the output layer: the last layer's neurons, then its memory. Several networks
  // stand side by side.
  Matrix Features(MatrixView x, int threads = 1) const;

  std::string Json() const;  // the output of `gopnet inspect --json`
  const Impl& impl() const;

 private:
  std::shared_ptr<const Impl> impl_;
};

// Predicts one row at a time without allocating memory, for services that answer single requests.
// Use one per thread. Keeps the model alive.
class Predictor {
 public:
  explicit Predictor(const Model& model);
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;
  // row: model.inputs() raw numbers. out: model.outputs() probabilities, or values in original
  // units. Gives the same bits as Model::Predict. NaN is a blank; infinity throws Error.
  void Predict(const float* row, float* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gopnet
