#include "gopnet/model.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files.h"
#include "base/parse_json.h"
#include "base/stop_check.h"
#include "base/threads.h"
#include "base/visit.h"
#include "data/dataset_fields.h"
#include "kernels/elementwise.h"
#include "kernels/loss.h"
#include "model/model_impl.h"
#include "run/check_data.h"
#include "run/json_values.h"

namespace gopnet {
namespace {

constexpr size_t kTaskChunks = 4;  // a thread takes that many at a time

// Scales a chunk of raw rows at a time, so that prediction needs no copy of the data, and calls
// use(worker, first_row, chunk) on up to `threads` threads. The chunks are the same for any number
// of them.
template <class Use>
void ForEachScaledChunk(const ModelData& model, MatrixView x, int threads, const Use& use) {
  constexpr size_t kRows = kTaskChunks * Inference::kChunk;
  std::vector<Mat> scaled(static_cast<size_t>(threads));
  ParallelFor((x.rows + kRows - 1) / kRows, threads, [&](size_t task, int worker) {
    Mat& room = scaled[static_cast<size_t>(worker)];
    if (room.rows() == 0) room = Mat(std::min(x.rows, Inference::kChunk), x.cols);
    const size_t end = std::min((task + 1) * kRows, x.rows);
    for (size_t first = task * kRows; first < end; first += Inference::kChunk) {
      StopCheck::Ask();
      const size_t count = std::min(Inference::kChunk, end - first);
      for (size_t n = 0; n < count; ++n) model.features.Apply(x.Row(first + n), room.Row(n));
      use(static_cast<size_t>(worker), first, room.view().Rows(0, count));
    }
  });
}

template <class Use>
void ForEachOutput(const ModelData& model, MatrixView x, int threads, const Use& use) {
  std::vector<EnsembleInference> inference(static_cast<size_t>(threads));
  ForEachScaledChunk(model, x, threads, [&](size_t worker, size_t first, ConstView rows) {
    use(first, inference[worker].Forward(model.ensemble, rows));
  });
}

enum class Form { kProbabilities, kLogits };

// Logits to probabilities, or standardised values to values, in place; then into `to`.
template <class T>
void FinishOutputs(const ModelData& model, MutView out, T* to, size_t stride,
                   Form form = Form::kProbabilities) {
  const bool classes = model.task == Task::kClassification;
  if (classes && model.temperature != 1) {
    for (size_t n = 0; n < out.rows; ++n)
      Scale(static_cast<float>(model.temperature), out.cols, out.Row(n));
  }
  if (classes && form == Form::kProbabilities) Softmax(out);
  for (size_t n = 0; n < out.rows; ++n) {
    T* row = to + n * stride;
    std::copy_n(out.Row(n), out.cols, row);
    for (size_t j = 0; !classes && j < out.cols; ++j) {
      const double value =
          static_cast<double>(out.Row(n)[j]) * model.targets.scale[j] + model.targets.mean[j];
      row[j] = static_cast<T>(model.bounds.Cut(j, value));
    }
  }
}

void CheckRows(const ModelData& model, MatrixView x) {
  Check(x.cols == model.features.mean.size(), "predict: the model needs ",
        model.features.mean.size(), " columns; got ", x.cols);
  Check(x.data != nullptr || x.rows == 0, "predict: the data pointer is null for ", x.rows,
        " rows");
  CheckFinite(x, true, "predict");
}

Matrix AllOutputs(const ModelData& model, MatrixView x, int threads, Form form) {
  CheckRows(model, x);
  Matrix result(x.rows, model.ensemble.outputs());
  ForEachOutput(model, x, ThreadCount(threads), [&](size_t first, MutView out) {
    FinishOutputs(model, out, result.Row(first), result.cols(), form);
  });
  CheckMapsWhole();
  return result;
}

std::vector<LayerInfo> LayersOf(const Network& net) {
  std::vector<LayerInfo> infos;
  for (const Layer& layer : net.layers) {
    LayerInfo info{static_cast<int>(layer.inputs()),
                   static_cast<int>(layer.units()),
                   Names(layer.blocks[0].phi),
                   layer.memory ? layer.memory->type : "",
                   layer.memory ? static_cast<int>(layer.memory->dims()) : 0,
                   layer.keeps_input,
                   {}};
    for (const Block& block : layer.blocks) {
      info.blocks.push_back(
          {static_cast<int>(block.units()), Names(block.phi), FormatValue(block.norm)});
    }
    infos.push_back(info);
  }
  return infos;
}

}  // namespace

const Model::Impl& Model::impl() const {
  Check(impl_ != nullptr, "model: holds no network (it was moved from)");
  return *impl_;
}

Model Model::Load(const std::string& path) try {
  const FileMap file(path);
  Model model = MakeModel(ParseModel(file.bytes(), path));
  CheckMapsWhole();
  return model;
} catch (const Error&) {
  CheckMapsWhole();  // the better reason
  throw;
}

void Model::Save(const std::string& path) const { WriteFileAtomically(path, ToBytes()); }

Model Model::FromBytes(std::string_view bytes) { return MakeModel(ParseModel(bytes, "model")); }
std::string Model::ToBytes() const { return SerializeModel(impl().data); }

Task Model::task() const { return impl().data.task; }
size_t Model::inputs() const { return impl().data.features.mean.size(); }
size_t Model::outputs() const { return impl().data.ensemble.outputs(); }
size_t Model::hidden() const {
  size_t columns = 0;
  for (const Member& member : impl().data.ensemble.members)
    columns += member.network.output.w.rows();
  return columns;
}
const std::vector<std::string>& Model::classes() const { return impl().data.classes; }
bool Model::integer_classes() const { return impl().data.integer_classes; }
bool Model::boolean_classes() const { return impl().data.boolean_classes; }
const Schema& Model::schema() const { return impl().data.schema; }
std::string Model::algorithm() const { return impl().data.algorithm; }
size_t Model::parameters() const { return impl().data.ensemble.parameters(); }

std::vector<LayerInfo> Model::layers() const { return members().front().layers; }
std::vector<std::string> Model::output_operator_set() const {
  return members().front().output_operator_set;
}

std::vector<MemberInfo> Model::members() const {
  std::vector<MemberInfo> infos;
  for (const auto& [net, weight] : impl().data.ensemble.members) {
    infos.push_back({weight, LayersOf(net), {}});
    if (net.output.phi) infos.back().output_operator_set = Names(*net.output.phi);
  }
  return infos;
}

Matrix Model::Predict(MatrixView x, int threads) const {
  return AllOutputs(impl().data, x, threads, Form::kProbabilities);
}

std::vector<double> Model::PredictValues(MatrixView x, int threads) const {
  const ModelData& model = impl().data;
  CheckRows(model, x);
  std::vector<double> result(x.rows * outputs());
  ForEachOutput(model, x, ThreadCount(threads), [&](size_t first, MutView out) {
    FinishOutputs(model, out, result.data() + first * outputs(), outputs());
  });
  return result;
}

Matrix Model::Decision(MatrixView x, int threads) const {
  return AllOutputs(impl().data, x, threads, Form::kLogits);
}

Matrix Model::Features(MatrixView x, int threads) const {
  const ModelData& model = impl().data;
  CheckRows(model, x);
  Matrix result(x.rows, hidden());
  ForEachScaledChunk(model, x, ThreadCount(threads), [&](size_t, size_t first, ConstView rows) {
    size_t column = 0;
    for (const Member& member : model.ensemble.members) {
      Mat kept;
      ConstView features = rows;
      for (const Layer& layer : member.network.layers) {
        kept = LayerFeatures(layer, features);
        features = kept.view();
      }
      for (size_t n = 0; n < features.rows; ++n)
        std::copy_n(features.Row(n), features.cols, result.Row(first + n) + column);
      column += features.cols;
    }
  });
  return result;
}

struct Predictor::State {
  Model model;
  EnsembleInference inference;
  Mat scaled;
};

Predictor::Predictor(const Model& model) : state_(new State{model, {}, Mat(1, model.inputs())}) {
  const ConstView row = state_->scaled.view();
  state_->inference.Forward(model.impl().data.ensemble, row);  // allocates now what Predict needs
}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

void Predictor::Predict(const float* row, float* out) {
  Check(state_ != nullptr, "predictor: holds no network (it was moved from)");
  const ModelData& model = state_->model.impl().data;
  CheckRows(model, {row, 1, model.features.mean.size()});
  model.features.Apply(row, state_->scaled.Row(0));
  FinishOutputs(model, state_->inference.Forward(model.ensemble, state_->scaled.view()), out, 0);
}

std::vector<int> Model::PredictClass(MatrixView x, int threads) const {
  Check(task() == Task::kClassification, "predict: a regression model has no classes");
  CheckRows(impl().data, x);
  std::vector<int> classes(x.rows);
  ForEachOutput(impl().data, x, ThreadCount(threads), [&](size_t first, MutView out) {
    static_assert(sizeof(int) == sizeof(int32_t));
    ArgMaxRows(out, classes.data() + first);
  });
  return classes;
}

static void to_json(nlohmann::ordered_json& json, const BlockInfo& block) {
  json = {{"units", block.units}, {"operator_set", block.operator_set}, {"norm", block.norm}};
}

static void to_json(nlohmann::ordered_json& json, const LayerInfo& layer) {
  json = {{"inputs", layer.inputs},
          {"units", layer.units},
          {"operator_set", layer.operator_set},
          {"memory", MemoryJson(layer.memory, layer.memory_dims)},
          {"keeps_input", layer.keeps_input},
          {"blocks", layer.blocks}};
}

// Adds the layers of a network and its output to `json`.
static void AddNetwork(const MemberInfo& member, nlohmann::ordered_json& json) {
  const std::vector<std::string>& set = member.output_operator_set;
  json["layers"] = member.layers;
  json["output"] = nlohmann::ordered_json::object();
  json["output"]["operator_set"] =
      set.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(set);
}

std::string Model::Json() const {
  const ModelData& model = impl().data;
  auto json = nlohmann::ordered_json::object();
  json["algorithm"] = model.algorithm;
  json["task"] = FormatValue(model.task);
  json["inputs"] = inputs();
  json["outputs"] = outputs();
  json["features"] = model.schema.FeatureNames();
  json["targets"] = model.schema.targets;
  json["classes"] = ClassesJson(model);
  const std::vector<MemberInfo> networks = members();
  AddNetwork(networks.front(), json);
  if (networks.size() > 1) json["members"] = nlohmann::ordered_json::array();
  for (size_t m = 0; networks.size() > 1 && m < networks.size(); ++m) {
    json["members"].push_back({{"weight", networks[m].weight}});
    AddNetwork(networks[m], json["members"].back());
  }
  json["parameters"] = parameters();
  json["settings"] = ValuesJson(model.algorithm, model.parameters);
  return JsonText(json, 2);
}

}  // namespace gopnet
