// Model files and checkpoints. A model that loads must predict, print and read new rows.
#include "cli/predict.h"
#include "data/formats/prediction_file.h"
#include "data/table.h"
#include "fuzz/support/mutate_model.h"
#include "fuzz/support/target.h"
#include "gopnet/report.h"
#include "model/model_impl.h"

namespace gopnet::fuzz {
namespace {

constexpr size_t kRows = 3;
const std::string kFile = "fuzz.safetensors";

std::string Quoted(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

// Rows of ones under the model's own names.
std::string NewRows(const Schema& schema) {
  std::string names, ones;
  for (const Column& column : schema.columns) {
    names += Quoted(column.name) + ",";
    ones += column.categories.empty() ? "1," : Quoted(column.categories[0]) + ",";
  }
  for (const std::string& target : schema.targets) {
    names += Quoted(target) + ",";
    ones += "1,";
  }
  if (!names.empty()) names.back() = ones.back() = '\n';
  return names + ones + ones;
}

void ReadNewRows(const Schema& schema) {
  const Exact text(NewRows(schema));
  ReadOptions options;
  options.like = &schema;
  for (const bool targets : {false, true}) {
    options.need_targets = targets;
    ErrorsOnly("new.csv", [&] {
      const FileBytes file{"new.csv", text.view(), text.owner()};
      const Dataset data = ReadTable(*OpenTable(file, {&schema, std::nullopt}), options);
      for (size_t i = 0; i < data.rows(); ++i) Touch(data.x.Row(i), data.features());
    });
  }
}

void Print(const Model& model, const Matrix& predicted) {
  for (const bool proba : {false, true}) {
    PredictionsCsv(model, predicted, proba);
    cli::PredictionsJson(model, predicted, proba, "");
    PredictionsAsNpy(
        {model.task(), model.classes(), model.integer_classes(), model.schema().targets, proba},
        predicted);
  }
  model.Json();
}

void Predict(const Model& model) {
  Matrix x(kRows, model.inputs());
  for (size_t j = 0; j < x.cols(); ++j) x(1, j) = 1, x(2, j) = -1e30f;
  const Matrix predicted = model.Predict(x);
  Touch(predicted.data(), predicted.rows() * predicted.cols());
  if (model.task() == Task::kClassification) model.PredictClass(x);
  std::vector<float> one(model.outputs());
  Predictor(model).Predict(x.Row(1), one.data());
  Print(model, predicted);
}

}  // namespace
}  // namespace gopnet::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace gopnet;  // NOLINT
  const fuzz::Exact content({reinterpret_cast<const char*>(bytes), size});
  fuzz::ErrorsOnly(fuzz::kFile, [&] {
    const Model model = MakeModel(ParseModel(content.view(), fuzz::kFile));
    fuzz::Predict(model);
    fuzz::ReadNewRows(model.schema());
  });
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* bytes, size_t size, size_t max_size,
                                          unsigned seed) {
  std::string changed;
  if (seed % 8 > 0) {
    changed = gopnet::fuzz::ModelMutator(seed).Run({reinterpret_cast<const char*>(bytes), size});
  }
  if (changed.empty() || changed.size() > max_size) return LLVMFuzzerMutate(bytes, size, max_size);
  std::memcpy(bytes, changed.data(), changed.size());
  return changed.size();
}
