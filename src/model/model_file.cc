#include "model/model_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/check.h"
#include "base/json_fields.h"
#include "base/visit.h"
#include "data/dataset_fields.h"
#include "data/field.h"
#include "model/safetensors.h"
#include "nn/state.h"

namespace gopnet {

using Json = nlohmann::json;

template <Choice T>
static T ReadChoice(const char* what, const std::string& name, const std::string& source) {
  const std::vector<std::string> names = ChoiceNames(T());
  const auto it = std::ranges::find(names, name);
  Check(it != names.end(), source, ": unknown ", what, " '", Shown(name), "'");
  return static_cast<T>(it - names.begin());
}

// The JSON of networks, which leaves out their matrices but tells the sizes of some.
static void to_json(Json& json, const Norm& norm) { json = FormatValue(norm); }
static void from_json(const Json& json, Norm& norm) {
  norm = ReadChoice<Norm>("norm", json.get<std::string>(), "a block");
}
static void to_json(Json& json, const OperatorSet& phi) { json = Names(phi); }
static void from_json(const Json& json, OperatorSet& phi) {
  auto names = json.get<std::vector<std::string>>();
  for (std::string& name : names) name = Shown(name);  // safe to print, should it be unknown
  phi = OperatorSetFromNames(names, "a network");
}
static void to_json(Json& json, const Block& block) {
  AddFields(json, block);
  json["units"] = block.units();
}
static void to_json(Json& json, const Projection& memory) {
  AddFields(json, memory);
  json["dims"] = memory.dims();
}
static void to_json(Json& json, const OutputLayer& output) {
  AddFields(json, output);
  json = Json(json["operator_set"]);
}
static void from_json(const Json& json, OutputLayer& output) {
  if (!json.is_null()) json.get_to(output.phi.emplace());
}

namespace {

constexpr char kFormat[] = "gopnet-2";          // of one network, features not bent
constexpr char kEnsembleFormat[] = "gopnet-3";  // of any number, bent or not

class TensorReader {
 public:
  TensorReader(const TensorFile& file, const std::string& from) : source(from), file_(file) {}
  const std::string& source;

  // Leaves m as it is if there is no such tensor.
  void Read(const std::string& name, size_t dims, Mat& m) const {
    const auto it = file_.tensors.find(name);
    if (it == file_.tensors.end()) return;
    const std::vector<size_t>& shape = it->second.shape;
    const size_t found = it->second.f32.size();
    Check(shape.size() == dims, source, ": tensor ", name, " must have ", dims,
          " dimension(s); got ", shape.size());
    const size_t rows = dims == 2 ? shape[0] : 1, cols = shape.back();
    Check(rows == 0 || (found / rows == cols && found % rows == 0), source, ": tensor ", name,
          " must have ", rows, " x ", cols, " numbers; got ", found);
    const Tensor& t = Find(name, "F32", rows * cols);
    m = Mat(rows, cols);
    for (size_t i = 0; i < rows; ++i) std::copy_n(t.f32.data() + i * cols, cols, m.Row(i));
  }
  std::vector<double> Doubles(const std::string& name, size_t size) const {
    return Find(name, "F64", size).f64;
  }
  size_t Size(const std::string& name) const {  // 0 if it is not there
    const auto it = file_.tensors.find(name);
    return it == file_.tensors.end() ? 0 : it->second.f32.size() + it->second.f64.size();
  }

