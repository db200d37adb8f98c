// A model as a C99 file and its header: math.h only, no allocation, constants in flash.
#include <algorithm>
#include <cctype>

#include "base/check.h"
#include "data/field.h"
#include "export/c_parts.h"
#include "export/code.h"
#include "gopnet/export.h"
#include "model/model_impl.h"

namespace gopnet {
namespace exporting {
namespace {

void CheckPrefix(const std::string& prefix) {
  const auto letter = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  const bool good = !prefix.empty() && std::ranges::all_of(prefix, letter) &&
                    !std::isdigit(static_cast<unsigned char>(prefix[0]));
  Check(good, "export: a C identifier cannot start with '", prefix,
        "'; use letters, digits and _, and do not start with a digit");
}

void CheckHeaderName(const std::string& name) {
  const bool good = !name.empty() && std::ranges::none_of(name, [](unsigned char c) {
    return c < ' ' || c == '"' || c == '\\';
  });
  Check(good, "export: the name of the header '", Shown(name), "' cannot stand in an #include");
}

constexpr char kBend[] =
    R"(static float bend(double x, const double* knots, const float* values, int n) {
  int k = 0;
  while (k < n && knots[k] <= x) ++k;
  if (k == 0) return values[0];
  if (k == n) return values[n - 1];
  return (float)(values[k - 1] + (x - knots[k - 1]) / (knots[k] - knots[k - 1]) * (values[k] - values[k - 1]));
}
)";

constexpr char kSoftmax[] = R"(static void softmax(float* y, int n) {
  float most = y[0], sum = 0.0f;
  int j;
  for (j = 1; j < n; ++j) most = fmaxf(most, y[j]);
  for (j = 0; j < n; ++j) sum += y[j] = expf(y[j] - most);
  for (j = 0; j < n; ++j) y[j] /= sum;
}
)";

const char* InputType(const ModelData& model) { return HasFarInputs(model) ? "double" : "float"; }
const char* OutputType(const ModelData& model) { return HasFarTargets(model) ? "double" : "float"; }

// static int scale(const float* x, float* z), false for a number that prediction refuses. In
// double: a mean may be large beside the spread around it.
std::string ScaleFunction(const ModelData& model, CParts& c) {
  const Scaling& s = model.features;
  std::string code = c.Table("mean", s.mean, false) + c.Table("deviation", s.scale, false);
  const bool far = HasFarInputs(model);
  if (far) code += c.Table("offset", Offsets(model), false);
  const auto raw = [&](const std::string& id) {
    return far ? Join("(float)(x[", id, "] - offset[", id, "])") : Join("x[", id, "]");
  };
  std::string bends;
  for (const Curve& curve : s.curves) {
    const std::string id = std::to_string(curve.column);
    code += c.Table("knots_" + id, curve.knots, false) + c.Table("values_" + id, curve.values);
    bends += Join("  if (!isnan(x[", id, "])) z[", id, "] = bend(", raw(id), ", knots_", id,
                  ", values_", id, ", ", curve.knots.size(), ");\n");
  }
  if (!bends.empty()) code += kBend;
  return code + Join("static int scale(const ", InputType(model),
                     "* x, float* z) {\n  int j;\n  for (j = 0; j < ", s.mean.size(),
                     "; ++j) {\n    const float raw = ", raw("j"),
                     ";\n    const double y = (raw - mean[j]) / deviation[j];\n",
                     "    if (isinf(raw)) return 0;\n",
                     "    z[j] = isnan(raw) ? 0.0f : (float)fmin(fmax(y, -10.0), 10.0);\n  }\n",
                     bends, "  return 1;\n}\n");
}

std::string ForOutputs(size_t outputs, const std::string& what) {
  return Join("  for (j = 0; j < ", outputs, "; ++j) ", what, "\n");
}

