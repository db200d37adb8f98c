// gopnet inspect: what a model or a run is.
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/json_file.h"
#include "cli/summary.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr size_t kMaxNames = 20;

// "3: a, b, c"; the names may be unknown
std::string Names(size_t count, const Words& names) {
  const std::string start = std::to_string(count) + (names.empty() ? "" : ": ");
  if (names.size() <= kMaxNames) return start + Join(names);
  return start + Join({names.begin(), names.begin() + kMaxNames}) + ", ...";
}

// What a layer hands on beside its neurons.
std::string Memory(const LayerInfo& layer) {
  if (layer.keeps_input) return "its input";
  return layer.memory_dims > 0 ? layer.memory + " " + std::to_string(layer.memory_dims) : "-";
}

// A row a block; the first one tells of the layer.
std::string Layers(const Model& model) {
  std::vector<Words> rows = {{"layer", "inputs", "units", "operator set", "memory"}};
  size_t number = 0;
  for (const LayerInfo& layer : model.layers()) {
    ++number;
    for (size_t j = 0; j < layer.blocks.size(); ++j) {
      const BlockInfo& block = layer.blocks[j];
      const std::string name =
          std::to_string(number) +
          (layer.blocks.size() > 1 ? "." + std::to_string(j + 1) : std::string());
      rows.push_back({name, std::to_string(layer.inputs), std::to_string(block.units),
                      OperatorSet(block.operator_set), j == 0 ? Memory(layer) : ""});
    }
  }
  const Words output = model.output_operator_set();
  if (!output.empty()) {
    rows.push_back({"output", std::to_string(model.layers().back().units),
                    std::to_string(model.outputs()), OperatorSet(output), "-"});
  }
  return Table(rows);
}

// The operator sets of a model, each once.
std::vector<Words> OperatorSets(const Model& model) {
  std::vector<Words> sets;
  for (const LayerInfo& layer : model.layers())
    for (const BlockInfo& block : layer.blocks) sets.push_back(block.operator_set);
  if (!model.output_operator_set().empty()) sets.push_back(model.output_operator_set());
  return sets;
}

// The formula of each operator that the model uses, once.
std::string Formulas(const std::vector<Words>& sets) {
  static const char* const kKinds[] = {"nodal", "pool", "activation"};
  std::vector<Words> rows = {{"operator", "kind", "formula"}};
  for (const OperatorInfo& op : Operators()) {
    const auto uses = [&](const Words& set) {
      for (size_t k = 0; k < set.size() && k < 3; ++k) {
        if (op.kind == kKinds[k] && op.name == set[k]) return true;
      }
      return false;
    };
    if (std::any_of(sets.begin(), sets.end(), uses)) rows.push_back({op.name, op.kind, op.formula});
  }
  return Table(rows);
}

std::string Describe(const Model& model, const std::string& file) {
  const bool classes = model.task() == Task::kClassification;
  std::string text = "model       " + file + " (" + Grouped(fs::file_size(file)) + " bytes)\n";
  text += "algorithm   " + model.algorithm() + "\n";
  text += std::string("task        ") + (classes ? "classification" : "regression") + "\n";
  text += "inputs      " + Names(model.inputs(), model.schema().FeatureNames()) + "\n";
  text += "outputs     " +
          Names(model.outputs(), classes ? model.classes() : model.schema().targets) + "\n";
  text += "parameters  " + Grouped(model.parameters()) + "\n\n";
  return text + Layers(model) + "\n" + Formulas(OperatorSets(model));
}

Json RunMetrics(const std::string& folder) {
  const fs::path file = fs::path(folder) / "metrics.json";
  if (!fs::is_directory(folder) || !fs::exists(file)) return nullptr;
  return ReadJsonFile<Json>(file.string());
}

std::string DescribeRun(const Json& run) {
  if (!run.is_object()) return "";
  std::map<std::string, Metrics> metrics;
  const Json sets = run.value("metrics", Json::object());
  for (const auto& [set, values] : sets.items()) {
    for (const auto& [name, value] : values.items()) {
      if (value.is_number()) metrics[set][name] = value.get<double>();
    }
  }
  const Json stopped = run.value("stopped", Json());
  return "\nstopped: " + (stopped.is_string() ? stopped.get<std::string>() : "") + "\n\n" +
         MetricsTable(metrics);
}

}  // namespace

void RunInspect(const Words& words) {
  Args args("inspect", "what a model or a run is", "gopnet inspect runs/first");
  std::string path;
  args.Positional("MODEL", &path, "A model.safetensors or a run folder.");
  if (!args.Parse(words)) return;
  const std::string file = ModelFile(path);
  const Model model = Model::Load(file);
  const Json run = RunMetrics(path);
  if (!args.json()) return Print(Describe(model, file) + DescribeRun(run));
  Json json = Json::parse(model.Json());
  if (run.is_object()) json["run"] = run;
  Print(json.dump(2) + "\n");
}

}  // namespace gopnet::cli
