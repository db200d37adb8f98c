// The ONNX graph of a model. No ZipMap: its sequence of maps cannot be read in JavaScript, on
// phones and by servers.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/parse_json.h"
#include "export/onnx_graph.h"
#include "export/plan.h"
#include "gopnet/export.h"
#include "kernels/elementwise.h"
#include "model/model_impl.h"

namespace gopnet {
namespace exporting {
namespace {

// Rows x inputs x units numbers would fill the memory: inputs are taken a few at a time, so many
// that inputs x units stays below this.
constexpr size_t kMostSynapses = 200;
constexpr size_t kLeastInputs = 4;

// Products of `terms` neighbours along axis 1, of which `value` has `inputs`.
Name NeighbourProducts(const Name& value, size_t inputs, size_t terms, Graph& g) {
  if (terms < 2) return value;
  const size_t count = inputs - terms + 1;
  Name product = g.Columns(value, 0, count);
  for (size_t t = 1; t < terms; ++t) product = g.Node("Mul", {product, g.Columns(value, t, count)});
  return product;
}

// psi = w q: sums of products of neighbours are a matrix product of neighbours' q and w.
Name PooledProducts(const Piece& piece, size_t terms, const Name& x, Graph& g) {
  const Name q = g.Apply(NodalInputFormula(piece.phi->nodal), {x});
  const size_t count = piece.inputs - terms + 1;
  Numbers w(piece.w.begin(), piece.w.begin() + static_cast<std::ptrdiff_t>(count * piece.units));
  for (size_t t = 1; t < terms; ++t)
    for (size_t i = 0; i < w.size(); ++i) w[i] *= piece.w[i + t * piece.units];
  const Name products = NeighbourProducts(q, piece.inputs, terms, g);
  return g.Node("MatMul", {products, g.Real({count, piece.units}, w)});
}

// rho over the terms that begin with `count` inputs from the first on; x is [rows, inputs, 1].
Name PooledChunk(const Piece& piece, const Formula& psi, size_t terms, size_t first, size_t count,
                 const Name& x, Graph& g) {
  const size_t inputs = count + std::max<size_t>(terms, 1) - 1;
  const auto begin = piece.w.begin() + static_cast<std::ptrdiff_t>(first * piece.units);
  const Numbers w(begin, begin + static_cast<std::ptrdiff_t>(inputs * piece.units));
  const Name z = g.Apply(psi, {g.Columns(x, first, inputs), g.Real({inputs, piece.units}, w)});
  if (terms == 0)
    return g.Node("ReduceMax", {z}, {IntsAttribute("axes", {1}), IntAttribute("keepdims", 0)});
  return g.Node("ReduceSum", {NeighbourProducts(z, inputs, terms, g), g.Ints({1})},
                {IntAttribute("keepdims", 0)});
}

Name PooledInChunks(const Piece& piece, size_t terms, const Name& x, Graph& g) {
  const Formula psi = NodalFormula(piece.phi->nodal);
  const Name columns = g.Node("Unsqueeze", {x, g.Ints({2})});
  const size_t all = piece.inputs - std::max<size_t>(terms, 1) + 1;
  const size_t step = std::max(kLeastInputs, kMostSynapses / piece.units);
  const char* const join = terms == 0 ? "Max" : "Add";
  Name pooled, last;
  for (size_t first = 0; first < all; first += step) {
    const Name chunk =
        PooledChunk(piece, psi, terms, first, std::min(step, all - first), columns, g);
    // One chunk later than it could be: of two inputs ONNX Runtime computes first the one that is
    // listed later, and would otherwise keep all chunks to the end.
    if (!last.empty()) pooled = pooled.empty() ? last : g.Node(join, {pooled, last});
    last = chunk;
  }
  return pooled.empty() ? last : g.Node(join, {pooled, last});
}

Name DividedByNorm(const Name& pooled, Graph& g) {
  const Name squares = g.Node("ReduceSum", {g.Node("Mul", {pooled, pooled}), g.Ints({1})});
  return g.Node("Div", {pooled, g.Node("Add", {g.Node("Sqrt", {squares}), g.Real(1e-6)})});
}

Name Gops(const Piece& piece, const Name& x, Graph& g) {
  const auto terms = static_cast<size_t>(PoolTerms(piece.phi->pool));
  const bool products = terms > 0 && IsSeparable(piece.phi->nodal);
  Name p = products ? PooledProducts(piece, terms, x, g) : PooledInChunks(piece, terms, x, g);
  if (piece.divide_by_norm) p = DividedByNorm(p, g);
  p = g.Node("Clip", {p, g.Real(-kPooledClip), g.Real(kPooledClip)});
  p = g.Node("Add", {p, g.Real({1, piece.units}, piece.b)});
  Name a = g.Apply(ActivationFormula(piece.phi->activation), {p});
  if (piece.scale.empty()) return a;
  a = g.Node("Sub", {a, g.Real({1, piece.units}, piece.shift)});
  a = g.Node("Mul", {a, g.Real({1, piece.units}, piece.scale)});
  return g.Node("Add", {a, g.Real({1, piece.units}, piece.beta)});
}

Name Linear(const Piece& piece, Name x, Graph& g) {
  if (!piece.shift.empty()) x = g.Node("Sub", {x, g.Real({1, piece.inputs}, piece.shift)});
  const Name y = g.Node("MatMul", {x, g.Real({piece.inputs, piece.units}, piece.w)});
  return g.Node("Add", {y, g.Real({1, piece.units}, piece.b)});
}

Name Outputs(const Chain& chain, Name x, Graph& g) {
  for (const Stage& stage : chain.stages) {
    std::vector<Name> columns;
    for (const Piece& piece : stage.pieces)
      columns.push_back(piece.phi ? Gops(piece, x, g) : Linear(piece, x, g));
    if (stage.keeps_input) columns.push_back(x);
    x = g.Concat(columns);
  }
  return x;
}

Name Softmax(const Name& x, Graph& g) { return g.Node("Softmax", {x}, {IntAttribute("axis", 1)}); }

Name Bounded(const ValueRange& bounds, Type type, const Name& y, Graph& g) {
  if (bounds.empty()) return y;
  const Shape shape = {1, bounds.low.size()};
  const Name least = g.Node("Max", {y, g.Constant(type, shape, bounds.low)});
  return g.Node("Min", {least, g.Constant(type, shape, bounds.high)});
}

Name Average(const Ensemble& ensemble, const Name& x, Graph& g) {
  const std::vector<Chain> chains = Plan(ensemble);
  const auto outputs = [&](const Chain& chain) {
    return Bounded(ensemble.bounds, g.real(), Outputs(chain, x, g), g);
  };
  if (chains.size() == 1) return outputs(chains[0]);
  Name sum;
  for (const Chain& chain : chains) {
    Name y = outputs(chain);
    if (ensemble.logits) y = Softmax(y, g);
    y = g.Node("Mul", {y, g.Real(chain.weight)});
    sum = sum.empty() ? y : g.Node("Add", {sum, y});
  }
  return ensemble.logits ? g.Node("Log", {g.Node("Max", {sum, g.Real(1e-30)})}) : sum;
}

void OutputClasses(const ModelData& model, Name y, Graph& g) {
  const size_t classes = model.classes.size();
  const Name p = Softmax(g.Node("Mul", {y, g.Real(model.temperature)}), g);
  const Name best = g.Node("ArgMax", {p}, {IntAttribute("axis", 1), IntAttribute("keepdims", 0)});
  std::vector<int64_t> numbers;
  for (const std::string& label : model.classes)
    if (model.integer_classes) numbers.push_back(std::stoll(label));
  const Name names = model.integer_classes ? g.Ints(numbers) : g.Strings(model.classes);
  g.Output("label", g.Node("Gather", {names, best}),
           model.integer_classes ? Type::kInt64 : Type::kString, 0);
  g.Output("probabilities", p, g.real(), classes);
}

void OutputValues(const ModelData& model, Name y, Graph& g) {
  const size_t targets = model.targets.mean.size();
  const Type d = Type::kDouble;
  y = g.Node("Mul", {g.Cast(y, d), g.Constant(d, {1, targets}, model.targets.scale)});
  y = g.Node("Add", {y, g.Constant(d, {1, targets}, model.targets.mean)});
  y = Bounded(model.bounds, d, y, g);
  const Type type = HasFarTargets(model) ? d : g.real();
  g.Output("prediction", g.Cast(y, type), type, targets);
}

using Metadata = std::vector<std::pair<std::string, std::string>>;

Metadata Describe(const ModelData& model) {
  const std::vector<std::string> features = model.schema.FeatureNames();
  std::vector<std::string> names, numbers, meanings;  // of the columns, and of those of x
  for (const Column& column : model.schema.columns) {
    names.push_back(column.name);
    std::ranges::copy(NumberMeanings(column, column.unit), std::back_inserter(meanings));
  }
  for (const size_t place : NumberPlaces(model)) numbers.push_back(features[place]);
  Metadata metadata = {{"gopnet_version", GOPNET_VERSION},
                       {"algorithm", model.algorithm},
                       {"columns", JsonText(nlohmann::ordered_json(names))},
                       {"x", JsonText(nlohmann::ordered_json(numbers))},
                       {"x_meaning", JsonText(nlohmann::ordered_json(meanings))},
                       {"features", JsonText(nlohmann::ordered_json(features))}};
  if (model.task == Task::kClassification)
    metadata.emplace_back("classes", JsonText(nlohmann::ordered_json(model.classes)));
  else
    metadata.emplace_back("targets", JsonText(nlohmann::ordered_json(TargetNames(model))));
  return metadata;
}

}  // namespace
}  // namespace exporting

std::string ExportOnnx(const Model& model, bool double_precision) {
  using namespace exporting;  // NOLINT: this is its entrance
  constexpr size_t kMostBytes = (size_t{1} << 31) - 1;
  const ModelData& data = model.impl().data;
  Graph g(double_precision ? Type::kDouble : Type::kFloat);
  const Name y = Average(data.ensemble, ScaledFeatures(data, g), g);
  if (data.task == Task::kClassification)
    OutputClasses(data, y, g);
  else
    OutputValues(data, y, g);
  std::string bytes = g.Serialize(Describe(data));
  Check(bytes.size() <= kMostBytes, "export: the ONNX model would have ", bytes.size(),
        " bytes; the format allows ", kMostBytes);
  return bytes;
}

}  // namespace gopnet
