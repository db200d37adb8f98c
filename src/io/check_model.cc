#include "io/check_model.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_set>

#include "base/check.h"
#include "data/field.h"

namespace gopnet {
namespace {

// Columns are found by these names, each in a place of its own.
void CheckNames(const Schema& schema, const std::string& source) {
  if (!schema.named) return;
  std::unordered_set<std::string_view> seen;
  const auto add = [&](const std::string& name) {
    if (!seen.insert(name).second) Fail(source, ": two columns are named '", Shown(name), "'");
  };
  for (const Column& column : schema.columns) add(column.name);
  for (const std::string& name : schema.targets) add(name);
}

void CheckClasses(const ModelData& model, const std::string& source) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& label : model.classes) {
    if (!seen.insert(label).second) Fail(source, ": two classes are named '", Shown(label), "'");
    int64_t number;
    const char* end = label.data() + label.size();
    const auto [stop, error] = std::from_chars(label.data(), end, number);
    if (model.integer_classes && (error != std::errc() || stop != end)) {
      Fail(source, ": class '", Shown(label), "' is not a whole number as its kind says");
    }
  }
}

void CheckBlock(const Block& block, const std::string& source) {
  const float* variance = block.variance.data();
  for (size_t j = 0; j < block.variance.cols(); ++j)
    Check(variance[j] >= 0, source, ": a variance is negative");
}

void CheckScale(const Scaling& scaling, const std::string& source) {
  for (const double scale : scaling.scale)
    Check(scale != 0, source, ": a column of scale 0, another number is wanted");
}

}  // namespace

void CheckModel(const ModelData& model, const std::string& source) {
  CheckNames(model.schema, source);
  CheckClasses(model, source);
  CheckScale(model.features, source);
  CheckScale(model.targets, source);
  const size_t outputs = model.network.output.w.cols();
  Check(model.schema.features() > 0, source, ": the model has no inputs");
  Check(outputs > 0, source, ": the model has no outputs");
  Check(model.schema.targets.size() <= outputs, source, ": ", model.schema.targets.size(),
        " names of targets for ", outputs, " outputs");
  for (const Layer& layer : model.network.layers) {
    for (const Block& block : layer.blocks) CheckBlock(block, source);
  }
}

}  // namespace gopnet
