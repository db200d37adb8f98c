// A model as plain arrays in double, with all that can be computed beforehand done: what every
// kind of export is written from. In a plan the output layer is a stage like the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model_file.h"

namespace gopnet::exporting {

using Numbers = std::vector<double>;

// Some columns of what a stage computes from x. With an operator set
//   p_j = rho_k psi(x_k, w_kj), divided by its norm over j if divide_by_norm
//   y_j = (f(clip(p_j) + b_j) - shift_j) scale_j + beta_j, the second line if there is a scale;
// without one, y_j = sum_k (x_k - shift_k) w_kj + b_j, shift being empty or one for each input.
// Means are subtracted as they are and not folded into a bias: that would cancel digits.
struct Piece {
  std::optional<OperatorSet> phi;
  size_t inputs = 0, units = 0;
  Numbers w;  // inputs x units
  Numbers b;
  bool divide_by_norm = false;
  Numbers shift = {}, scale = {}, beta = {};
};

struct Stage {
  std::vector<Piece> pieces;  // side by side
  bool keeps_input = false;   // x follows them
  size_t inputs() const { return pieces.front().inputs; }
  size_t outputs() const;
};

struct Chain {  // one network
  double weight = 1;
  std::vector<Stage> stages;
};

std::vector<Chain> Plan(const Ensemble& ensemble);

bool IsText(const Column& column);
// The features of a column that are numbers in a row: one, or those of a date; 0 for a text. They
// come before the indicator.
size_t NumberFeatures(const Column& column);
// What they are beyond the column's name, in words; empty for plain numbers. `unit` is how the
// column's unit is to be written.
std::vector<std::string> NumberMeanings(const Column& column, const std::string& unit);
// All of these, as places among the features.
std::vector<size_t> NumberPlaces(const ModelData& model);
// What is subtracted from each feature, in double, before it is rounded to float32.
Numbers Offsets(const ModelData& model);
// float32 would round away what makes the inputs differ, or the predicted values: these are to be
// doubles.
bool HasFarInputs(const ModelData& model);
bool HasFarTargets(const ModelData& model);

// Names of the values that a regression predicts.
std::vector<std::string> TargetNames(const ModelData& model);

}  // namespace gopnet::exporting
