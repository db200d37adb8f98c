// gopnet predict: predicts labels, probabilities or values for new rows.
#include "cli/predict.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "cli/commands.h"
#include "cli/ending.h"
#include "cli/json.h"
#include "cli/table_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

struct Flags {
  std::string model, data, weight_column, out, threads = "0";
  int thread_count = 0;  // the value of threads
  TableFlags table;
  bool proba = false;
  bool spreadsheet = false;
  bool force = false;
};

void Declare(Args& args, Flags& flags) {
  args.Positional("MODEL", &flags.model, "A run folder or a model.safetensors file.");
  args.Positional("DATA", &flags.data,
                  "Rows with the columns of training; - reads CSV from stdin.");
  args.Flag("proba", &flags.proba, "Add one column per class with its probability.");
  args.Option("out", &flags.out, "FILE", "Write a .csv or .npy file. Default: CSV to stdout.");
  args.Flag("spreadsheet", &flags.spreadsheet,
            "Make the CSV safe for spreadsheets: put a ' before text that begins with = + - @.");
  args.Flag("force", &flags.force, "Overwrite the file of --out.");
  args.Option("weight_column", &flags.weight_column, "COLUMN",
              "Column with row weights in DATA, which is ignored.");
  flags.table.Declare(args, /*new_rows=*/true);
  args.Option("threads", &flags.threads, "N", "Number of threads; 0 uses all cores. Default: 0.");
}

size_t CountNotFinite(const Matrix& predicted) {
  size_t rows = 0;
  for (size_t i = 0; i < predicted.rows(); ++i) {
    const float* row = predicted.Row(i);
    rows += !std::all_of(row, row + predicted.cols(), [](float v) { return std::isfinite(v); });
  }
  return rows;
}

// The double that prints with as few digits as the float does.
double Short(float value) {
  double result = value;
  ParseNumber(fmt::format("{}", value), &result);
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
  (*json)["classes"] = Json::array();
  for (size_t c = 0; c < model.outputs(); ++c) (*json)["classes"].push_back(Label(model, c));
  (*json)["labels"] = Json::array();
  for (size_t i = 0; i < predicted.rows(); ++i) {
    const float* row = predicted.Row(i);
    const float* best = std::max_element(row, row + predicted.cols());
    (*json)["labels"].push_back(Label(model, static_cast<size_t>(best - row)));
  }
}

// Throws, so that the destructors delete the temporary file; the end of the program would leave it.
void CheckInterrupt() {
  if (!ReasonToStop().empty()) throw Stopped(ReasonToStop());
}

// Predicts chunk by chunk.
class Prediction {
 public:
  Prediction(const Flags& flags, const Model& model, bool json)
      : flags_(flags), model_(model), json_(json) {
    if (flags.proba && model.task() == Task::kRegression)
      Fail("--proba: {} is a regression model, which has no classes", flags.model);
    const bool has_id = !flags.table.id.empty();
    extras_.id_name = has_id ? flags.table.id : model.schema().id;
    extras_.spreadsheet = flags.spreadsheet;
  }

  void Run(bool quiet) {
    TableReport report;
    RowReader reader(flags_.data, Reading(&report), CheckInterrupt);
    if (!flags_.out.empty()) file_.emplace(flags_.out, model_, flags_.proba, flags_.force);
    for (Dataset rows; reader.Next(&rows);) {
      CheckInterrupt();
      Predict(rows);
    }
    NoteWarnings(report, quiet);
    if (not_finite_ > 0)
      Note(
          fmt::format("gopnet predict: warning: {} of {} rows have predictions that are NaN or inf",
                      not_finite_, rows_));
    if (file_) file_->Finish();
    if (json_) return PrintData(PredictionsJson(model_, Kept(), flags_.proba, flags_.out, ids_));
    if (file_ && !quiet) Note(fmt::format("wrote {}: {} rows", flags_.out, Grouped(rows_)));
  }

 private:
  ReadOptions Reading(TableReport* report) const {
    ReadOptions options;
    options.need_targets = false;
    options.weight_column = flags_.weight_column;
    options.like = &model_.schema();
    flags_.table.Set(&options);
    options.report = report;
    return options;
  }

  Matrix Outputs(const MatrixView& x) {
    if (model_.task() == Task::kClassification) return model_.Predict(x, flags_.thread_count);
    extras_.values = model_.PredictValues(x, flags_.thread_count);
    Matrix predicted(x.rows, model_.outputs());
    std::transform(extras_.values.begin(), extras_.values.end(), predicted.data(),
                   [](double value) { return static_cast<float>(value); });
    return predicted;
  }

  void Predict(Dataset& rows) {
    const Matrix predicted = Outputs(rows.x);
    extras_.ids = std::move(rows.ids);
    extras_.header = rows_ == 0;
    rows_ += predicted.rows();
    not_finite_ += CountNotFinite(predicted);
    if (file_) {
      file_->Add(predicted, extras_);
    } else if (json_) {
      kept_.insert(kept_.end(), predicted.data(), predicted.Row(predicted.rows()));
      std::ranges::move(extras_.ids, std::back_inserter(ids_));
    } else {
      PrintData(PredictionsCsv(model_, predicted, flags_.proba, extras_));
    }
  }

  // For --json: all predictions or, if they went to a file, only their number.
  Matrix Kept() const {
    Matrix all(rows_, file_ ? 0 : model_.outputs());
    std::copy(kept_.begin(), kept_.end(), all.data());
    return all;
  }

  const Flags& flags_;
  const Model& model_;
  const bool json_;
  PredictionExtras extras_;
  std::optional<PredictionFile> file_;
  std::vector<float> kept_;  // for --json, with ids_
  std::vector<std::string> ids_;
  size_t rows_ = 0, not_finite_ = 0;
};

}  // namespace

std::string PredictionsJson(const Model& model, const Matrix& predicted, bool proba,
                            const std::string& out, const std::vector<std::string>& ids) {
  const bool classes = model.task() == Task::kClassification;
  Json json = {{"task", classes ? "classification" : "regression"}, {"rows", predicted.rows()}};
  if (!out.empty()) {
    json["out"] = PathAsText(out);
    return JsonText(json) + "\n";
  }
  if (!ids.empty()) json["ids"] = ids;
  if (classes) {
    AddLabels(model, predicted, &json);
    if (proba) json["probabilities"] = Rows(predicted);
  } else {
    json["values"] = Rows(predicted);
  }
  return JsonText(json) + "\n";
}

void RunPredict(const Words& words) {
  Args args("predict", "gopnet predict runs/first new.csv --proba --out predictions.csv");
  Flags flags;
  Declare(args, flags);
  if (!args.Parse(words)) return;
  flags.thread_count = Count("--threads", flags.threads, 0, 4096);
  flags.table.Check();
  const std::string file = ModelFile(flags.model);
  CheckReadable(flags.data);
  const std::string ending = std::filesystem::path(flags.out).extension().string();
  if (!flags.out.empty() && ending != ".csv" && ending != ".npy")
    Fail("--out: must end in .csv or .npy; got {}", flags.out);
  if (!flags.out.empty()) CheckCanWrite(flags.out, flags.force);
  CheckNoInput(flags.out, {file, flags.data});
  const Model model = Model::Load(file);
  if (!flags.out.empty()) CatchInterrupts();
  Prediction(flags, model, args.json()).Run(args.quiet());
}

}  // namespace gopnet::cli
