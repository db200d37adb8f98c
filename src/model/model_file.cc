#include "model/model_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/parse_json.h"
#include "data/field.h"
#include "model/safetensors.h"
#include "model/schema_json.h"

namespace gopnet {
namespace {

using Json = nlohmann::json;
constexpr char kFormat[] = "gopnet-2";          // of one network, features not bent
constexpr char kEnsembleFormat[] = "gopnet-3";  // of any number, bent or not

Tensor FromMat(const Mat& m, bool vector = false) {
  Tensor t;
  t.shape = vector ? std::vector<size_t>{m.cols()} : std::vector<size_t>{m.rows(), m.cols()};
  for (size_t i = 0; i < m.rows(); ++i) t.f32.insert(t.f32.end(), m.Row(i), m.Row(i) + m.cols());
  return t;
}

Tensor FromDoubles(const std::vector<double>& values) {
  Tensor t;
  t.dtype = "F64";
  t.shape = {values.size()};
  t.f64 = values;
  return t;
}

// Calls use(name, vector) for what a block has one number a neuron of.
template <class BlockType, class Use>
void ForEachVector(BlockType& b, const Use& use) {
  use("bias", b.b);
  if (b.norm != Norm::kBatch) return;
  use("gamma", b.gamma);
  use("beta", b.beta);
  use("mean", b.mean);
  use("variance", b.variance);
}

void WriteBlock(const Block& b, const std::string& prefix, TensorFile& file) {
  file.tensors[prefix + "weight"] = FromMat(b.w);
  ForEachVector(b, [&](const char* name, const Mat& vector) {
    file.tensors[prefix + name] = FromMat(vector, true);
  });
}

void WriteLayer(const Layer& layer, const std::string& prefix, TensorFile& file) {
  for (size_t j = 0; j < layer.blocks.size(); ++j)
    WriteBlock(layer.blocks[j], Join(prefix, "blocks.", j, "."), file);
  if (!layer.memory) return;
  const Projection& g = *layer.memory;
  file.tensors[prefix + "memory.mean"] = FromMat(g.mean, true);
  file.tensors[prefix + "memory.inverse_scale"] = FromMat(g.inverse_scale, true);
  file.tensors[prefix + "memory.projection"] = FromMat(g.p);
  file.tensors[prefix + "memory.bias"] = FromMat(g.bias, true);
}

Json LayersJson(const Network& net) {
  Json layers = Json::array();
  for (const Layer& layer : net.layers) {
    Json item{{"blocks", Json::array()}, {"memory", nullptr}, {"keeps_input", layer.keeps_input}};
    for (const Block& block : layer.blocks) {
      item["blocks"].push_back({{"units", block.units()},
                                {"operator_set", Names(block.phi)},
                                {"norm", NormName(block.norm)}});
    }
    if (layer.memory)
      item["memory"] = {{"type", layer.memory->type}, {"dims", layer.memory->dims()}};
    layers.push_back(item);
  }
  return layers;
}

void WriteNetwork(const Network& net, const std::string& prefix, TensorFile& file) {
  for (size_t k = 0; k < net.layers.size(); ++k)
    WriteLayer(net.layers[k], Join(prefix, "layers.", k, "."), file);
  file.tensors[prefix + "output.weight"] = FromMat(net.output.w);
  file.tensors[prefix + "output.bias"] = FromMat(net.output.b, true);
}

// The operator set of the output layer; null if it is linear.
Json OutputJson(const OutputLayer& output) {
  return output.phi ? Json(Names(*output.phi)) : Json();
}

Json MembersJson(const Ensemble& ensemble) {
  Json members = Json::array();
  for (const Member& member : ensemble.members) {
    members.push_back({{"weight", member.weight},
                       {"layers", LayersJson(member.network)},
                       {"output", OutputJson(member.network.output)}});
  }
  return members;
}

// Reads tensors by name, checking the shape that the metadata promise.
class TensorReader {
 public:
  TensorReader(const TensorFile& file, const std::string& source) : file_(file), source_(source) {}

  Mat Matrix(const std::string& name, size_t rows, size_t cols) const {
    const Tensor& t = Find(name, "F32", rows * cols);
    Check(t.shape.size() != 2 || (t.shape[0] == rows && t.shape[1] == cols), source_, ": tensor ",
          name, " has another shape than ", rows, " x ", cols);
    Mat m(rows, cols);
    for (size_t i = 0; i < rows; ++i) std::copy_n(t.f32.data() + i * cols, cols, m.Row(i));
    return m;
  }
  std::vector<double> Doubles(const std::string& name, size_t size) const {
    return Find(name, "F64", size).f64;
  }
  size_t Size(const std::string& name) const {  // 0 if it is not there
    const auto it = file_.tensors.find(name);
    return it == file_.tensors.end() ? 0 : it->second.f32.size() + it->second.f64.size();
  }
  size_t Columns(const std::string& name) const {
    const auto it = file_.tensors.find(name);
    Check(it != file_.tensors.end() && it->second.shape.size() == 2, source_, ": tensor ", name,
          " is missing");
    return it->second.shape[1];
  }

