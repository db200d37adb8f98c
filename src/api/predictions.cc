// Predictions of a model as files: .npy by the ending of the name, CSV otherwise.
#include "base/files.h"
#include "data/prediction_file.h"
#include "gopnet/report.h"

namespace gopnet {
namespace {

PredictionFormat FormatOf(const Model& model, bool proba) {
  return {model.task(), model.classes(), model.integer_classes(), model.schema().targets, proba};
}

}  // namespace

std::string PredictionsCsv(const Model& model, const Matrix& predicted, bool proba) {
  return PredictionsAsCsv(FormatOf(model, proba), predicted);
}

void SavePredictions(const std::string& path, const Model& model, const Matrix& predicted,
                     bool proba) {
  const PredictionFormat format = FormatOf(model, proba);
  WriteFileAtomically(path, path.ends_with(".npy") ? PredictionsAsNpy(format, predicted)
                                                   : PredictionsAsCsv(format, predicted));
}

}  // namespace gopnet
