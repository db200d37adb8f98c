// Misuse of the public interface: every wrong call throws an Error before it trains or writes
// anything.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "gopnet/gopnet.h"
#include "gopnet/row_reader.h"
#include "support/small_params.h"
#include "support/temp_file.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

constexpr char kLatin1[] = "M\xfcnchen";  // not UTF-8

Params Tiny() {
  return Params().Set("ensemble", 1).Set("topology", "4").Set("epochs", 2).Set("nodal", "harmonic");
}

const testing::Arrays& Rows() {
  static const testing::Arrays rows = testing::MakeArrays(60, 1);
  return rows;
}

const Model& Trained() {
  static const Model model = Train("popfast", testing::Data(Rows()), Tiny()).model;
  return model;
}

// The error of training on data that `spoil` has changed.
template <class Spoil>
std::string ErrorAfter(Spoil spoil, Task task = Task::kClassification) {
  TrainData data = testing::Data(Rows(), task);
  spoil(data.train);
  return ErrorOf([&] { Train("popfast", data, Tiny()); });
}

template <class Spoil>
std::string ErrorOfEvaluate(Spoil spoil) {
  Dataset data = testing::Data(Rows()).train;
  spoil(data);
  return ErrorOf([&] { Evaluate(Trained(), data); });
}

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Misuse, InvalidUtf8IsRejected) {
  const auto spoil_name = [](Dataset& d) { d.schema.columns[1].name = kLatin1; };
  const std::vector<std::pair<const char*, std::string>> found = {
      {"class", ErrorAfter([](Dataset& d) { d.classes[0] = kLatin1, d.integer_classes = false; })},
      {"column", ErrorAfter(spoil_name)},
      {"column", ErrorOfEvaluate(spoil_name)},
      {"unit", ErrorAfter([](Dataset& d) { d.schema.columns[1].unit = kLatin1; })},
      {"target", ErrorAfter([](Dataset& d) { d.schema.targets = {kLatin1}; })},
      {"column", ErrorAfter([](Dataset& d) {
         d.schema.left_out = {{kLatin1, "id"}};
       })},
      {"reason", ErrorAfter([](Dataset& d) {
         d.schema.left_out = {{"a", kLatin1}};
       })},
      {"column", ErrorAfter([](Dataset& d) { d.schema.id = kLatin1; })},
      {"category", ErrorAfter([](Dataset& d) { d.schema.columns[1].categories = {kLatin1}; })}};
  for (const auto& [what, error] : found)
    EXPECT_TRUE(Holds(error, what) && Holds(error, "UTF-8")) << what << ": " << error;
  const std::vector<std::string> labels = {"a", kLatin1, "a", "a"};
  const Matrix x(4, 1);
  EXPECT_ERROR("UTF-8", Train("popfast", {.train = MakeDataset(x, labels)}, Tiny()));
  const std::vector<TypedColumn> columns = {{kLatin1, {1, 2}}, {"y", {}, {"a", "b"}}};
  EXPECT_ERROR("UTF-8", Train("popfast", {.train = MakeDataset(columns, {})}, Tiny()));
}

TEST(Misuse, InvalidUtf8IsRejectedInReportsAndRunFolders) {
  const TempFolder folder;
  TrainOptions options{.run_folder = folder.Path("run"), .source = {{"train", kLatin1}}};
  EXPECT_ERROR("train", Train("popfast", testing::Data(Rows()), Tiny(), options));
  options.source = {};
  options.part_of = kLatin1;
  EXPECT_ERROR("part_of", Train("popfast", testing::Data(Rows()), Tiny(), options));
  EXPECT_FALSE(std::filesystem::exists(options.run_folder));
  Evaluation evaluation;
  evaluation.classes.push_back({.label = kLatin1});
  EXPECT_ERROR("UTF-8", ToJson(evaluation));
  History history;
  history.stopped = kLatin1;
  EXPECT_ERROR("UTF-8", ToJson(history, "model"));
  Importance importance;
  importance.columns.push_back({.name = kLatin1});
  EXPECT_ERROR("UTF-8", ToJson(importance));
}

