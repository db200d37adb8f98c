// gopnet evaluate: computes the metrics of a model on labelled rows.
#include "cli/commands.h"
#include "cli/summary.h"
#include "cli/table_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

constexpr char kSummary[] =
    "compute the metrics of a model on labelled rows.\n\n"
    "The metric brier is the mean squared error of the probabilities: of one class if there are\n"
    "two, otherwise summed over all classes. The metric loss is what training minimised; tables\n"
    "omit it if it equals log_loss.";
constexpr size_t kMaxConfusion = 20;  // classes; a larger matrix does not fit on a screen

std::string Classes(const Evaluation& evaluation) {
  std::vector<Words> rows = {{"class", "rows", "precision", "recall", "f1"}};
  for (const ClassReport& c : evaluation.classes) {
    rows.push_back({c.label, std::to_string(c.rows), Fixed(c.precision, 4), Fixed(c.recall, 4),
                    Fixed(c.f1, 4)});
  }
  return Table(rows);
}

std::string ConfusionTable(const Evaluation& evaluation) {
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
  for (const auto& [name, value] : evaluation.metrics) {
    if (name == "loss" && RepeatsLogLoss(evaluation.metrics)) continue;
    rows.push_back({name, Fixed(value, 4)});
  }
  std::string text = Table(rows);
  if (evaluation.unknown_labels > 0)
    text += fmt::format(
        "rows with labels that training never saw: {}; they count as errors, but loss, brier, ece "
        "and auc leave them out\n",
        evaluation.unknown_labels);
  if (!evaluation.targets.empty()) text += "\n" + TargetsTable(evaluation.targets);
  if (evaluation.classes.empty()) return text;
  text += "\n" + Classes(evaluation);
  return evaluation.classes.size() > kMaxConfusion ? text
                                                   : text + "\n" + ConfusionTable(evaluation);
}

}  // namespace

void RunEvaluate(const Words& words) {
  Args args("evaluate", "gopnet evaluate runs/first test.csv --target species", kSummary);
  LabelledRows rows;
  rows.Declare(args, "MODEL", "A run folder or a model.safetensors file.",
               "Rows with the columns of training; - reads CSV from stdin.",
               "Column with row weights.");
  if (!args.Parse(words)) return;
  const Model model = rows.Load();
  const Evaluation evaluation = Evaluate(model, rows.Read(model, args.quiet()));
  if (args.json()) return PrintData(ToJson(evaluation) + "\n");
  Print(Summary(evaluation));
}

}  // namespace gopnet::cli
