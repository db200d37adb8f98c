#include "export/plan.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "kernels/elementwise.h"

namespace gopnet::exporting {
namespace {

Numbers Flat(const Mat& m) {
  Numbers values;
  values.reserve(m.rows() * m.cols());
  for (size_t i = 0; i < m.rows(); ++i) values.insert(values.end(), m.Row(i), m.Row(i) + m.cols());
  return values;
}

Piece MakePiece(const std::optional<OperatorSet>& phi, const Mat& w, const Mat& b) {
  return {phi, w.rows(), w.cols(), Flat(w), Flat(b)};
}

Piece BlockPiece(const Block& block) {
  Piece piece = MakePiece(block.phi, block.w, block.b);
  piece.divide_by_norm = block.norm == Norm::kRow;
  if (block.norm != Norm::kBatch) return piece;
  piece.shift = Flat(block.mean);
  piece.beta = Flat(block.beta);
  piece.scale = Flat(block.gamma);
  const Numbers variance = Flat(block.variance);
  for (size_t j = 0; j < variance.size(); ++j)
    piece.scale[j] /= std::sqrt(variance[j] + kBatchNormEps);
  return piece;
}

Piece MemoryPiece(const Projection& memory) {
  Piece piece = MakePiece({}, memory.p, memory.bias);
  piece.shift = Flat(memory.mean);
  const Numbers inverse = Flat(memory.inverse_scale);
  for (size_t i = 0; i < piece.w.size(); ++i) piece.w[i] *= inverse[i / piece.units];
  return piece;
}

Stage LayerStage(const Layer& layer) {
  Stage stage;
  for (const Block& block : layer.blocks) stage.pieces.push_back(BlockPiece(block));
  if (layer.memory && layer.memory->dims() > 0) stage.pieces.push_back(MemoryPiece(*layer.memory));
  stage.keeps_input = layer.keeps_input;
  return stage;
}

// What the last layer remembers goes into a linear output alone: two matrix products, of which one
// takes less room where there are fewer outputs than the memory has columns. The layer then hands
// on its input, and the output multiplies it by the product of the two.
void MergeMemory(Stage& layer, Piece& output) {
  const Piece& memory = layer.pieces.back();
  const size_t merged = memory.inputs * output.units;
  if (output.phi || memory.phi || layer.keeps_input ||
      merged >= memory.units * (memory.inputs + output.units))
    return;
  const size_t first = output.inputs - memory.units;  // row of the output's weights
  Numbers product(merged), shift(first);
  for (size_t j = 0; j < output.units; ++j) {
    const auto column = [&](size_t m) { return output.w[(first + m) * output.units + j]; };
    for (size_t m = 0; m < memory.units; ++m) output.b[j] += memory.b[m] * column(m);
    for (size_t k = 0; k < memory.inputs; ++k)
      for (size_t m = 0; m < memory.units; ++m)
        product[k * output.units + j] += memory.w[k * memory.units + m] * column(m);
  }
  output.w.resize(first * output.units);
  output.w.insert(output.w.end(), product.begin(), product.end());
  shift.insert(shift.end(), memory.shift.begin(), memory.shift.end());
  output.shift = std::move(shift);
  output.inputs = first + memory.inputs;
  layer.pieces.pop_back();
  layer.keeps_input = true;
}

}  // namespace

size_t Stage::outputs() const {
  size_t sum = keeps_input ? inputs() : 0;
  for (const Piece& piece : pieces) sum += piece.units;
  return sum;
}

std::vector<Chain> Plan(const Ensemble& ensemble) {
  std::vector<Chain> chains;
  for (const auto& [net, weight] : ensemble.members) {
    Chain chain{weight, {}};
    for (const Layer& layer : net.layers) chain.stages.push_back(LayerStage(layer));
    const auto& [w, b, phi] = net.output;
    Piece output = MakePiece(phi, w, b);
    if (!net.layers.empty()) MergeMemory(chain.stages.back(), output);
    chain.stages.push_back({{std::move(output)}, false});
    chains.push_back(std::move(chain));
  }
  return chains;
}

bool IsText(const Column& column) { return !column.categories.empty() || column.other; }

size_t NumberFeatures(const Column& column) {
  return IsText(column) ? 0 : column.features() - (column.indicator ? 1 : 0);
}

std::vector<std::string> NumberMeanings(const Column& column, const std::string& unit) {
  constexpr char kHours[] = "in hours: 13.5 is 13:30";
  std::vector<std::string> meanings(NumberFeatures(column));
  if (!column.date.empty()) {
    meanings[2] = "1 is Monday";
    if (column.hours) meanings[3] = kHours;
    meanings.back() = "days since 1970-01-01, including the fraction of the day";
  } else if (!meanings.empty() && !column.unit.empty()) {
    meanings[0] = column.unit.starts_with("h:mm") ? kHours : "in " + unit;
  }
  return meanings;
}

std::vector<size_t> NumberPlaces(const ModelData& model) {
  std::vector<size_t> places;
  size_t first = 0;
  for (const Column& column : model.schema.columns) {
    for (size_t k = 0; k < NumberFeatures(column); ++k) places.push_back(first + k);
    first += column.features();
  }
  return places;
}

Numbers Offsets(const ModelData& model) {
  Numbers offsets;
  for (const Column& column : model.schema.columns) {
    const size_t first = offsets.size();
    offsets.resize(first + column.features());
    // Of a date it is that of the days, the last of its numbers.
    if (!IsText(column)) offsets[first + NumberFeatures(column) - 1] = column.offset;
  }
  return offsets;
}

bool HasFarInputs(const ModelData& model) {
  return std::ranges::any_of(Offsets(model), [](double offset) { return offset != 0; });
}

bool HasFarTargets(const ModelData& model) {
  constexpr double kFar = 4096;  // deviations from 0, as where predictions are written
  if (model.task != Task::kRegression) return false;
  for (size_t j = 0; j < model.targets.mean.size(); ++j)
    if (std::fabs(model.targets.mean[j]) > kFar * model.targets.scale[j]) return true;
  return false;
}

std::vector<std::string> TargetNames(const ModelData& model) {
  std::vector<std::string> names = model.schema.targets;
  for (size_t j = names.size(); j < model.ensemble.outputs(); ++j)
    names.push_back(j == 0 ? "prediction" : Join("prediction", j + 1));
  return names;
}

}  // namespace gopnet::exporting
