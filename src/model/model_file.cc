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

namespace gopnet {
namespace {

using Json = nlohmann::json;
constexpr char kFormat[] = "gopnet-2";          // of one network, features not bent
constexpr char kEnsembleFormat[] = "gopnet-3";  // of any number, bent or not

// Tensors by name, into a file.
class TensorWriter {
 public:
  explicit TensorWriter(TensorFile& file) : file_(file) {}
  const std::string source = "model";

  size_t Matrix(const std::string& name, const Mat& m, size_t /*rows*/) const {
    file_.tensors[name] = {"F32", {m.rows(), m.cols()}, Numbers(m), {}};
    return m.cols();
  }
  void Vector(const std::string& name, const Mat& m, size_t /*size*/) const {
    file_.tensors[name] = {"F32", {m.cols()}, Numbers(m), {}};
  }
  void Doubles(const std::string& name, const std::vector<double>& values) const {
    file_.tensors[name] = {"F64", {values.size()}, {}, values};
  }

 private:
  static std::vector<float> Numbers(const Mat& m) {
    std::vector<float> numbers;
    for (size_t i = 0; i < m.rows(); ++i)
      numbers.insert(numbers.end(), m.Row(i), m.Row(i) + m.cols());
    return numbers;
  }
  TensorFile& file_;
};

// And out of it, checking the shape that the metadata promise.
class TensorReader {
 public:
  TensorReader(const TensorFile& file, const std::string& from) : source(from), file_(file) {}
  const std::string& source;

  // Returns the number of its columns, which only the file knows.
  size_t Matrix(const std::string& name, Mat& m, size_t rows) const {
    const auto it = file_.tensors.find(name);
    Check(it != file_.tensors.end() && it->second.shape.size() == 2, source, ": tensor ", name,
          " is missing");
    const size_t cols = it->second.shape[1];
    Fill(name, rows, cols, m);
    return cols;
  }
  void Vector(const std::string& name, Mat& m, size_t size) const { Fill(name, 1, size, m); }
  std::vector<double> Doubles(const std::string& name, size_t size) const {
    return Find(name, "F64", size).f64;
  }
  size_t Size(const std::string& name) const {  // 0 if it is not there
    const auto it = file_.tensors.find(name);
    return it == file_.tensors.end() ? 0 : it->second.f32.size() + it->second.f64.size();
  }

