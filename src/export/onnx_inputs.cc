// What an ONNX graph does before the network: texts to categories, blanks, scaling.
#include <algorithm>
#include <limits>
#include <numeric>

#include "export/onnx_graph.h"
#include "export/plan.h"

namespace gopnet::exporting {
namespace {

constexpr int64_t kUnknown = -1, kBlank = -2;  // instead of a category's number
constexpr char kMachineLearning[] = "ai.onnx.ml";

// A column's name, unless the graph has another use for it.
Name FreeName(Name name, const std::vector<Column>& columns) {
  const auto taken = [&](const Name& n) {
    return n.empty() || n == "x" || n == "label" || n == "probabilities" || n == "prediction" ||
           n.starts_with(kInternal);
  };
  const auto of_column = [&](const Name& n) {
    return std::ranges::find(columns, n, &Column::name) != columns.end();
  };
  if (!taken(name)) return name;
  do name = "column_" + name;
  while (of_column(name));
  return name;
}

// [rows, 1] texts to [rows, features] zeros and ones; blanks to NaN.
Name OneHot(const Name& text, const Column& column, Graph& g) {
  const std::vector<std::string>& categories = column.categories;
  std::vector<int64_t> numbers(categories.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<std::string> keys = categories;
  std::vector<int64_t> values = numbers;
  if (column.other) numbers.push_back(kUnknown);
  for (const char* blank : {"", "?", "NA", "nan", "NaN", "NAN"}) {
    if (std::ranges::find(categories, blank) != categories.end()) continue;
    keys.push_back(blank);
    values.push_back(kBlank);
  }
  const Name number =
      g.Node("LabelEncoder", {text},
             {StringsAttribute("keys_strings", keys), IntsAttribute("values_int64s", values),
              IntAttribute("default_int64", kUnknown)},
             kMachineLearning);
  const Name hot = g.Cast(g.Node("Equal", {number, g.Ints(numbers)}), g.real());
  const Name nan = g.Real({1}, {std::numeric_limits<double>::quiet_NaN()});
  const Name blank = g.Node("Equal", {number, g.Ints({kBlank})});
  const Name known = g.Node("Where", {blank, nan, hot});
  return column.indicator ? g.Concat({known, g.Cast(blank, g.real())}) : known;
}

// The input x, less the offsets.
Name NumberInput(const ModelData& model, const std::vector<size_t>& places, Graph& g) {
  const size_t columns = places.size();
  if (!HasFarInputs(model)) return g.Input("x", g.real(), columns);
  const Numbers all = Offsets(model);
  Numbers offsets;
  for (const size_t place : places) offsets.push_back(all[place]);
  const Name x = g.Input("x", Type::kDouble, columns);
  const Name rest = g.Node("Sub", {x, g.Constant(Type::kDouble, {1, columns}, offsets)});
  return g.real() == Type::kDouble ? rest : g.Cast(rest, g.real());
}

// Raw features in the model's order, which are those of x and what is made of texts and blanks.
Name RawFeatures(const ModelData& model, Graph& g) {
  const std::vector<Column>& columns = model.schema.columns;
  const std::vector<size_t> numbers = NumberPlaces(model);
  const size_t count = numbers.size();
  std::vector<Name> parts;
  if (count > 0) parts.push_back(NumberInput(model, numbers, g));
  std::vector<int64_t> order;  // place of each feature in the parts side by side
  auto made = static_cast<int64_t>(count);
  const auto add = [&](const Name& part, size_t features) {
    parts.push_back(part);
    for (size_t k = 0; k < features; ++k) order.push_back(made++);
  };
  size_t first = 0;
  for (const Column& column : columns) {
    if (IsText(column)) {
      const Name text = g.Input(FreeName(column.name, columns), Type::kString, 1);
      add(OneHot(text, column, g), column.features());
      continue;
    }
    for (size_t k = 0; k < NumberFeatures(column); ++k)
      order.push_back(static_cast<int64_t>(first + k));
    if (column.indicator)
      add(g.Cast(g.Node("IsNaN", {g.Columns(parts[0], first, 1)}), g.real()), 1);
    first += NumberFeatures(column);
  }
  if (parts.size() == 1 && count > 0) return parts[0];
  return g.Node("Gather", {g.Concat(parts), g.Ints(order)}, {IntAttribute("axis", 1)});
}

// (x - mean) / scale in double, as in predict: a mean may be large beside the spread around it, and
// what rounding changes here a network can enlarge a hundredfold.
Name Standardised(const Name& raw, const Scaling& scaling, Graph& g) {
  const Type d = Type::kDouble;
  const Shape row = {1, scaling.mean.size()};
  const Name near = g.Node("Sub", {g.Cast(raw, d), g.Constant(d, row, scaling.mean)});
  return g.Cast(g.Node("Div", {near, g.Constant(d, row, scaling.scale)}), g.real());
}

// A bent feature: the first value, and for each line the part of it that x has covered times its
// slope. Computed in double; [rows, 1].
Name Bent(const Curve& curve, const Name& raw, Graph& g) {
  const size_t lines = curve.knots.size() - 1;
  Numbers starts(curve.knots.begin(), curve.knots.end() - 1), widths, slopes;
  for (size_t k = 0; k < lines; ++k) {
    widths.push_back(curve.knots[k + 1] - curve.knots[k]);
    slopes.push_back((curve.values[k + 1] - curve.values[k]) / widths[k]);
  }
  const Type d = Type::kDouble;
  const Name x = g.Cast(g.Columns(raw, curve.column, 1), d);
  const Name past = g.Node("Sub", {x, g.Constant(d, {1, lines}, starts)});
  const Name covered = g.Node(
      "Min", {g.Node("Max", {past, g.Constant(d, {}, {0})}), g.Constant(d, {1, lines}, widths)});
  const Name rise = g.Node("MatMul", {covered, g.Constant(d, {lines, 1}, slopes)});
  return g.Cast(g.Node("Add", {rise, g.Constant(d, {}, {curve.values[0]})}), g.real());
}

// Bent features instead of the scaled ones.
Name WithBent(const std::vector<Curve>& curves, const Name& raw, const Name& scaled,
              size_t features, Graph& g) {
  std::vector<int64_t> order(features);
  std::iota(order.begin(), order.end(), 0);
  std::vector<Name> parts = {scaled};
  for (const Curve& curve : curves) {
    order[curve.column] = static_cast<int64_t>(features + parts.size() - 1);
    parts.push_back(Bent(curve, raw, g));
  }
  return g.Node("Gather", {g.Concat(parts), g.Ints(order)}, {IntAttribute("axis", 1)});
}

}  // namespace

Name ScaledFeatures(const ModelData& model, Graph& g) {
  const Scaling& scaling = model.features;
  const size_t features = scaling.mean.size();
  const Name raw = RawFeatures(model, g);
  const Name blank = g.Node("IsNaN", {raw});
  Name x = g.Node("Clip", {Standardised(raw, scaling, g), g.Real(-10), g.Real(10)});
  if (!scaling.curves.empty()) x = WithBent(scaling.curves, raw, x, features, g);
  return g.Node("Where", {blank, g.Real(0), x});
}

}  // namespace gopnet::exporting
