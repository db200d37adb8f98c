// A model as a page that predicts in the browser. The arithmetic is that of web/engine.js, with the
// operators' formulas printed as JavaScript.
#include <nlohmann/json.hpp>
#include <set>

#include "base/check.h"
#include "base/checksum.h"
#include "base/parse_json.h"
#include "export/code.h"
#include "export/plan.h"
#include "export/templates.h"
#include "export/wire.h"
#include "gopnet/export.h"
#include "model/model_impl.h"

namespace gopnet {
namespace exporting {
namespace {

using Json = nlohmann::ordered_json;

std::string Base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
  }
  return text;
}

// `weights` gets those of all pieces as little-endian float32, one array after the other.
Json PieceJson(const Piece& piece, std::string& weights) {
  const auto add = [&](const Numbers& values) {  // where it begins; -1 if there are none
    const Json at = values.empty() ? Json(-1) : Json(weights.size() / sizeof(float));
    for (const double value : values) AppendRaw(static_cast<float>(value), &weights);
    return at;
  };
  Json json = {{"psi", nullptr},
               {"inputs", piece.inputs},
               {"units", piece.units},
               {"norm", piece.divide_by_norm},
               {"w", add(piece.w)},
               {"b", add(piece.b)},
               {"shift", add(piece.shift)},
               {"scale", add(piece.scale)},
               {"beta", add(piece.beta)}};
  if (!piece.phi) return json;
  json["psi"] = Names(*piece.phi)[0];
  json["terms"] = PoolTerms(piece.phi->pool);
  json["activation"] = Names(*piece.phi)[2];
  return json;
}

Json NetworksJson(const std::vector<Chain>& chains, std::string& weights) {
  Json networks = Json::array();
  for (const Chain& chain : chains) {
    Json stages = Json::array();
    for (const Stage& stage : chain.stages) {
      Json pieces = Json::array();
      for (const Piece& piece : stage.pieces) pieces.push_back(PieceJson(piece, weights));
      stages.push_back({{"pieces", pieces}, {"keeps_input", stage.keeps_input}});
    }
    networks.push_back({{"weight", chain.weight}, {"stages", stages}});
  }
  return networks;
}

Json ColumnJson(const Column& column, bool decimal_comma) {
  return {
      {"name", column.name},     {"text", IsText(column)},        {"categories", column.categories},
      {"other", column.other},   {"date", column.date},           {"hours", column.hours},
      {"offset", column.offset}, {"indicator", column.indicator}, {"features", column.features()},
      {"unit", column.unit},     {"comma", decimal_comma}};
}

Json ModelJson(const ModelData& model, const std::vector<Chain>& chains, const std::string& data) {
  Json json = {{"algorithm", model.algorithm},
               {"mean", model.features.mean},
               {"scale", model.features.scale},
               {"curves", Json::array()},
               {"columns", Json::array()},
               {"logits", model.ensemble.logits},
               {"named", model.schema.named},
               {"left_out", Json::array()},
               {"data", data}};
  for (const Column& c : model.schema.columns)
    json["columns"].push_back(ColumnJson(c, model.schema.decimal_comma));
  for (const LeftOut& c : model.schema.left_out) json["left_out"].push_back(c.name);
  for (const Curve& c : model.features.curves)
    json["curves"].push_back({{"column", c.column}, {"knots", c.knots}, {"values", c.values}});
  if (model.task == Task::kClassification) {
    json["classes"] = model.classes;
    json["target"] = model.schema.targets;
    json["temperature"] = model.temperature;
  } else {
    json["targets"] = TargetNames(model);
    json["target"] = json["targets"];
    json["target_scale"] = model.targets.scale;
    json["target_mean"] = model.targets.mean;
    json["low"] = model.bounds.low;
    json["high"] = model.bounds.high;
  }
  std::string weights;
  json["networks"] = NetworksJson(chains, weights);
  json["weights"] = Base64(weights);
  return json;
}

// const psi = {...}, activation = {...}: those that the networks use.
std::string Operators(const std::vector<Chain>& chains) {
  std::set<int> nodal, activations;
  for (const Chain& chain : chains) {
    for (const Stage& stage : chain.stages) {
      for (const Piece& piece : stage.pieces) {
        if (!piece.phi) continue;
        nodal.insert(piece.phi->nodal);
        activations.insert(piece.phi->activation);
      }
    }
  }
  std::string text = "const psi = {\n";
  for (const int i : nodal)
    text += Join(NodalNames()[static_cast<size_t>(i)], ": (y, w) => {\n",
                 FunctionBody(NodalFormula(i), {"y", "w"}, Language::kJavaScript), "},\n");
  text += "};\nconst activation = {\n";
  for (const int i : activations)
    text += Join(ActivationNames()[static_cast<size_t>(i)], ": x => {\n",
                 FunctionBody(ActivationFormula(i), {"x"}, Language::kJavaScript), "},\n");
  return text + "};\n";
}

}  // namespace
}  // namespace exporting

std::string ExportHtml(const Model& model, const std::string& data_name) {
  using namespace exporting;  // NOLINT: this is its entrance
  const std::vector<Chain> chains = Plan(model.impl().data.ensemble);
  const std::string data = JsonInScript(JsonText(ModelJson(model.impl().data, chains, data_name)));
  // The page runs only scripts and styles that carry this nonce. It depends on the whole model, so
  // no name in the model can contain it.
  return FilledIn(
      kModelTemplate,
      {{"{{NONCE}}", Checksum(data)}, {"{{OPERATORS}}", Operators(chains)}, {"{{DATA}}", data}});
}

}  // namespace gopnet