 private:
  void Fill(const std::string& name, size_t rows, size_t cols, Mat& m) const {
    const Tensor& t = Find(name, "F32", rows * cols);
    Check(t.shape.size() != 2 || (t.shape[0] == rows && t.shape[1] == cols), source, ": tensor ",
          name, " must have shape ", rows, " x ", cols);
    m = Mat(rows, cols);
    for (size_t i = 0; i < rows; ++i) std::copy_n(t.f32.data() + i * cols, cols, m.Row(i));
  }
  const Tensor& Find(const std::string& name, const char* dtype, size_t size) const {
    const auto it = file_.tensors.find(name);
    Check(it != file_.tensors.end(), source, ": tensor ", name, " is missing");
    const size_t found = it->second.f32.size() + it->second.f64.size();
    Check(it->second.dtype == dtype && found == size, source, ": tensor ", name, " has ", found,
          " ", it->second.dtype, " numbers; expected ", size, " ", dtype);
    for (const float v : it->second.f32) CheckNumber(name, static_cast<double>(v), kLargestWeight);
    for (const double v : it->second.f64) CheckNumber(name, v, kLargestScale);
    return it->second;
  }
  // Larger ones overflow as soon as they are used: training, which takes numbers up to 1e37, never
  // gives any. Scales and knots of curves fit a float, as exports need it.
  static constexpr double kLargestWeight = 1e30, kLargestScale = 3e38;
  void CheckNumber(const std::string& name, double v, double most) const {
    Check(std::isfinite(v), source, ": tensor ", name, " holds NaN or inf");
    Check(std::fabs(v) <= most, source, ": tensor ", name, " holds ", v, "; the limit is ", most);
  }
  const TensorFile& file_;
};

void CheckTerms(const OperatorSet& phi, size_t inputs, const std::string& source) {
  Check(static_cast<size_t>(PoolTerms(phi.pool)) <= inputs, source,
        ": a correlation of more inputs than ", inputs);
}

// The tensors of a network, listed once for both directions. One that is read has what
// ReadNetwork gives it.
template <class Tensors, class BlockType>
void VisitBlock(const Tensors& tensors, const std::string& prefix, size_t inputs, BlockType& b) {
  const size_t units = tensors.Matrix(prefix + "weight", b.w, inputs);
  Check(units > 0, tensors.source, ": a block without neurons");
  CheckTerms(b.phi, inputs, tensors.source);
  tensors.Vector(prefix + "bias", b.b, units);
  if (b.norm != Norm::kBatch) return;
  tensors.Vector(prefix + "gamma", b.gamma, units);
  tensors.Vector(prefix + "beta", b.beta, units);
  tensors.Vector(prefix + "mean", b.mean, units);
  tensors.Vector(prefix + "variance", b.variance, units);
}

template <class Tensors, class NetworkType>
void VisitNetwork(const Tensors& tensors, const std::string& prefix, size_t inputs,
                  NetworkType& net) {
  size_t width = inputs;
  for (size_t k = 0; k < net.layers.size(); ++k) {
    auto& [blocks, memory, keeps_input] = net.layers[k];
    const std::string layer = Join(prefix, "layers.", k, ".");
    for (size_t j = 0; j < blocks.size(); ++j)
      VisitBlock(tensors, Join(layer, "blocks.", j, "."), width, blocks[j]);
    if (memory) {
      const size_t dims = tensors.Matrix(layer + "memory.projection", memory->p, width);
      tensors.Vector(layer + "memory.mean", memory->mean, width);
      tensors.Vector(layer + "memory.inverse_scale", memory->inverse_scale, width);
      tensors.Vector(layer + "memory.bias", memory->bias, dims);
    }
    width = net.layers[k].outputs();
  }
  Check(width > 0, tensors.source, ": a network without inputs");
  const size_t outputs = tensors.Matrix(prefix + "output.weight", net.output.w, width);
  tensors.Vector(prefix + "output.bias", net.output.b, outputs);
  if (net.output.phi) CheckTerms(*net.output.phi, width, tensors.source);
}

// All of a network but its tensors: its layers, and the operator set of its output layer, null if
// that is linear.
Json NetworkJson(const Network& net) {
  Json layers = Json::array();
  for (const Layer& layer : net.layers) {
    Json item{{"blocks", Json::array()}, {"memory", nullptr}, {"keeps_input", layer.keeps_input}};
    for (const Block& block : layer.blocks) {
      item["blocks"].push_back({{"units", block.units()},
                                {"operator_set", Names(block.phi)},
                                {"norm", FormatValue(block.norm)}});
    }
    if (layer.memory)
      item["memory"] = {{"type", layer.memory->type}, {"dims", layer.memory->dims()}};
    layers.push_back(item);
  }
  return {{"layers", layers}, {"output", net.output.phi ? Json(Names(*net.output.phi)) : Json()}};
}

OperatorSet ReadOperators(const Json& names, const std::string& source) {
  auto texts = names.get<std::vector<std::string>>();
  for (std::string& text : texts) text = Shown(text);  // safe to print, should the name be unknown
  return OperatorSetFromNames(texts, source);
}

template <Choice T>
T ReadChoice(const char* what, const std::string& name, const std::string& source) {
  const std::vector<std::string> names = ChoiceNames(T());
  const auto it = std::ranges::find(names, name);
  Check(it != names.end(), source, ": unknown ", what, " '", Shown(name), "'");
  return static_cast<T>(it - names.begin());
}

Network ReadNetwork(const Json& info, const std::string& source) {
  Network net;
  for (const Json& item : info.at("layers")) {
    Layer& layer = net.layers.emplace_back();
    const Json &blocks = item.at("blocks"), &memory = item.at("memory");
    Check(blocks.is_array() && !blocks.empty(), source, ": a layer without blocks");
    for (const Json& block : blocks) {
      layer.blocks.emplace_back().phi = ReadOperators(block.at("operator_set"), source);
      layer.blocks.back().norm =
          ReadChoice<Norm>("norm", block.at("norm").get<std::string>(), source);
    }
    layer.keeps_input = item.at("keeps_input").get<bool>();
    if (!memory.is_null()) layer.memory.emplace().type = memory.at("type").get<std::string>();
  }
  const Json& output = info.at("output");
  if (!output.is_null()) net.output.phi = ReadOperators(output, source);
  return net;
}

// Of each curve its column and its number of knots; then the knots and values of all of them.
constexpr char kCurveColumns[] = "features.curves.columns";
constexpr char kCurveSizes[] = "features.curves.sizes";
constexpr char kCurveKnots[] = "features.curves.knots";
constexpr char kCurveValues[] = "features.curves.values";

// Bounds of the values of a regression, if it has any.
constexpr char kLow[] = "targets.low", kHigh[] = "targets.high";

void WriteCurves(const std::vector<Curve>& curves, const TensorWriter& tensors) {
  if (curves.empty()) return;
  std::vector<double> columns, sizes, knots, values;
  for (const Curve& curve : curves) {
    columns.push_back(static_cast<double>(curve.column));
    sizes.push_back(static_cast<double>(curve.knots.size()));
    knots.insert(knots.end(), curve.knots.begin(), curve.knots.end());
    values.insert(values.end(), curve.values.begin(), curve.values.end());
  }
  tensors.Doubles(kCurveColumns, columns);
  tensors.Doubles(kCurveSizes, sizes);
  tensors.Doubles(kCurveKnots, knots);
  tensors.Doubles(kCurveValues, values);
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
          read.source, ": the curves of its features do not fit together");
    const auto size = static_cast<long>(sizes[k]);
    const auto knot = knots.begin() + static_cast<long>(first);
    const auto value = values.begin() + static_cast<long>(first);
    curves.push_back({static_cast<size_t>(columns[k]), {knot, knot + size}, {value, value + size}});
    first += static_cast<size_t>(size);
    least = columns[k] + 1;
  }
  Check(first == total, read.source, ": the curves of its features do not fit together");
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
    Check(!value.is_discarded(), source, ": metadata '", key, "' is not JSON, or nested too deep");
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
    Network net = ReadNetwork({{"layers", json("layers")}, {"output", json("output")}}, source);
    VisitNetwork(read, "", inputs, net);
    model.ensemble = std::move(net);
  } else {
    const Json members = json("members");
    Check(members.is_array() && !members.empty(), source, ": the model has no networks");
    model.ensemble.members.clear();
    for (const Json& info : members) {
      const std::string prefix = Join("members.", model.ensemble.members.size(), ".");
      Network net = ReadNetwork(info, source);
      VisitNetwork(read, prefix, inputs, net);
      model.ensemble.members.push_back({std::move(net), info.at("weight").get<double>()});
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
  const TensorWriter write(file);
  write.Doubles("features.mean", model.features.mean);
  write.Doubles("features.scale", model.features.scale);
  WriteCurves(model.features.curves, write);
  const std::vector<Member>& members = model.ensemble.members;
  const size_t inputs = model.features.mean.size();
  if (members.size() == 1 && model.features.curves.empty()) {
    const Json info = NetworkJson(model.network());
    for (const char* part : {"layers", "output"}) file.metadata[part] = JsonText(info.at(part));
    VisitNetwork(write, "", inputs, model.network());
  } else {
    file.metadata["format"] = kEnsembleFormat;
    file.metadata["average"] = model.ensemble.logits ? "probabilities" : "outputs";
    Json infos = Json::array();
    for (const auto& [net, weight] : members) {
      VisitNetwork(write, Join("members.", infos.size(), "."), inputs, net);
      infos.push_back(NetworkJson(net));
      infos.back()["weight"] = weight;
    }
    file.metadata["members"] = JsonText(infos);
  }
  if (classes) {
    write.Doubles("output.temperature", {model.temperature});
  } else {
    write.Doubles("targets.mean", model.targets.mean);
    write.Doubles("targets.scale", model.targets.scale);
    if (!model.bounds.empty()) {
      write.Doubles(kLow, model.bounds.low);
      write.Doubles(kHigh, model.bounds.high);
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
        ": a model of format ", Shown(format->second), ", this version reads ", kFormat, " and ",
        kEnsembleFormat);
  try {
    ModelData model = ReadModel(file, source);
    CheckModel(model, source);
    return model;
  } catch (const Json::exception& e) {
    Fail(source, ": broken model metadata: ", e.what());
  }
}

}  // namespace gopnet