 private:
  const Tensor& Find(const std::string& name, const char* dtype, size_t size) const {
    const auto it = file_.tensors.find(name);
    Check(it != file_.tensors.end(), source, ": tensor ", name, " is missing");
    const size_t found = it->second.f32.size() + it->second.f64.size();
    Check(it->second.dtype == dtype && found == size, source, ": tensor ", name, " must have ",
          size, " ", dtype, " numbers; got ", found, " ", it->second.dtype);
    for (const float v : it->second.f32) CheckNumber(name, static_cast<double>(v), kLargestWeight);
    for (const double v : it->second.f64) CheckNumber(name, v, kLargestScale);
    return it->second;
  }
  // Larger ones overflow as soon as they are used: training, which takes numbers up to 1e37, never
  // gives any. Scales and knots of curves fit a float, as exports need it.
  static constexpr double kLargestWeight = 1e30, kLargestScale = 3e38;
  void CheckNumber(const std::string& name, double v, double most) const {
    Check(std::isfinite(v), source, ": tensor ", name, " contains NaN or inf");
    Check(std::fabs(v) <= most, source, ": tensor ", name, " contains ", v, "; the limit is ",
          most);
  }
  const TensorFile& file_;
};

// Calls use(name, matrix, kind) for every matrix of a network (nn/state.h).
template <class Use>
class MatrixVisitor {
 public:
  MatrixVisitor(std::string prefix, const Use& use) : prefix_(std::move(prefix)), use_(use) {}
  template <class... P>
  void operator()(P&&... parts) {
    (Visit(prefix_ + parts.name, parts.value, parts.kind), ...);
  }

