#include "io/model_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/parse_json.h"
#include "data/field.h"
#include "io/check_model.h"
#include "io/safetensors.h"

namespace gopnet {
namespace {

using Json = nlohmann::json;
constexpr char kFormat[] = "gopnet-2";

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

void WriteBlock(const Block& b, const std::string& prefix, TensorFile& file) {
  file.tensors[prefix + "weight"] = FromMat(b.w);
  file.tensors[prefix + "bias"] = FromMat(b.b, true);
  if (b.norm != Norm::kBatch) return;
  file.tensors[prefix + "gamma"] = FromMat(b.gamma, true);
  file.tensors[prefix + "beta"] = FromMat(b.beta, true);
  file.tensors[prefix + "mean"] = FromMat(b.mean, true);
  file.tensors[prefix + "variance"] = FromMat(b.variance, true);
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

// The operator set of the output layer; null if it is linear.
Json OutputJson(const OutputLayer& output) {
  return output.phi ? Json(Names(*output.phi)) : Json();
}

Json SchemaJson(const Schema& schema) {
  Json columns = Json::array();
  for (const Column& c : schema.columns)
    columns.push_back({{"name", c.name}, {"categories", c.categories}});
  return {{"columns", columns},
          {"targets", schema.targets},
          {"named", schema.named},
          {"fill_missing", schema.fill_missing}};
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
    for (const float v : it->second.f32)
      Check(std::isfinite(v), source_, ": tensor ", name, " holds NaN or inf");
    for (const double v : it->second.f64)
      Check(std::isfinite(v), source_, ": tensor ", name, " holds NaN or inf");
    return it->second;
  }
  const TensorFile& file_;
  const std::string& source_;
};

OperatorSet ReadOperators(const Json& names, size_t inputs, const std::string& source) {
  auto texts = names.get<std::vector<std::string>>();
  for (std::string& text : texts) text = Shown(text);  // for the message, if it is unknown
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
  b.b = read.Matrix(prefix + "bias", 1, units);
  if (b.norm != Norm::kBatch) return b;
  b.gamma = read.Matrix(prefix + "gamma", 1, units);
  b.beta = read.Matrix(prefix + "beta", 1, units);
  b.mean = read.Matrix(prefix + "mean", 1, units);
  b.variance = read.Matrix(prefix + "variance", 1, units);
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

Schema ReadSchema(const Json& json) {
  Schema schema;
  for (const Json& column : json.at("columns")) {
    schema.columns.push_back({column.at("name").get<std::string>(),
                              column.at("categories").get<std::vector<std::string>>()});
  }
  schema.targets = json.at("targets").get<std::vector<std::string>>();
  schema.named = json.at("named").get<bool>();
  schema.fill_missing = json.at("fill_missing").get<bool>();
  return schema;
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
  model.schema = ReadSchema(json("schema"));
  const size_t inputs = model.schema.features();
  model.features = {read.Doubles("features.mean", inputs), read.Doubles("features.scale", inputs)};
  size_t width = inputs;
  const Json layers = json("layers");
  for (size_t k = 0; k < layers.size(); ++k) {
    const std::string prefix = Join("layers.", k, ".");
    model.network.layers.push_back(ReadLayer(layers[k], prefix, width, read, source));
    width = model.network.layers.back().outputs();
  }
  Check(!model.network.layers.empty() && width > 0, source, ": the model has no layers");
  const size_t outputs = read.Columns("output.weight");
  model.network.output = {read.Matrix("output.weight", width, outputs),
                          read.Matrix("output.bias", 1, outputs)};
  const Json operators = json("output");
  if (!operators.is_null()) model.network.output.phi = ReadOperators(operators, width, source);
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

void Scaling::Apply(const float* row, float* out) const {
  for (size_t j = 0; j < mean.size(); ++j) {
    const double z = (static_cast<double>(row[j]) - mean[j]) / scale[j];
    out[j] = std::isnan(z) ? 0.0f : static_cast<float>(std::clamp(z, -10.0, 10.0));
  }
}

std::string SerializeModel(const ModelData& model) {
  TensorFile file;
  const bool classes = model.task == Task::kClassification;
  file.metadata = {{"format", kFormat},
                   {"algorithm", model.algorithm},
                   {"parameters", Json(model.parameters).dump()},
                   {"task", classes ? "classification" : "regression"},
                   {"classes", Json(model.classes).dump()},
                   {"class_kind", model.integer_classes ? "integer" : "text"},
                   {"schema", SchemaJson(model.schema).dump()},
                   {"layers", LayersJson(model.network).dump()},
                   {"output", OutputJson(model.network.output).dump()}};
  file.tensors["features.mean"] = FromDoubles(model.features.mean);
  file.tensors["features.scale"] = FromDoubles(model.features.scale);
  for (size_t k = 0; k < model.network.layers.size(); ++k) {
    WriteLayer(model.network.layers[k], Join("layers.", k, "."), file);
  }
  file.tensors["output.weight"] = FromMat(model.network.output.w);
  file.tensors["output.bias"] = FromMat(model.network.output.b, true);
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
  Check(format->second == kFormat, source, ": a model of format ", Shown(format->second),
        ", this version reads ", kFormat);
  try {
    ModelData model = ReadModel(file, source);
    CheckModel(model, source);
    return model;
  } catch (const Json::exception& e) {
    Fail(source, ": broken model metadata: ", e.what());
  }
}

}  // namespace gopnet
