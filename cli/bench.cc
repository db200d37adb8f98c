// gopnet bench: measures the speed of the kernels, of a search and of a model on this CPU.
#include <fstream>
#include <optional>

#include "cli/commands.h"
#include "cli/json.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

using Pair = std::pair<std::string, std::string>;  // nodal, pool
constexpr size_t kPredictRows = 4096;
constexpr int kMax = 1000000000;

// The options as text and, after Validate, their values.
struct Plan {
  std::string shape_text = "600,100,40,14", batch_size = "64", pair_list, epochs_text = "300";
  std::string threads_text = "0", model_path, simd;
  bool no_pairs = false, search = false;
  BenchShape shape = {};
  std::vector<Pair> pairs = {};
  int epochs = 0, threads = 0;
  std::optional<Model> model = {};
};

struct Results {
  PeakSpeed peak;
  std::vector<PairSpeed> pairs;
  std::optional<SearchSpeed> search;
  std::optional<PredictSpeed> predict;
};

void Declare(Args& args, Plan& plan) {
  args.Option(
      "shape", &plan.shape_text, "N,K,M,C",
      "Rows, inputs, units and classes of the random data. Default: " + plan.shape_text + ".");
  args.Option("batch_size", &plan.batch_size, "N",
              "Rows per gradient step. Default: " + plan.batch_size + ".");
  args.Option("pairs", &plan.pair_list, "LIST",
              "Operator pairs nodal/pool, e.g. exponential/sum,dog/maximum. Default: all.");
  args.Flag("no_pairs", &plan.no_pairs, "Skip the kernels.");
  args.Flag("search", &plan.search,
            "Also measure an exhaustive search for one layer, which trains every operator set to "
            "the end.");
  args.Option("epochs", &plan.epochs_text, "N",
              "Epochs per candidate of --search. Default: " + plan.epochs_text + ".");
  args.Option("threads", &plan.threads_text, "N",
              "Number of threads for --search; 0 uses all cores. Default: 0.");
  args.Option("model", &plan.model_path, "FILE",
              "Measure the prediction of this model or run folder instead of the kernels.");
  args.Option("simd", &plan.simd, "NAME", "Use this instruction set: " + Join(SimdTargets()) + ".");
}

BenchShape Shape(const Plan& plan) {
  const Words parts = Split(plan.shape_text, ',');
  if (parts.size() != 4)
    Fail("--shape: must be N,K,M,C (rows, inputs, units and classes); got '{}'", plan.shape_text);
  BenchShape shape;
  int* const sizes[] = {&shape.rows, &shape.inputs, &shape.units, &shape.classes};
  for (size_t i = 0; i < 4; ++i) *sizes[i] = Count("--shape", parts[i], 1, kMax);
  shape.batch_size = Count("--batch-size", plan.batch_size, 1, kMax);
  shape.Check();
  return shape;
}

Words OperatorNames(const std::string& kind) {
  Words names;
  for (const OperatorInfo& op : Operators())
    if (op.kind == kind) names.push_back(op.name);
  return names;
}

void CheckName(const std::string& kind, const std::string& name) {
  const Words known = OperatorNames(kind);
  if (!Contains(known, name))
    Fail("--pairs: unknown {} operator '{}'{}; choose from {}", kind, name, Hint(name, known),
         Join(known));
}

Pair ParsePair(const std::string& text) {
  const Words names = Split(text, '/');
  if (names.size() != 2) Fail("--pairs: must be nodal/pool, e.g. exponential/sum; got '{}'", text);
  CheckName("nodal", names[0]);
  CheckName("pool", names[1]);
  return {names[0], names[1]};
}

std::vector<Pair> Pairs(const Plan& plan) {
  std::vector<Pair> pairs;
  const bool none = plan.no_pairs || !plan.model_path.empty();
  if (!plan.pair_list.empty()) {
    if (none) Fail("--pairs cannot be used with --{}", plan.no_pairs ? "no-pairs" : "model");
    for (const std::string& text : Split(plan.pair_list, ',')) pairs.push_back(ParsePair(text));
  } else if (!none) {
    for (const std::string& nodal : OperatorNames("nodal"))
      for (const std::string& pool : OperatorNames("pool")) pairs.emplace_back(nodal, pool);
  }
  return pairs;
}

// Checks all options before anything is measured.
void Validate(Plan& plan) {
  plan.shape = Shape(plan);
  plan.pairs = Pairs(plan);
  plan.epochs = Count("--epochs", plan.epochs_text, 1, 1000000);
  plan.threads = Count("--threads", plan.threads_text, 0, 4096);
  if (!plan.model_path.empty()) plan.model = Model::Load(ModelFile(plan.model_path));
  if (!plan.simd.empty()) UseSimd(plan.simd);
}

Results Measure(const Plan& plan, bool quiet) {
  const auto note = [&](const std::string& line) {
    if (!quiet) Note(line);
  };
  Results found;
  found.peak = MeasurePeak();
  for (const auto& [nodal, pool] : plan.pairs) {
    note(fmt::format("[ {}/{} ]  {}/{}", found.pairs.size() + 1, plan.pairs.size(), nodal, pool));
    found.pairs.push_back(MeasurePair(nodal, pool, plan.shape, found.peak));
  }
  if (plan.search) {
    note("measuring an exhaustive search of one layer");
    found.search = MeasureSearch(plan.shape, plan.epochs, plan.threads);
  }
  if (plan.model) {
    note("measuring prediction");
    found.predict = MeasurePrediction(*plan.model, kPredictRows);
  }
  return found;
}