TEST(Misuse, EveryParameterRejectsInvalidUtf8) {
  for (const AlgorithmInfo& algorithm : Algorithms())
    for (const ParameterInfo& parameter : algorithm.parameters)
      EXPECT_ERROR(parameter.name,
                   Resolve(algorithm.name, Params().Set(parameter.name, std::string(kLatin1))));
}

TEST(Misuse, InconsistentDataIsRejected) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<const char*, std::string>> found = {
      {"two classes", ErrorAfter([](Dataset& d) { d.classes[1] = d.classes[0]; })},
      {"integer", ErrorAfter([](Dataset& d) { d.classes[1] = "b"; })},
      {"schema", ErrorAfter([](Dataset& d) { d.schema.columns.pop_back(); })},
      {"schema", ErrorAfter([](Dataset& d) { d.schema.columns[0].indicator = true; })},
      {"order", ErrorAfter([](Dataset& d) { d.schema.columns[0].date = "ydm"; })},
      {"offset", ErrorAfter([=](Dataset& d) { d.schema.columns[0].offset = nan; })},
      {"target names", ErrorAfter([](Dataset& d) { d.schema.targets.resize(9, "t"); })},
      {"weights", ErrorAfter([](Dataset& d) { d.weights.resize(3); })},
      {"ids", ErrorAfter([](Dataset& d) { d.ids.resize(3); })},
      {"row numbers", ErrorAfter([](Dataset& d) { d.row_numbers.resize(3); })},
      {"one target", ErrorAfter([](Dataset& d) { d.labels.pop_back(); })},
      {"one target", ErrorOfEvaluate([](Dataset& d) { d.labels.pop_back(); })},
      {"weights", ErrorOfEvaluate([](Dataset& d) { d.weights.resize(3); })},
      {"null", ErrorAfter([](Dataset& d) { d.x.data = nullptr; })},
      {"offsets", ErrorAfter([](Dataset& d) { d.target_offset = {1}; }, Task::kRegression)},
      {"finite", ErrorAfter(
                     [=](Dataset& d) {
                       d.target_offset = {1, nan};
                     },
                     Task::kRegression)}};
  for (const auto& [what, error] : found) EXPECT_TRUE(Holds(error, what)) << what << ": " << error;
}

TEST(Misuse, MovedFromObjectsAreEmpty) {
  Model model = Trained();
  Predictor predictor(model);
  const Predictor taken = std::move(predictor);
  const Model kept = std::move(model);
  const float row[6] = {};
  float out[3];
  EXPECT_ERROR("moved", predictor.Predict(row, out));
  EXPECT_ERROR("moved", Predictor{model});
  EXPECT_ERROR("moved", model.Predict(Rows().x));
  EXPECT_ERROR("moved", model.PredictClass(Rows().x));
  EXPECT_ERROR("moved", model.Features(Rows().x));
  EXPECT_ERROR("moved", model.Save("/dev/null"));
  EXPECT_ERROR("moved", model.ToBytes());
  EXPECT_ERROR("moved", model.Json());
  EXPECT_ERROR("moved", model.classes());
  EXPECT_ERROR("moved", model.schema());
  EXPECT_ERROR("moved", model.layers());
  EXPECT_ERROR("moved", model.inputs());
  EXPECT_ERROR("moved", ExportC(model, "m", "m.h"));
  EXPECT_ERROR("moved", ExportOnnx(model));
  EXPECT_ERROR("moved", ExportHtml(model));
  EXPECT_ERROR("moved", Evaluate(model, testing::Data(Rows()).train));
  EXPECT_ERROR("moved", PermutationImportance(model, testing::Data(Rows()).train));
  EXPECT_ERROR("moved", PredictionsCsv(model, Matrix(1, 3), false));
  EXPECT_ERROR("moved", MeasurePrediction(model));
  Matrix x = Rows().x;
  const Matrix moved = std::move(x);
  EXPECT_EQ(x.rows() + x.cols(),
            0u);  // NOLINT(bugprone-use-after-move): tests the moved-from state
  EXPECT_EQ(moved.rows(), 60u);
}