 private:
  template <class T>
  void Visit(const std::string& name, T& value, PartKind kind) {
    if constexpr (std::is_same_v<T, Mat>) {
      use_(name, value, kind);
    } else if constexpr (Listed<T>) {
      MatrixVisitor visit(name + ".", use_);
      Fields(visit, value);
    }
  }
  template <class T>
  void Visit(const std::string& name, std::optional<T>& value, PartKind kind) {
    if (value) Visit(name, *value, kind);
  }
  template <class T>
  void Visit(const std::string& name, std::vector<T>& values, PartKind kind) {
    for (size_t i = 0; i < values.size(); ++i) Visit(Join(name, ".", i), values[i], kind);
  }
  const std::string prefix_;
  const Use& use_;
};

Json WriteNetwork(const Network& net, const std::string& prefix, TensorFile& file) {
  const auto write = [&](const std::string& name, const Mat& m, PartKind kind) {
    if (kind == PartKind::kExtra && m.rows() == 0) return;
    Tensor& t = file.tensors[name];
    t.shape = kind == PartKind::kUsual ? std::vector{m.rows(), m.cols()} : std::vector{m.cols()};
    for (size_t i = 0; i < m.rows(); ++i) t.f32.insert(t.f32.end(), m.Row(i), m.Row(i) + m.cols());
  };
  MatrixVisitor visit(prefix, write);
  Fields(visit, const_cast<Network&>(net));  // it changes nothing
  return net;
}

Network ReadNetwork(const TensorReader& tensors, const std::string& prefix, const Json& json,
                    size_t inputs) {
  Network net;
  try {
    json.get_to(net);
  } catch (const Error& e) {
    Fail(tensors.source, ": ", e.what());
  }
  const auto read = [&](const std::string& name, Mat& m, PartKind kind) {
    tensors.Read(name, kind == PartKind::kUsual ? 2 : 1, m);
  };
  MatrixVisitor visit(prefix, read);
  Fields(visit, net);
  Check(Fits(net, inputs, net.output.w.cols()), tensors.source,
        ": the tensors of a network are missing, or their shapes do not match");
  return net;
}

void AddDoubles(const std::string& name, const std::vector<double>& values, TensorFile& file) {
  file.tensors[name] = {"F64", {values.size()}, {}, values};
}

// Of each curve its column and its number of knots; then the knots and values of all of them.
constexpr char kCurveColumns[] = "features.curves.columns";
constexpr char kCurveSizes[] = "features.curves.sizes";
constexpr char kCurveKnots[] = "features.curves.knots";
constexpr char kCurveValues[] = "features.curves.values";

// Bounds of the values of a regression, if it has any.
constexpr char kLow[] = "targets.low", kHigh[] = "targets.high";

void WriteCurves(const std::vector<Curve>& curves, TensorFile& file) {
  if (curves.empty()) return;
  std::vector<double> columns, sizes, knots, values;
  for (const Curve& curve : curves) {
    columns.push_back(static_cast<double>(curve.column));
    sizes.push_back(static_cast<double>(curve.knots.size()));
    knots.insert(knots.end(), curve.knots.begin(), curve.knots.end());
    values.insert(values.end(), curve.values.begin(), curve.values.end());
  }
  AddDoubles(kCurveColumns, columns, file);
  AddDoubles(kCurveSizes, sizes, file);
  AddDoubles(kCurveKnots, knots, file);
  AddDoubles(kCurveValues, values, file);
}

std::vector<Curve> ReadCurves(size_t inputs, const TensorReader& read) {
  const size_t count = read.Size(kCurveColumns), total = read.Size(kCurveKnots);
  if (count == 0) return {};
  const std::vector<double> columns = read.Doubles(kCurveColumns, count);
  const std::vector<double> sizes = read.Doubles(kCurveSizes, count);
  const std::vector<double> knots = read.Doubles(kCurveKnots, total);
  const std::vector<double> values = read.Doubles(kCurveValues, total);
  std::vector<Curve> curves;
  size_t first = 0;
  double least = 0;  // column that may come next
  for (size_t k = 0; k < count; ++k) {
    const auto left = static_cast<double>(total - first);
    Check(columns[k] >= least && columns[k] < static_cast<double>(inputs) && sizes[k] >= 1 &&
              sizes[k] <= left && columns[k] == std::floor(columns[k]) &&
              sizes[k] == std::floor(sizes[k]),
          read.source, ": the curves of the features do not match");
    const auto size = static_cast<long>(sizes[k]);
    const auto knot = knots.begin() + static_cast<long>(first);
    const auto value = values.begin() + static_cast<long>(first);
    curves.push_back({static_cast<size_t>(columns[k]), {knot, knot + size}, {value, value + size}});
    first += static_cast<size_t>(size);
    least = columns[k] + 1;
  }
  Check(first == total, read.source, ": the curves of the features do not match");
  return curves;
}

ModelData ReadModel(const TensorFile& file, const std::string& source) {
  const TensorReader read(file, source);
  const auto text = [&](const char* key) -> const std::string& {
    const auto it = file.metadata.find(key);
    Check(it != file.metadata.end(), source, ": metadata '", key, "' is missing");
    return it->second;
  };
  const auto json = [&](const char* key) {
    Json value = ParseJson<Json>(text(key));
    Check(!value.is_discarded(), source, ": metadata '", key,
          "' is not JSON, or too deeply nested");
    return value;
  };
  ModelData model;
  model.algorithm = text("algorithm");
  model.parameters = json("parameters").get<std::map<std::string, std::string>>();
  model.task = ReadChoice<Task>("task", text("task"), source);
  model.classes = json("classes").get<std::vector<std::string>>();
  model.integer_classes = text("class_kind") == "integer";
  model.boolean_classes = text("class_kind") == "boolean";
  model.schema = json("schema").get<Schema>();
  SettleNames(model.schema);
  const size_t inputs = model.schema.features();
  model.features = {read.Doubles("features.mean", inputs), read.Doubles("features.scale", inputs),
                    ReadCurves(inputs, read)};
  if (text("format") == kFormat) {
    model.ensemble =
        ReadNetwork(read, "", {{"layers", json("layers")}, {"output", json("output")}}, inputs);
  } else {
    const Json members = json("members");
    Check(members.is_array() && !members.empty(), source, ": the model has no networks");
    model.ensemble.members.clear();
    for (const Json& info : members) {
      const std::string prefix = Join("members.", model.ensemble.members.size(), ".");
      model.ensemble.members.push_back(
          {ReadNetwork(read, prefix, info, inputs), info.at("weight").get<double>()});
    }
    model.ensemble.logits = text("average") == "probabilities";
  }
  // A network without layers is a linear model, which only accompanies others.
  Check(!model.ensemble.first().layers.empty(), source, ": the model has no layers");
  const size_t outputs = model.ensemble.outputs();
  if (model.task == Task::kClassification) {
    Check(model.classes.size() == outputs, source, ": ", model.classes.size(), " classes for ",
          outputs, " outputs");
    model.temperature = read.Doubles("output.temperature", 1)[0];
  } else {
    model.targets = {read.Doubles("targets.mean", outputs), read.Doubles("targets.scale", outputs)};
    if (read.Size(kLow) + read.Size(kHigh) > 0)
      model.bounds = {read.Doubles(kLow, outputs), read.Doubles(kHigh, outputs)};
    model.ensemble.bounds = Standardised(model.bounds, model.targets);
  }
  return model;
}

}  // namespace

ValueRange Standardised(const ValueRange& values, const Scaling& targets) {
  ValueRange outputs = values;
  for (size_t j = 0; j < values.low.size(); ++j) {
    const auto output = [&](double value) { return (value - targets.mean[j]) / targets.scale[j]; };
    // a file may hold a negative scale
    std::tie(outputs.low[j], outputs.high[j]) =
        std::minmax({output(values.low[j]), output(values.high[j])});
  }
  return outputs;
}

std::string SerializeModel(const ModelData& model) {
  TensorFile file;
  const bool classes = model.task == Task::kClassification;
  file.metadata = {{"format", kFormat},
                   {"algorithm", model.algorithm},
                   {"parameters", JsonText(Json(model.parameters))},
                   {"task", FormatValue(model.task)},
                   {"classes", JsonText(Json(model.classes))},
                   {"class_kind", model.integer_classes   ? "integer"
                                  : model.boolean_classes ? "boolean"
                                                          : "text"},
                   {"schema", JsonText(Json(model.schema))}};
  AddDoubles("features.mean", model.features.mean, file);
  AddDoubles("features.scale", model.features.scale, file);
  WriteCurves(model.features.curves, file);
  const std::vector<Member>& members = model.ensemble.members;
  if (members.size() == 1 && model.features.curves.empty()) {
    const Json info = WriteNetwork(model.network(), "", file);
    for (const auto& [part, value] : info.items()) file.metadata[part] = JsonText(value);
  } else {
    file.metadata["format"] = kEnsembleFormat;
    file.metadata["average"] = model.ensemble.logits ? "probabilities" : "outputs";
    Json infos = Json::array();
    for (const auto& [net, weight] : members) {
      infos.push_back(WriteNetwork(net, Join("members.", infos.size(), "."), file));
      infos.back()["weight"] = weight;
    }
    file.metadata["members"] = JsonText(infos);
  }
  if (classes) {
    AddDoubles("output.temperature", {model.temperature}, file);
  } else {
    AddDoubles("targets.mean", model.targets.mean, file);
    AddDoubles("targets.scale", model.targets.scale, file);
    if (!model.bounds.empty()) {
      AddDoubles(kLow, model.bounds.low, file);
      AddDoubles(kHigh, model.bounds.high, file);
    }
  }
  return Serialize(file);
}

ModelData ParseModel(std::string_view bytes, const std::string& source) {
  const TensorFile file = Parse(bytes, source);
  const auto format = file.metadata.find("format");
  Check(format != file.metadata.end() && format->second.starts_with("gopnet-"), source,
        ": not a gopnet model (a safetensors file without format ", kFormat, ")");
  Check(format->second == kFormat || format->second == kEnsembleFormat, source,
        ": unsupported model format ", Shown(format->second), "; this version reads ", kFormat,
        " and ", kEnsembleFormat);
  try {
    ModelData model = ReadModel(file, source);
    CheckModel(model, source);
    return model;
  } catch (const Json::exception& e) {
    Fail(source, ": damaged model metadata: ", e.what());
  }
}

}  // namespace gopnet