 private:
  const Tensor& Find(const std::string& name, const char* dtype, size_t size) const {
    const auto it = file_.tensors.find(name);
    Check(it != file_.tensors.end(), source_, ": tensor ", name, " is missing");
    const size_t found = it->second.f32.size() + it->second.f64.size();
    Check(it->second.dtype == dtype && found == size, source_, ": tensor ", name, " has ", found,
          " ", it->second.dtype, " numbers, ", size, " ", dtype, " are wanted");
    for (const float v : it->second.f32) CheckNumber(name, static_cast<double>(v), kLargestWeight);
    for (const double v : it->second.f64) CheckNumber(name, v, kLargestScale);
    return it->second;
  }
  // Larger ones overflow as soon as they are used: training, which takes numbers up to 1e37, never
  // gives any. Scales and knots of curves fit a float, as exports need it.
  static constexpr double kLargestWeight = 1e30, kLargestScale = 3e38;
  void CheckNumber(const std::string& name, double v, double most) const {
    Check(std::isfinite(v), source_, ": tensor ", name, " holds NaN or inf");
    Check(std::fabs(v) <= most, source_, ": tensor ", name, " holds ", v, ", at most ", most,
          " is wanted");
  }
  const TensorFile& file_;
  const std::string& source_;
};

OperatorSet ReadOperators(const Json& names, size_t inputs, const std::string& source) {
  auto texts = names.get<std::vector<std::string>>();
  for (std::string& text : texts) text = Shown(text);  // safe to print, should the name be unknown
  const OperatorSet phi = OperatorSetFromNames(texts, source);
  Check(static_cast<size_t>(PoolTerms(phi.pool)) <= inputs, source,
        ": a correlation of more inputs than ", inputs);
  return phi;
}

Norm ReadNorm(const std::string& name, const std::string& source) {
  for (const Norm norm : {Norm::kBatch, Norm::kNone, Norm::kRow})
    if (name == NormName(norm)) return norm;
  Fail(source, ": unknown norm '", Shown(name), "'");
}

Block ReadBlock(const Json& info, const std::string& prefix, size_t inputs,
                const TensorReader& read, const std::string& source) {
  Block b;
  const size_t units = read.Columns(prefix + "weight");
  Check(units > 0, source, ": a block without neurons");
  b.phi = ReadOperators(info.at("operator_set"), inputs, source);
  b.norm = ReadNorm(info.at("norm").get<std::string>(), source);
  b.w = read.Matrix(prefix + "weight", inputs, units);
  ForEachVector(
      b, [&](const char* name, Mat& vector) { vector = read.Matrix(prefix + name, 1, units); });
  return b;
}

Layer ReadLayer(const Json& info, const std::string& prefix, size_t inputs,
                const TensorReader& read, const std::string& source) {
  Layer layer;
  const Json& blocks = info.at("blocks");
  Check(blocks.is_array() && !blocks.empty(), source, ": a layer without blocks");
  for (size_t j = 0; j < blocks.size(); ++j) {
    layer.blocks.push_back(
        ReadBlock(blocks[j], Join(prefix, "blocks.", j, "."), inputs, read, source));
  }
  layer.keeps_input = info.at("keeps_input").get<bool>();
  if (info.at("memory").is_null()) return layer;
  Projection g;
  g.type = info.at("memory").at("type").get<std::string>();
  const size_t dims = read.Columns(prefix + "memory.projection");
  g.mean = read.Matrix(prefix + "memory.mean", 1, inputs);
  g.inverse_scale = read.Matrix(prefix + "memory.inverse_scale", 1, inputs);
  g.p = read.Matrix(prefix + "memory.projection", inputs, dims);
  g.bias = read.Matrix(prefix + "memory.bias", 1, dims);
  layer.memory = std::move(g);
  return layer;
}

Network ReadNetwork(const Json& layers, const Json& output, const std::string& prefix,
                    size_t inputs, const TensorReader& read, const std::string& source) {
  Network net;
  size_t width = inputs;
  for (size_t k = 0; k < layers.size(); ++k) {
    net.layers.push_back(
        ReadLayer(layers[k], Join(prefix, "layers.", k, "."), width, read, source));
    width = net.layers.back().outputs();
  }
  Check(width > 0, source, ": a network without inputs");
  const size_t outputs = read.Columns(prefix + "output.weight");
  net.output = {read.Matrix(prefix + "output.weight", width, outputs),
                read.Matrix(prefix + "output.bias", 1, outputs)};
  if (!output.is_null()) net.output.phi = ReadOperators(output, width, source);
  return net;
}

Ensemble ReadMembers(const Json& members, size_t inputs, const TensorReader& read,
                     const std::string& source) {
  Ensemble ensemble;
  Check(members.is_array() && !members.empty(), source, ": the model has no networks");
  for (size_t m = 0; m < members.size(); ++m) {
    const Json& info = members[m];
    ensemble.members.push_back({ReadNetwork(info.at("layers"), info.at("output"),
                                            Join("members.", m, "."), inputs, read, source),
                                info.at("weight").get<double>()});
  }
  return ensemble;
}

// Of each curve its column and its number of knots; then the knots and values of all of them.
constexpr char kCurveColumns[] = "features.curves.columns";
constexpr char kCurveSizes[] = "features.curves.sizes";
constexpr char kCurveKnots[] = "features.curves.knots";
constexpr char kCurveValues[] = "features.curves.values";

void WriteCurves(const std::vector<Curve>& curves, TensorFile& file) {
  if (curves.empty()) return;
  std::vector<double> columns, sizes, knots, values;
  for (const Curve& curve : curves) {
    columns.push_back(static_cast<double>(curve.column));
    sizes.push_back(static_cast<double>(curve.knots.size()));
    knots.insert(knots.end(), curve.knots.begin(), curve.knots.end());
    values.insert(values.end(), curve.values.begin(), curve.values.end());
  }
  file.tensors[kCurveColumns] = FromDoubles(columns);
  file.tensors[kCurveSizes] = FromDoubles(sizes);
  file.tensors[kCurveKnots] = FromDoubles(knots);
  file.tensors[kCurveValues] = FromDoubles(values);
}

std::vector<Curve> ReadCurves(size_t inputs, const TensorReader& read, const std::string& source) {
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
          source, ": the curves of its features do not fit together");
    const auto size = static_cast<long>(sizes[k]);
    const auto knot = knots.begin() + static_cast<long>(first);
    const auto value = values.begin() + static_cast<long>(first);
    curves.push_back({static_cast<size_t>(columns[k]), {knot, knot + size}, {value, value + size}});
    first += static_cast<size_t>(size);
    least = columns[k] + 1;
  }
  Check(first == total, source, ": the curves of its features do not fit together");
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
  const std::string task = text("task");
  Check(task == "classification" || task == "regression", source, ": unknown task '", Shown(task),
        "'");
  model.task = task == "classification" ? Task::kClassification : Task::kRegression;
  model.classes = json("classes").get<std::vector<std::string>>();
  model.integer_classes = text("class_kind") == "integer";
  model.boolean_classes = text("class_kind") == "boolean";
  model.schema = ReadSchema(json("schema"));
  SettleNames(model.schema);
  const size_t inputs = model.schema.features();
  model.features = {read.Doubles("features.mean", inputs), read.Doubles("features.scale", inputs),
                    ReadCurves(inputs, read, source)};
  if (text("format") == kFormat) {
    model.ensemble = ReadNetwork(json("layers"), json("output"), "", inputs, read, source);
  } else {
    model.ensemble = ReadMembers(json("members"), inputs, read, source);
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
  }
  return model;
}

}  // namespace

