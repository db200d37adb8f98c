#include "run/check_data.h"

#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/stop_check.h"

namespace gopnet {
namespace {

// Limit for features and targets. It leaves room in float for predictions a little beyond it.
constexpr float kLargestNumber = 1e37f;
constexpr char kOtherUnit[] = "; the limit is 1e37, so use another unit";

// Checks that both data sets made their features from the same columns and categories.
void CheckSchema(const Schema& schema, const Schema& train, const std::string& name) {
  if (schema.columns.size() != train.columns.size()) return;  // of encoded features: by number
  for (size_t k = 0; k < schema.columns.size(); ++k) {
    const Column &a = schema.columns[k], &b = train.columns[k];
    const bool same_name = !schema.named || !train.named || a.name == b.name;
    Check(same_name && a.categories == b.categories && a.other == b.other && a.date == b.date &&
              a.hours == b.hours && a.offset == b.offset && a.indicator == b.indicator &&
              a.unit == b.unit,
          name, ": column '", a.name, "' differs from column '", b.name,
          "' of the training data; pass their schema as ReadOptions::like");
  }
}

// A vector must be empty or have `count` items.
void CheckSize(size_t size, size_t count, const std::string& name, const char* what) {
  Check(size == 0 || size == count, name, ": must have ", count, " ", what, " or none; got ", size);
}

// The parts of a data set must fit together, and a model file must be able to hold its texts.
void CheckParts(const Dataset& data, const std::string& name) {
  const size_t rows = data.rows(), columns = data.schema.features();
  Check(data.x.data != nullptr || rows == 0, name, ": the data pointer is null for ", rows,
        " rows");
  CheckColumns(data.schema, name);
  Check(data.schema.columns.empty() || columns == data.features(), name, ": has ", data.features(),
        " feature columns, but its schema describes ", columns);
  CheckClasses(data.classes, false, name);
  const size_t outputs = data.task == Task::kRegression ? data.targets.cols() : data.classes.size();
  Check(data.schema.targets.size() <= outputs, name, ": ", data.schema.targets.size(),
        " target names for ", outputs, " targets");
  CheckSize(data.weights.size(), rows, name, "weights");
  CheckSize(data.ids.size(), rows, name, "ids");
  CheckSize(data.row_numbers.size(), rows, name, "row numbers");
  CheckSize(data.target_offset.size(), data.targets.cols(), name, "target offsets");
  for (const double offset : data.target_offset)
    Check(std::isfinite(offset), name, ": the offset of a target must be finite");
}

// Rejects NaN, inf and numbers so large that predictions or their squares would overflow.
void CheckTargets(const Dataset& data, const std::string& name) {
  const auto classes = static_cast<int32_t>(data.classes.size());
  for (const int32_t label : data.labels) {
    Check(label >= 0 && label < classes, name, ": label index ", label, " is out of range for ",
          classes, " classes");
  }
  for (size_t n = 0; n < data.targets.rows(); ++n) {
    for (size_t j = 0; j < data.targets.cols(); ++j) {
      Check(std::isfinite(data.targets(n, j)), name, ": target ", j + 1, " of row ", n + 1,
            " is NaN or inf; it must be finite");
      Check(std::fabs(data.targets(n, j)) <= kLargestNumber, name, ": target ", j + 1, " of row ",
            n + 1, " is ", data.targets(n, j), kOtherUnit);
    }
  }
  for (const float w : data.weights) {
    Check(std::isfinite(w) && w >= 0, name, ": weights must be finite and >= 0; got ", w);
  }
}

}  // namespace

std::string NameOf(const Dataset& data, const char* role) {
  return data.source.empty() ? role : data.source;
}

void CheckFinite(const MatrixView& x, bool fill_missing, const std::string& name, bool any_size) {
  const float most = any_size ? std::numeric_limits<float>::max() : kLargestNumber;
  size_t bad = 0, first_row = 0, first_column = 0;
  for (size_t n = 0; n < x.rows; ++n) {
    StopCheck::AskAt(n);
    for (size_t j = 0; j < x.cols; ++j) {
      const float value = x.Row(n)[j];
      if (std::fabs(value) <= most || (std::isnan(value) && fill_missing)) continue;
      if (bad++ == 0) {
        first_row = n;
        first_column = j;
      }
    }
  }
  if (bad == 0) return;
  const bool finite = std::isfinite(x.Row(first_row)[first_column]);
  Fail(name, ": ", bad, finite ? " values are too large" : " values are NaN or inf",
       " (first in row ", first_row + 1, ", column ", first_column + 1, ")",
       finite ? kOtherUnit : "; they must be finite");
}

void CheckData(const Dataset& data, const Dataset& train, const char* role) {
  const std::string name = NameOf(data, role);
  Check(data.has_targets(), name, ": has no targets");
  Check(data.task == train.task, name, ": the task differs from that of the training data");
  Check(data.features() == train.features(), name, ": must have ", train.features(),
        " feature columns, as the training data; got ", data.features());
  CheckParts(data, name);
  CheckClasses(train.classes, train.integer_classes, NameOf(train, "training data"));
  CheckSchema(data.schema, train.schema, name);
  Check(data.task == Task::kClassification ? data.labels.size() == data.rows()
                                           : data.targets.rows() == data.rows(),
        name, ": needs one target for each of its ", data.rows(), " rows");
  Check(data.task == Task::kClassification || data.targets.cols() == train.targets.cols(), name,
        ": must have ", train.targets.cols(), " targets per row, as the training data; got ",
        data.targets.cols());
  CheckTargets(data, name);
  CheckFinite(data.x, data.schema.fill_missing, name, false);
}

void CheckLabelled(const ModelData& model, const Dataset& data, const std::string& name) {
  const size_t inputs = model.features.mean.size(), outputs = model.ensemble.outputs();
  Check(data.has_targets(), name, ": has no targets");
  Check(data.rows() > 0, name, ": has no rows");
  Check(data.task == model.task, name, ": the task differs from that of the model");
  Check(data.features() == inputs, name, ": the model needs ", inputs, " columns; got ",
        data.features());
  CheckParts(data, name);
  CheckSchema(data.schema, model.schema, name);
  Check(data.task == Task::kClassification ? data.labels.size() == data.rows()
                                           : data.targets.rows() == data.rows(),
        name, ": needs one target for each of its ", data.rows(), " rows");
  Check(model.task == Task::kClassification || data.targets.cols() == outputs, name, ": must have ",
        outputs, " targets per row, as the model; got ", data.targets.cols());
  CheckTargets(data, name);
  CheckFinite(data.x, true, name);
}

}  // namespace gopnet