std::string BoundFunction(const ModelData& model, CParts& c) {
  const ValueRange& outputs = model.ensemble.bounds;
  if (outputs.empty()) return "";
  return c.Table("target_low", model.bounds.low, false) +
         c.Table("target_high", model.bounds.high, false) + c.Table("low", outputs.low) +
         c.Table("high", outputs.high) + "static void bound(float* y) {\n  int j;\n" +
         ForOutputs(outputs.low.size(), "y[j] = fminf(fmaxf(y[j], low[j]), high[j]);") + "}\n";
}

// From z, the scaled features, to the array y: logits or standardised values.
std::string AverageCode(const Ensemble& ensemble, const std::vector<Chain>& chains,
                        const std::string& y) {
  const auto bound = [&](const std::string& array) {
    return ensemble.bounds.empty() ? "" : "  bound(" + array + ");\n";
  };
  if (chains.size() == 1) return Join("  network0(z, ", y, ");\n", bound(y));
  const size_t n = ensemble.outputs();
  std::string code = ForOutputs(n, y + "[j] = 0.0f;");
  for (size_t m = 0; m < chains.size(); ++m) {
    code += Join("  network", m, "(z, part);\n", bound("part"));
    if (ensemble.logits) code += Join("  softmax(part, ", n, ");\n");
    code += ForOutputs(n, Join(y, "[j] += ", Literal(chains[m].weight, true), " * part[j];"));
  }
  if (ensemble.logits) code += ForOutputs(n, Join(y, "[j] = logf(fmaxf(", y, "[j], 1e-30f));"));
  return code;
}

std::string FinishCode(const ModelData& model, const std::string& y) {
  const size_t n = model.ensemble.outputs();
  if (model.task == Task::kRegression) {
    const std::string value = y + "[j] * target_scale[j] + target_mean[j]";
    const std::string cut = "fmin(fmax(" + value + ", target_low[j]), target_high[j])";
    return ForOutputs(n, Join("out[j] = (", OutputType(model), ")(",
                              model.bounds.empty() ? value : cut, ");")) +
           "  return 0;\n";
  }
  return ForOutputs(n, Join("out[j] *= ", Literal(model.temperature, true), ";")) +
         Join("  softmax(out, ", n, ");\n") + ForOutputs(n, "if (out[j] > out[best]) best = j;") +
         "  return best;\n";
}

std::string NameList(const std::string& prefix, const ModelData& model, const char* end) {
  const bool classes = model.task == Task::kClassification;
  return Join("const char* const ", prefix, classes ? "_classes" : "_targets", "[",
              model.ensemble.outputs(), "]", end);
}

// The names of classes or targets, in ASCII. C99 promises no string literals of more than 4095
// characters: longer names are arrays of characters.
std::string Names(const std::string& prefix, const ModelData& model,
                  const std::vector<std::string>& names) {
  constexpr size_t kLongest = 4095;
  std::string arrays, list;
  for (size_t j = 0; j < names.size(); ++j) {
    const bool fits = names[j].size() <= kLongest;
    const std::string array = Join("long_name_", j);
    if (!fits)
      arrays += Join("static const char ", array, "[] = ", CharactersForC(names[j]), ";\n");
    list +=
        Join("\n    ", fits ? QuotedForC(names[j]) : array, j + 1 < names.size() ? "," : "};\n\n");
  }
  return arrays + NameList(prefix, model, " = {") + list;
}

std::string PredictFunction(const ModelData& model, const std::string& prefix,
                            const std::vector<Chain>& chains, CParts& c) {
  const size_t outputs = model.ensemble.outputs();
  const std::string y = HasFarTargets(model) ? "y" : "out";
  std::string arrays = Join("  float z[", model.features.mean.size(), "]");
  c.AddRam(model.features.mean.size());
  for (const char* name : {y == "y" ? "y" : "", chains.size() > 1 ? "part" : ""}) {
    if (*name == 0) continue;
    arrays += Join(", ", name, "[", outputs, "]");
    c.AddRam(outputs);
  }
  return Join("int ", prefix, "_predict(const ", InputType(model), "* x, ", OutputType(model),
              "* out) {\n", arrays, ";\n  int j",
              model.task == Task::kClassification ? ", best = 0" : "",
              ";\n  if (!scale(x, z)) return -1;\n", AverageCode(model.ensemble, chains, y),
              FinishCode(model, y), "}\n");
}