TEST(Misuse, PredictionsMustFitTheModel) {
  const TempFolder folder;
  EXPECT_ERROR("columns", PredictionsCsv(Trained(), Matrix(2, 2), true));
  EXPECT_ERROR("ids", PredictionsCsv(Trained(), Matrix(2, 3), true, {.ids = {"a"}}));
  EXPECT_ERROR("values", PredictionsCsv(Trained(), Matrix(2, 3), true, {.values = {1}}));
  for (const char* name : {"p.csv", "p.npy"}) {
    PredictionFile file(folder.Path(name), Trained(), true);
    EXPECT_ERROR("columns", file.Add(Matrix(2, 4))) << name;
  }
  MatrixView nowhere;
  nowhere.rows = 2;
  nowhere.cols = Trained().inputs();
  EXPECT_ERROR("null", Trained().Predict(nowhere));
  EXPECT_ERROR("null", Predictor(Trained()).Predict(nullptr, nullptr));
}

TEST(Misuse, WrongArgumentsAreErrors) {
  const TempFolder folder;
  const std::string file = folder.Write("rows.csv", "1,2\n3,4\n");
  EXPECT_ERROR("like", RowReader(file, {}));
  for (const char* header : {"", "a\"b.h", "a\nb.h", "a\\"})
    EXPECT_ERROR("header", ExportC(Trained(), "m", header));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto train = [](const TrainOptions& options, const Params& params = Tiny()) {
    Train("popfast", testing::Data(Rows()), params, options);
  };
  for (const int folds : {-1, 1, 1000}) EXPECT_ERROR("fold", train({.cv_folds = folds})) << folds;
  EXPECT_ERROR("checkpoint_seconds", train({.checkpoint_seconds = nan}));
  EXPECT_ERROR("checkpoint_seconds", train({.checkpoint_seconds = -1}));
  EXPECT_ERROR("seconds_left", train({.cv_folds = 2, .seconds_left = nan}));
  EXPECT_ERROR("ridge", Resolve("bls", Params().Set("ridge", nan)));
  EXPECT_ERROR("algorithm", Train("", testing::Data(Rows())));
  EXPECT_ERROR("training data", Train("popfast", {}, Tiny()));
  EXPECT_ERROR("runs", Compare(testing::Data(Rows()), {.algorithms = {"bls"}, .runs = 0}));
  EXPECT_ERROR("repeats",
               PermutationImportance(Trained(), testing::Data(Rows()).train, {.repeats = 0}));
  EXPECT_ERROR("nonsense", UseSimd("nonsense"));
  EXPECT_ERROR("nonsense", MeasurePair("nonsense", "sum"));
  EXPECT_ERROR("1m", ExportC(Trained(), "1m", "m.h"));
  for (const auto& call : std::vector<std::function<void()>>{
           [] { ReadRun(""); }, [] { Verify(""); }, [] { ReadDataset(""); },
           [] { Model::Load(""); }, [] { WriteFileAtomically("", "bytes"); },
           [] { Trained().Save(""); }, [] { CheckRunFolder(""); }, [] { ReadComparison(""); },
           [] { ReportData(""); }, [] { WriteReport(""); },
           [] { MakeDataset(std::vector<TypedColumn>(), {}); }})
    EXPECT_NE(ErrorOf(call), "");
}

TEST(Misuse, EmptyResultsCanBeWritten) {
  EXPECT_NE(ToJson(Evaluation()) + ToJson(History(), "") + ToJson(Importance()), "");
  EXPECT_NE(ToCsv(Importance()) + ToJson(Comparison()) + ToCsv(Comparison()), "");
  EXPECT_NE(ToMarkdown(Comparison()) + TableNote(Comparison()), "");
}

TEST(Misuse, APredictionFileOutlivesTheModel) {
  const TempFolder folder;
  std::optional<Model> model = Trained();
  const Matrix predicted = model->Predict(Rows().x);
  PredictionFile file(folder.Path("p.csv"), *model, false);
  model.reset();
  file.Add(predicted);
  file.Finish();
  EXPECT_EQ(ReadBytes(folder.Path("p.csv")), PredictionsCsv(Trained(), predicted, false));
  EXPECT_ERROR("finished", file.Add(predicted));
  EXPECT_ERROR("finished", file.Finish());
}

}  // namespace
}  // namespace gopnet