std::string SerializeModel(const ModelData& model) {
  TensorFile file;
  const bool classes = model.task == Task::kClassification;
  file.metadata = {{"format", kFormat},
                   {"algorithm", model.algorithm},
                   {"parameters", JsonText(Json(model.parameters))},
                   {"task", classes ? "classification" : "regression"},
                   {"classes", JsonText(Json(model.classes))},
                   {"class_kind", model.integer_classes   ? "integer"
                                  : model.boolean_classes ? "boolean"
                                                          : "text"},
                   {"schema", JsonText(SchemaJson(model.schema))}};
  file.tensors["features.mean"] = FromDoubles(model.features.mean);
  file.tensors["features.scale"] = FromDoubles(model.features.scale);
  WriteCurves(model.features.curves, file);
  const std::vector<Member>& members = model.ensemble.members;
  if (members.size() == 1 && model.features.curves.empty()) {
    file.metadata["layers"] = JsonText(LayersJson(model.network()));
    file.metadata["output"] = JsonText(OutputJson(model.network().output));
    WriteNetwork(model.network(), "", file);
  } else {
    file.metadata["format"] = kEnsembleFormat;
    file.metadata["average"] = model.ensemble.logits ? "probabilities" : "outputs";
    file.metadata["members"] = JsonText(MembersJson(model.ensemble));
    for (size_t m = 0; m < members.size(); ++m)
      WriteNetwork(members[m].network, Join("members.", m, "."), file);
  }
  if (classes) {
    file.tensors["output.temperature"] = FromDoubles({model.temperature});
  } else {
    file.tensors["targets.mean"] = FromDoubles(model.targets.mean);
    file.tensors["targets.scale"] = FromDoubles(model.targets.scale);
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