std::string Source(const ModelData& model, const std::string& prefix, const std::string& header,
                   CParts& c) {
  const bool classes = model.task == Task::kClassification;
  const std::vector<Chain> chains = Plan(model.ensemble);
  std::string code = Join("/* Written by gopnet ", GOPNET_VERSION, ". */\n#include ", "\"", header,
                          "\"\n\n#include <math.h>\n\n",
                          Names(prefix, model, classes ? model.classes : TargetNames(model)));
  for (size_t m = 0; m < chains.size(); ++m)
    code += c.Network(Join("network", m), chains[m]) + "\n";
  code += ScaleFunction(model, c);
  if (classes) code += kSoftmax;
  if (!classes)
    code += c.Table("target_scale", model.targets.scale, false) +
            c.Table("target_mean", model.targets.mean, false) + BoundFunction(model, c);
  return code + "\n" + PredictFunction(model, prefix, chains, c);
}

// What a feature is, beyond its name.
std::vector<std::string> Meanings(const ModelData& model) {
  std::vector<std::string> meanings;
  for (const Column& column : model.schema.columns) {
    for (const std::string& words : NumberMeanings(column, QuotedForC(column.unit)))
      meanings.push_back(words.empty() ? "" : ", " + words);
    for (size_t k = 0; k < column.categories.size(); ++k) meanings.emplace_back(", 1 or 0");
    if (column.other) meanings.emplace_back(", 1 for any other text, or 0");
    if (column.indicator)
      meanings.emplace_back(", 1 if the value is missing (then the feature above is NaN), or 0");
  }
  return meanings;
}

std::string Header(const ModelData& model, const std::string& prefix, const Costs& costs) {
  const bool classes = model.task == Task::kClassification;
  std::string guard = prefix + "_H";
  for (char& c : guard) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text =
      Join("/* A network trained by gopnet ", GOPNET_VERSION, " (", model.algorithm, ").\n *\n",
           " * flash       ", costs.flash, " bytes of constants, and the code\n", " * RAM         ",
           costs.ram, " bytes of arrays, all on the stack; nothing is allocated\n",
           " * operations  ", costs.operations, " per row; a call such as expf counts as one\n",
           " *\n * x holds the features, unscaled as in the training data; NaN means missing:\n");
  const std::vector<std::string> features = model.schema.FeatureNames();
  const std::vector<std::string> meanings = Meanings(model);
  for (size_t j = 0; j < features.size(); ++j)
    text += Join(" *   x[", j, "]  ", QuotedForC(features[j]), meanings[j], "\n");
  text += Join(" */\n#ifndef ", guard, "\n#define ", guard, "\n\n",
               "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", "enum { ", prefix,
               "_inputs = ", features.size(), ", ", prefix, "_outputs = ", model.ensemble.outputs(),
               " };\n\n");
  text += classes
              ? "/* Writes the class probabilities to out. Returns the index of the likeliest class"
              : "/* Writes the predicted targets to out. Returns 0";
  text += Join(", or -1\n * if x contains an infinity. Safe to call from any thread. */\n", "int ",
               prefix, "_predict(const ", InputType(model), "* x, ", OutputType(model),
               "* out);\n\nextern ", NameList(prefix, model, ";\n\n"),
               "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
  return text;
}

}  // namespace
}  // namespace exporting

CFiles ExportC(const Model& model, const std::string& prefix, const std::string& header_name) {
  exporting::CheckPrefix(prefix);
  exporting::CheckHeaderName(header_name);
  exporting::CParts parts;
  CFiles files;
  files.source = exporting::Source(model.impl().data, prefix, header_name, parts);
  files.header = exporting::Header(model.impl().data, prefix, parts.costs());
  return files;
}

}  // namespace gopnet
