#include "data/formats/prediction_file.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "data/formats/npy.h"

namespace gopnet {
namespace {

// The most probable class; the first of equals.
size_t Best(const Matrix& predicted, size_t row) {
  const float* p = predicted.Row(row);
  return static_cast<size_t>(std::max_element(p, p + predicted.cols()) - p);
}

void AppendText(const std::string& text, std::string* csv) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string::npos && !text.empty() &&
                     text.front() != ' ' && text.back() != ' ';
  if (plain) {
    *csv += text;
    return;
  }
  *csv += '"';
  for (const char c : text) csv->append(c == '"' ? 2 : 1, c);
  *csv += '"';
}

// The shortest text that reads back as the same float.
void AppendNumber(float value, std::string* csv) {
  char digits[32];
  csv->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// Of a target that is far from 0.
void AppendDigits(double value, int precision, std::string* csv) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, precision);
  csv->append(digits, end.ptr);
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

void AppendRow(const PredictionFormat& format, const Matrix& predicted, size_t row,
               std::string* csv) {
  const bool label = format.task == Task::kClassification;
  if (!format.ids.empty()) {
    AppendText(format.ids[row], csv);
    *csv += ',';
  }
  if (label) AppendText(format.classes[Best(predicted, row)], csv);
  if (!label || format.proba) {
    for (size_t j = 0; j < predicted.cols(); ++j) {
      if (label || j > 0) *csv += ',';
      const int digits = j < format.digits.size() ? format.digits[j] : 0;
      if (digits > 0) {
        AppendDigits(format.values[row * predicted.cols() + j], digits, csv);
      } else {
        AppendNumber(predicted(row, j), csv);
      }
    }
  }
  *csv += '\n';
}

}  // namespace

std::string PredictionsAsCsv(const PredictionFormat& format, const Matrix& predicted) {
  std::string csv;
  if (!format.ids.empty()) AppendText(format.id_name, &csv);
  for (const std::string& name : Header(format, predicted.cols())) {
    if (!csv.empty()) csv += ',';
    AppendText(name, &csv);
  }
  csv += '\n';
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
