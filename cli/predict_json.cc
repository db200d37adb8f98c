#include "cli/predict_json.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace gopnet::cli {
namespace {

using Json = nlohmann::ordered_json;

// The double that prints as short as the float does
double Short(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  double result = value;
  std::from_chars(text, end, result);
  return result;
}

Json Rows(const Matrix& values) {
  Json rows = Json::array();
  for (size_t i = 0; i < values.rows(); ++i) {
    rows.push_back(Json::array());
    for (size_t j = 0; j < values.cols(); ++j) rows.back().push_back(Short(values(i, j)));
  }
  return rows;
}

Json Label(const Model& model, size_t index) {
  const std::string& label = model.classes()[index];
  return model.integer_classes() ? Json(std::stoll(label)) : Json(label);
}

void AddLabels(const Model& model, const Matrix& predicted, Json* json) {
  for (size_t c = 0; c < model.outputs(); ++c) (*json)["classes"].push_back(Label(model, c));
  (*json)["labels"] = Json::array();
  for (size_t i = 0; i < predicted.rows(); ++i) {
    const float* row = predicted.Row(i);
    const float* best = std::max_element(row, row + predicted.cols());
    (*json)["labels"].push_back(Label(model, static_cast<size_t>(best - row)));
  }
}

}  // namespace

std::string PredictionsJson(const Model& model, const Matrix& predicted, bool proba,
                            const std::string& out) {
  const bool classes = model.task() == Task::kClassification;
  Json json = {{"task", classes ? "classification" : "regression"}, {"rows", predicted.rows()}};
  if (!out.empty()) {
    json["out"] = out;
  } else if (classes) {
    AddLabels(model, predicted, &json);
    if (proba) json["probabilities"] = Rows(predicted);
  } else {
    json["values"] = Rows(predicted);
  }
  return json.dump() + "\n";
}

}  // namespace gopnet::cli
