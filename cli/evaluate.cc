// gopnet evaluate: metrics of a model on labelled rows.
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/summary.h"
#include "cli/table_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMaxConfusion = 20;  // classes; a larger matrix fits no screen

std::string Classes(const Evaluation& evaluation) {
  std::vector<Words> rows = {{"class", "rows", "precision", "recall", "f1"}};
  for (const ClassReport& c : evaluation.classes) {
    rows.push_back({c.label, std::to_string(c.rows), Fixed(c.precision, 4), Fixed(c.recall, 4),
                    Fixed(c.f1, 4)});
  }
  return Table(rows);
}

std::string Confusion(const Evaluation& evaluation) {
  std::vector<Words> rows = {{"true \\ predicted"}};
  for (const ClassReport& c : evaluation.classes) rows[0].push_back(c.label);
  for (size_t i = 0; i < evaluation.confusion.size(); ++i) {
    rows.push_back({evaluation.classes[i].label});
    for (long count : evaluation.confusion[i]) rows.back().push_back(std::to_string(count));
  }
  return Table(rows);
}

std::string Summary(const Evaluation& evaluation) {
  std::vector<Words> rows = {{"metric", "value"}};
  rows.push_back({"rows", std::to_string(evaluation.rows)});
  for (const auto& [name, value] : evaluation.metrics) rows.push_back({name, Fixed(value, 4)});
  std::string text = Table(rows);
  if (evaluation.unknown_labels > 0)
    text += fmt::format(
        "rows with labels the model never saw: {}; they count as errors, but measures of "
        "probabilities (loss, brier, ece, auc) leave them out\n",
        evaluation.unknown_labels);
  if (!evaluation.targets.empty()) text += "\n" + TargetsTable(evaluation.targets);
  if (evaluation.classes.empty()) return text;
  text += "\n" + Classes(evaluation);
  return evaluation.classes.size() > kMaxConfusion ? text : text + "\n" + Confusion(evaluation);
}

}  // namespace

void RunEvaluate(const Words& words) {
  Args args("evaluate", "metrics of a model on labelled rows",
            "gopnet evaluate runs/first test.csv --target species");
  std::string model_path, data_path;
  ReadOptions options;
  args.Positional("MODEL", &model_path, "A model.safetensors or the run folder that holds it.");
  args.Positional("DATA", &data_path, "Rows, columns as in training; - reads CSV from stdin.");
  args.Option("labels", &options.labels_path, "FILE", "Their targets, if not a column of DATA.");
  args.Option("target", &options.target, "COLUMN",
              "The target by name or 0-based index. Default: as in training.");
  args.Option("weight_column", &options.weight_column, "COLUMN", "A column of row weights.");
  TableFlags table;
  table.DeclareReading(args);
  if (!args.Parse(words)) return;
  const std::string model_file = ModelFile(model_path);
  CheckReadable(data_path);
  if (!options.labels_path.empty()) CheckReadable(options.labels_path);

  const Model model = Model::Load(model_file);
  options.task = model.task();
  options.like = &model.schema();
  table.Set(&options);
  TableReport report;
  options.report = &report;
  const Evaluation evaluation = Evaluate(model, ReadDataset(data_path, options));
  for (const std::string& warning : report.warnings)
    if (!args.quiet()) Note("warning: " + warning);
  Print(args.json() ? ToJson(evaluation) + "\n" : Summary(evaluation));
}

}  // namespace gopnet::cli
