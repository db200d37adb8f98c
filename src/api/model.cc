#include "gopnet/model.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/json_values.h"
#include "api/model_impl.h"
#include "api/prepare.h"
#include "base/check.h"
#include "base/files.h"
#include "kernels/elementwise.h"
#include "kernels/loss.h"

namespace gopnet {
namespace {

// Scales a chunk of raw rows at a time, so that prediction needs no copy of the data.
template <class Use>
void ForEachChunk(const ModelData& model, MatrixView x, const Use& use) {
  Mat scaled(std::min(x.rows, Inference::kChunk), x.cols);
  for (size_t first = 0; first < x.rows; first += Inference::kChunk) {
    const size_t count = std::min(Inference::kChunk, x.rows - first);
    for (size_t n = 0; n < count; ++n) model.features.Apply(x.Row(first + n), scaled.Row(n));
    use(first, scaled.view().Rows(0, count));
  }
}

template <class Use>
void ForEachOutput(const ModelData& model, MatrixView x, const Use& use) {
  Inference inference;
  ForEachChunk(model, x, [&](size_t first, ConstView rows) {
    use(first, inference.Forward(model.network, rows));
  });
}

enum class Form { kProbabilities, kLogits };

// Logits to probabilities, or standardised values to values, in place; then into `to`.
void FinishOutputs(const ModelData& model, MutView out, float* to, size_t stride,
                   Form form = Form::kProbabilities) {
  const bool classes = model.task == Task::kClassification;
  if (classes && model.temperature != 1) {
    for (size_t n = 0; n < out.rows; ++n)
      Scale(static_cast<float>(model.temperature), out.cols, out.Row(n));
  }
  if (classes && form == Form::kProbabilities) Softmax(out);
  for (size_t n = 0; n < out.rows; ++n) {
    float* row = to + n * stride;
    std::copy_n(out.Row(n), out.cols, row);
    for (size_t j = 0; !classes && j < out.cols; ++j) {
      row[j] = static_cast<float>(static_cast<double>(row[j]) * model.targets.scale[j] +
                                  model.targets.mean[j]);
    }
  }
}

void CheckRows(const ModelData& model, MatrixView x) {
  Check(x.cols == model.features.mean.size(), "predict: data have ", x.cols,
        " columns, the model was trained on ", model.features.mean.size());
  CheckFinite(x, model.schema.fill_missing, "predict");
}

Matrix AllOutputs(const ModelData& model, MatrixView x, Form form) {
  CheckRows(model, x);
  Matrix result(x.rows, model.network.output.w.cols());
  ForEachOutput(model, x, [&](size_t first, MutView out) {
    FinishOutputs(model, out, result.Row(first), result.cols(), form);
  });
  return result;
}

}  // namespace

Model Model::Load(const std::string& path) {
  const FileMap file(path);
  return MakeModel(ParseModel(file.bytes(), path));
}

void Model::Save(const std::string& path) const { WriteFileAtomically(path, ToBytes()); }

Model Model::FromBytes(std::string_view bytes) { return MakeModel(ParseModel(bytes, "model")); }
std::string Model::ToBytes() const { return SerializeModel(impl_->data); }

Task Model::task() const { return impl_->data.task; }
size_t Model::inputs() const { return impl_->data.features.mean.size(); }
size_t Model::outputs() const { return impl_->data.network.output.w.cols(); }
size_t Model::hidden() const { return impl_->data.network.output.w.rows(); }
const std::vector<std::string>& Model::classes() const { return impl_->data.classes; }
bool Model::integer_classes() const { return impl_->data.integer_classes; }
const Schema& Model::schema() const { return impl_->data.schema; }
std::string Model::algorithm() const { return impl_->data.algorithm; }
size_t Model::parameters() const { return impl_->data.network.parameters(); }

std::vector<LayerInfo> Model::layers() const {
  std::vector<LayerInfo> infos;
  for (const Layer& layer : impl_->data.network.layers) {
    LayerInfo info{static_cast<int>(layer.inputs()),
                   static_cast<int>(layer.units()),
                   Names(layer.blocks[0].phi),
                   layer.memory ? layer.memory->type : "",
                   layer.memory ? static_cast<int>(layer.memory->dims()) : 0,
                   layer.keeps_input,
                   {}};
    for (const Block& block : layer.blocks) {
      info.blocks.push_back(
          {static_cast<int>(block.units()), Names(block.phi), NormName(block.norm)});
    }
    infos.push_back(info);
  }
  return infos;
}

std::vector<std::string> Model::output_operator_set() const {
  const auto& phi = impl_->data.network.output.phi;
  return phi ? Names(*phi) : std::vector<std::string>{};
}

Matrix Model::Predict(MatrixView x) const {
  return AllOutputs(impl_->data, x, Form::kProbabilities);
}

Matrix Model::Decision(MatrixView x) const { return AllOutputs(impl_->data, x, Form::kLogits); }

Matrix Model::Features(MatrixView x) const {
  const ModelData& model = impl_->data;
  CheckRows(model, x);
  Matrix result(x.rows, hidden());
  ForEachChunk(model, x, [&](size_t first, ConstView rows) {
    Mat kept;
    ConstView features = rows;
    for (const Layer& layer : model.network.layers) {
      kept = LayerFeatures(layer, features);
      features = kept.view();
    }
    for (size_t n = 0; n < features.rows; ++n)
      std::copy_n(features.Row(n), features.cols, result.Row(first + n));
  });
  return result;
}

struct Predictor::State {
  Model model;
  Inference inference;
  Mat scaled;
};

Predictor::Predictor(const Model& model) : state_(new State{model, {}, Mat(1, model.inputs())}) {
  const ConstView row = state_->scaled.view();
  state_->inference.Forward(model.impl().data.network, row);  // makes all room
}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

void Predictor::Predict(const float* row, float* out) {
  const ModelData& model = state_->model.impl().data;
  CheckRows(model, {row, 1, model.features.mean.size()});
  model.features.Apply(row, state_->scaled.Row(0));
  FinishOutputs(model, state_->inference.Forward(model.network, state_->scaled.view()), out, 0);
}

std::vector<int> Model::PredictClass(MatrixView x) const {
  Check(task() == Task::kClassification, "predict: a regression model has no classes");
  CheckRows(impl_->data, x);
  std::vector<int> classes(x.rows);
  ForEachOutput(impl_->data, x, [&](size_t first, MutView out) {
    static_assert(sizeof(int) == sizeof(int32_t));
    ArgMaxRows(out, classes.data() + first);
  });
  return classes;
}

std::string Model::Json() const {
  const ModelData& model = impl_->data;
  nlohmann::ordered_json json;
  json["algorithm"] = model.algorithm;
  json["task"] = model.task == Task::kClassification ? "classification" : "regression";
  json["inputs"] = inputs();
  json["outputs"] = outputs();
  json["features"] = model.schema.FeatureNames();
  json["targets"] = model.schema.targets;
  json["classes"] = ClassesJson(model);
  json["layers"] = nlohmann::ordered_json::array();
  for (const LayerInfo& layer : layers()) {
    nlohmann::ordered_json item{{"inputs", layer.inputs},
                                {"units", layer.units},
                                {"operator_set", layer.operator_set},
                                {"memory", MemoryJson(layer.memory, layer.memory_dims)},
                                {"keeps_input", layer.keeps_input},
                                {"blocks", nlohmann::ordered_json::array()}};
    for (const BlockInfo& block : layer.blocks) {
      item["blocks"].push_back(
          {{"units", block.units}, {"operator_set", block.operator_set}, {"norm", block.norm}});
    }
    json["layers"].push_back(item);
  }
  const auto output = output_operator_set();
  json["output"] = {
      {"operator_set", output.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(output)}};
  json["parameters"] = parameters();
  json["settings"] = ValuesJson(model.algorithm, model.parameters);
  return json.dump(2);
}

}  // namespace gopnet
