#include "data/formats/prediction_file.h"

#include <algorithm>

#include "base/check.h"
#include "data/csv_text.h"
#include "data/formats/npy.h"

namespace gopnet {
namespace {

// The most probable class; the first of equals.
size_t Best(const Matrix& predicted, size_t row) {
  const float* p = predicted.Row(row);
  return static_cast<size_t>(std::max_element(p, p + predicted.cols()) - p);
}

std::vector<std::string> Header(const PredictionFormat& format, size_t columns) {
  if (format.task == Task::kClassification) {
    std::vector<std::string> names = {"label"};
    if (format.proba) names.insert(names.end(), format.classes.begin(), format.classes.end());
    return names;
  }
  if (format.targets.size() == columns) return format.targets;
  if (columns == 1) return {"prediction"};
  std::vector<std::string> names;
  for (size_t q = 1; q <= columns; ++q) names.push_back(Join("prediction_", q));
  return names;
}

void AppendText(const PredictionFormat& format, const std::string& text, std::string* csv) {
  AppendCell(format.spreadsheet ? SheetText(text) : text, csv);
}

void AppendRow(const PredictionFormat& format, const Matrix& predicted, size_t row,
               std::string* csv) {
  const bool label = format.task == Task::kClassification;
  if (!format.ids.empty()) {
    AppendText(format, format.ids[row], csv);
    *csv += ',';
  }
  if (label) AppendText(format, format.classes[Best(predicted, row)], csv);
  if (!label || format.proba) {
    for (size_t j = 0; j < predicted.cols(); ++j) {
      if (label || j > 0) *csv += ',';
      const int digits = j < format.digits.size() ? format.digits[j] : 0;
      if (digits > 0) {
        AppendValue(format.values[row * predicted.cols() + j], digits, csv);
      } else {
        AppendNumber(predicted(row, j), csv);
      }
    }
  }
  *csv += '\n';
}

void AppendHeader(const PredictionFormat& format, size_t columns, std::string* csv) {
  if (!format.ids.empty()) AppendText(format, format.id_name, csv);
  for (const std::string& name : Header(format, columns)) {
    if (!csv->empty()) *csv += ',';
    AppendText(format, name, csv);
  }
  *csv += '\n';
}

}  // namespace

std::string PredictionsAsCsv(const PredictionFormat& format, const Matrix& predicted) {
  std::string csv;
  if (format.header) AppendHeader(format, predicted.cols(), &csv);
  for (size_t i = 0; i < predicted.rows(); ++i) AppendRow(format, predicted, i, &csv);
  return csv;
}

std::string PredictionsAsNpy(const PredictionFormat& format, const Matrix& predicted) {
  if (format.task == Task::kRegression) return NpyBytes(predicted, true);
  if (format.proba) return NpyBytes(predicted);
  std::vector<std::string> labels(predicted.rows());
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = format.classes[Best(predicted, i)];
  if (!format.integer_classes) return NpyBytes(labels);
  std::vector<int64_t> integers(labels.size());
  std::ranges::transform(labels, integers.begin(),
                         [](const std::string& s) { return std::stoll(s); });
  return NpyBytes(integers);
}

}  // namespace gopnet