std::string CpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "unknown";
}

std::vector<int> Units(const Model& model) {
  std::vector<int> units;
  for (const LayerInfo& layer : model.layers()) units.push_back(layer.units);
  return units;
}

// "popmem-o model: 4 inputs, 40 + 40 units, 3 outputs, 12,345 parameters"
std::string ModelShape(const Model& model) {
  const Words units = Mapped(Units(model), [](int count) { return std::to_string(count); });
  const size_t networks = model.members().size();
  return fmt::format("{} model: {} inputs, {} units{}, {} outputs, {} parameters",
                     model.algorithm(), model.inputs(), Join(units, " + "),
                     networks > 1 ? fmt::format(" in the first of {} networks", networks) : "",
                     model.outputs(), Grouped(model.parameters()));
}

std::string ShapeText(const BenchShape& shape) {
  return fmt::format("; {} rows, {} inputs, {} units, {} classes, batches of {}", shape.rows,
                     shape.inputs, shape.units, shape.classes, shape.batch_size);
}

std::string PairsTable(const std::vector<PairSpeed>& pairs) {
  std::vector<Words> rows = {
      {"nodal", "pool", "forward", "% of bound", "forward+dW", "% of bound", "ms/epoch"}};
  for (const PairSpeed& p : pairs) {
    rows.push_back({p.nodal, p.pool, Fixed(1e-9 * p.forward, 3),
                    Fixed(100 * p.forward / p.bound_forward, 0), Fixed(1e-9 * p.forward_dw, 3),
                    Fixed(100 * p.forward_dw / p.bound_forward_dw, 0), Fixed(p.epoch_ms, 3)});
  }
  return "\n" + Table(rows) +
         "forward, forward+dW: 10^9 nodal evaluations per second on one thread\n";
}

std::string Text(const Plan& plan, const Results& found) {
  const bool only_model = plan.model && found.pairs.empty() && !found.search;
  std::string text = fmt::format("{}, {}, peak {:.1f} GFLOP/s{}\n", CpuName(), UseSimd(),
                                 2e-9 * found.peak.fma, only_model ? "" : ShapeText(plan.shape));
  if (!found.pairs.empty()) text += PairsTable(found.pairs);
  if (found.search) {
    const SearchSpeed& s = *found.search;
    text += fmt::format("\nexhaustive search: {} operator sets, epochs {}, threads {}: {:.2f} s\n",
                        s.candidates, s.epochs, s.threads, s.seconds);
  }
  if (found.predict) {
    const PredictSpeed& p = *found.predict;
    text +=
        fmt::format("\n{}\nprediction: {} rows/s ({} rows at once); {:.2f} us for a single row\n",
                    ModelShape(*plan.model), Grouped(static_cast<size_t>(p.rows_per_second)),
                    p.rows, p.row_microseconds);
  }
  return text;
}

Json PairJson(const PairSpeed& p) {
  return {{"nodal", p.nodal},
          {"pool", p.pool},
          {"forward", p.forward},
          {"forward_dw", p.forward_dw},
          {"bound_forward", p.bound_forward},
          {"bound_forward_dw", p.bound_forward_dw},
          {"share_forward", p.forward / p.bound_forward},
          {"share_forward_dw", p.forward_dw / p.bound_forward_dw},
          {"instructions_forward", p.instructions_forward},
          {"instructions_forward_dw", p.instructions_forward_dw},
          {"epoch_ms", p.epoch_ms}};
}

Json ToJson(const Plan& plan, const Results& found) {
  const BenchShape& shape = plan.shape;
  Json json = {{"version", Version()}, {"simd", UseSimd()}, {"cpu", CpuName()}, {"threads", 1}};
  json["shape"] = {{"rows", shape.rows},
                   {"inputs", shape.inputs},
                   {"units", shape.units},
                   {"classes", shape.classes},
                   {"batch_size", shape.batch_size}};
  json["peak"] = {{"fma", found.peak.fma}, {"mixed", found.peak.mixed}};
  if (!found.pairs.empty()) json["pairs"] = Json::array();
  for (const PairSpeed& pair : found.pairs) json["pairs"].push_back(PairJson(pair));
  if (found.search) {
    json["search"] = {{"search", "exhaustive"},
                      {"candidates", found.search->candidates},
                      {"epochs", found.search->epochs},
                      {"threads", found.search->threads},
                      {"seconds", found.search->seconds}};
  }
  if (found.predict) {
    json["model"] = {{"algorithm", plan.model->algorithm()},
                     {"inputs", plan.model->inputs()},
                     {"units", Units(*plan.model)},
                     {"outputs", plan.model->outputs()},
                     {"networks", plan.model->members().size()},
                     {"parameters", plan.model->parameters()}};
    json["predict"] = {{"rows", found.predict->rows},
                       {"rows_per_second", found.predict->rows_per_second},
                       {"row_microseconds", found.predict->row_microseconds}};
  }
  return json;
}

}  // namespace

void RunBench(const Words& words) {
  Args args("bench", "gopnet bench --shape 600,100,40,14 --pairs exponential/sum --search");
  Plan plan;
  Declare(args, plan);
  if (!args.Parse(words)) return;
  Validate(plan);
  const Results found = Measure(plan, args.quiet());
  args.json() ? PrintJson(ToJson(plan, found), 2) : Print(Text(plan, found));
}

}  // namespace gopnet::cli
