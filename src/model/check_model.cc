// Whether the parts of a model that was read from a file go together.
#include <cmath>
#include <cstdint>
#include <unordered_set>

#include "base/check.h"
#include "base/names.h"
#include "data/dates.h"
#include "data/field.h"
#include "data/utf8.h"
#include "model/model_file.h"

namespace gopnet {
namespace {

void CheckText(const std::string& text, const std::string& source, const char* what) {
  if (!IsUtf8(text)) Fail(source, ": ", what, " '", Shown(text), "' is not UTF-8");
}

void CheckTexts(const Column& column, const std::string& source) {
  CheckText(column.name, source, "the name of column");
  CheckText(column.unit, source, "the unit");
  for (const std::string& category : column.categories) CheckText(category, source, "category");
}

void CheckScale(const Scaling& scaling, const std::string& source) {
  for (const double scale : scaling.scale) Check(scale != 0, source, ": a column has scale 0");
  for (const Curve& curve : scaling.curves) {
    Check(curve.Ascends(), source, ": the knots of column ", curve.column + 1, " must ascend");
    for (const double v : curve.values)
      Check(std::fabs(v) <= 10, source, ": column ", curve.column + 1, " is scaled to ", v,
            "; the limit is 10");
  }
}

}  // namespace

void CheckColumns(const Schema& schema, const std::string& source) {
  for (const Column& column : schema.columns) {
    CheckTexts(column, source);
    Check(column.date.empty() || IsDateOrder(column.date), source, ": column '", Shown(column.name),
          "' has an unknown date order");
    Check(column.date.empty() || (column.categories.empty() && !column.other), source, ": column '",
          Shown(column.name), "' has both dates and categories");
    Check(std::isfinite(column.offset), source, ": column '", Shown(column.name),
          "' has an offset that is not finite");
  }
  for (const std::string& target : schema.targets) CheckText(target, source, "the name of target");
  for (const LeftOut& column : schema.left_out) {
    CheckText(column.name, source, "the name of column");
    CheckText(column.reason, source, "the reason");
  }
  CheckText(schema.id, source, "the name of column");
}

void CheckClasses(const std::vector<std::string>& classes, bool integers,
                  const std::string& source) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& label : classes) {
    CheckText(label, source, "class");
    if (!seen.insert(label).second) Fail(source, ": two classes are named '", Shown(label), "'");
    int64_t number;
    if (integers && !ParseNumber(label, &number)) {
      Fail(source, ": class '", Shown(label),
           "' must be an integer, because the classes are marked as integers");
    }
  }
}

void SettleNames(Schema& schema) {
  if (!schema.named) return;
  std::unordered_set<std::string_view> seen;
  for (const Column& column : schema.columns)
    if (!seen.insert(column.name).second) schema.named = false;
  for (const std::string& name : schema.targets) {
    if (seen.insert(name).second) continue;
    schema.targets.clear();
    return;
  }
}

void CheckModel(const ModelData& model, const std::string& source) {
  CheckColumns(model.schema, source);
  CheckClasses(model.classes, model.integer_classes, source);
  CheckScale(model.features, source);
  CheckScale(model.targets, source);
  const size_t outputs = model.ensemble.outputs();
  Check(model.schema.features() > 0, source, ": the model has no inputs");
  Check(outputs > 0, source, ": the model has no outputs");
  Check(model.schema.targets.size() <= outputs, source, ": ", model.schema.targets.size(),
        " target names for ", outputs, " outputs");
  for (size_t j = 0; j < model.bounds.low.size(); ++j)
    Check(model.bounds.low[j] <= model.bounds.high[j], source, ": target ", j + 1,
          " has a minimum above its maximum");
  double weights = 0;
  for (const Member& member : model.ensemble.members) {
    for (const Layer& layer : member.network.layers)
      for (const Block& block : layer.blocks)
        for (size_t j = 0; j < block.variance.cols(); ++j)
          Check(block.variance.data()[j] >= 0, source, ": a variance is negative");
    Check(member.network.output.w.cols() == outputs, source, ": its networks have ", outputs,
          " and ", member.network.output.w.cols(), " outputs");
    Check(member.weight > 0, source, ": the weight of a network must be positive; got ",
          member.weight);
    weights += member.weight;
  }
  Check(std::fabs(weights - 1) < 1e-6, source,
        ": the weights of the networks must add up to 1; got ", weights);
}

}  // namespace gopnet
