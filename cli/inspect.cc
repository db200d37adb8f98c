// gopnet inspect: shows what a model or a run contains.
#include <unistd.h>

#include <filesystem>
#include <set>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/summary.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMaxNames = 20;

// "3: a, b, c", or "3" if the names are unknown.
std::string Names(size_t count, const Words& names) {
  return fmt::format("{}{}{}", count, names.empty() ? "" : ": ", JoinFirst(names, kMaxNames));
}

// The values that a layer passes on beside its neurons.
std::string Memory(const LayerInfo& layer) {
  if (layer.keeps_input) return "its input";
  return layer.memory_dims > 0 ? fmt::format("{} {}", layer.memory, layer.memory_dims) : "-";
}

// One row per block; the first row of a layer also shows its memory.
std::string Layers(const MemberInfo& member, size_t outputs) {
  if (member.layers.empty()) return "linear: no layers, only an output on the features\n";
  std::vector<Words> rows = {{"layer", "inputs", "units", "operator set", "memory"}};
  size_t number = 0;
  for (const LayerInfo& layer : member.layers) {
    ++number;
    for (size_t j = 0; j < layer.blocks.size(); ++j) {
      const BlockInfo& block = layer.blocks[j];
      const std::string name =
          layer.blocks.size() > 1 ? fmt::format("{}.{}", number, j + 1) : std::to_string(number);
      rows.push_back({name, std::to_string(layer.inputs), std::to_string(block.units),
                      OperatorSet(block.operator_set), j == 0 ? Memory(layer) : ""});
    }
  }
  const Words& output = member.output_operator_set;
  if (!output.empty()) {
    rows.push_back({"output", std::to_string(member.layers.back().units), std::to_string(outputs),
                    OperatorSet(output), "-"});
  }
  return Table(rows);
}

// The layers of each network and, if there are several, its weight.
std::string Networks(const Model& model) {
  const std::vector<MemberInfo> members = model.members();
  if (members.size() == 1) return Layers(members[0], model.outputs());
  std::string text;
  for (size_t m = 0; m < members.size(); ++m) {
    text +=
        fmt::format("{}network {} of {}, weight {}\n{}", m > 0 ? "\n" : "", m + 1, members.size(),
                    Fixed(members[m].weight, 4), Layers(members[m], model.outputs()));
  }
  return text;
}

// The formulas of the operators that the model uses.
std::string Formulas(const Model& model) {
  static const char* const kKinds[] = {"nodal", "pool", "activation"};
  std::set<Words> used;  // kind and name
  const auto use = [&](const Words& set) {
    for (size_t k = 0; k < set.size(); ++k) used.insert({kKinds[k], set[k]});
  };
  for (const MemberInfo& member : model.members()) {
    for (const LayerInfo& layer : member.layers)
      for (const BlockInfo& block : layer.blocks) use(block.operator_set);
    use(member.output_operator_set);
  }
  std::vector<Words> rows = {{"operator", "kind", "formula"}};
  for (const OperatorInfo& op : Operators())
    if (used.count({op.kind, op.name}) > 0) rows.push_back({op.name, op.kind, op.formula});
  return Table(rows);
}

// " (1,234 bytes)"; empty for a pipe.
std::string Size(const std::string& file) {
  std::error_code none;
  const auto bytes = std::filesystem::file_size(file, none);
  return none ? "" : fmt::format(" ({} bytes)", Grouped(bytes));
}

std::string Describe(const Model& model, const std::string& file) {
  const bool classes = model.task() == Task::kClassification;
  const std::string networks = Networks(model);
  return fmt::format(
      R"(model       {}{}
algorithm   {}
task        {}
inputs      {}
outputs     {}
parameters  {}

{}
{}{})",
      Printable(file), Size(file), model.algorithm(), classes ? "classification" : "regression",
      Names(model.inputs(), model.schema().FeatureNames()),
      Names(model.outputs(), classes ? model.classes() : model.schema().targets),
      Grouped(model.parameters()), networks, Formulas(model), AboutDog(networks));
}

std::string DescribeRun(const Json& run) {
  if (!run.is_object()) return "";
  const Json stopped = run.value("stopped", Json());
  return "\nstopped: " + (stopped.is_string() ? stopped.get<std::string>() : "") + "\n\n" +
         MetricsTable(MetricsOf(run));
}

// The charts of a run; empty if its files are not as training writes them.
std::string Charts(const std::string& path) try {
  if (!Holds(path, "config.json")) return "";  // a model file
  return RunCharts(ReportData(path), TerminalWidth(STDOUT_FILENO));
} catch (const std::exception&) {
  return "";
}

}  // namespace

void RunInspect(const Words& words) {
  Args args("inspect", "gopnet inspect runs/first");
  std::string path;
  args.Positional("MODEL", &path, "A run folder or a model.safetensors file.");
  if (!args.Parse(words)) return;
  const bool stopped = Holds(path, "config.json") && !Holds(path, "model.safetensors");
  const std::string file = stopped && Holds(path, "checkpoint.safetensors")
                               ? InFolder(path, "checkpoint.safetensors")
                               : ModelFile(path);
  const Model model = Model::Load(file);
  const Json run =
      Holds(path, "metrics.json") ? ReadJsonFile(InFolder(path, "metrics.json")) : Json();
  const std::string state = stopped ? fmt::format(
                                          "not finished; continue with: gopnet resume {}\n"
                                          "The best network so far:\n\n",
                                          ShellQuoted(path))
                                    : "";
  if (!args.json()) return Print(state + Describe(model, file) + DescribeRun(run) + Charts(path));
  Json json = ParseJson(model.Json());
  if (stopped) json["finished"] = false;
  if (run.is_object()) json["run"] = run;
  PrintJson(json, 2);
}

}  // namespace gopnet::cli
