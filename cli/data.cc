// gopnet data: shows the columns of a table and how training would use them.
#include "cli/commands.h"
#include "cli/json.h"
#include "cli/table_options.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

Json DataJson(const TableReport& report, const Dataset& data) {
  const bool classes = data.task == Task::kClassification;
  Json json = {{"rows", report.rows},
               {"features", data.features()},
               {"separator", report.separator.empty() ? Json() : Json(report.separator)},
               {"decimal", report.decimal.empty() ? Json() : Json(report.decimal)},
               {"header", report.header},
               {"task", classes ? "classification" : "regression"}};
  if (classes) json["classes"] = data.classes.size();
  json["columns"] = Json::array();
  for (const ColumnReport& c : report.columns) {
    json["columns"].push_back({{"name", c.name},
                               {"kind", c.kind},
                               {"used", c.used},
                               {"features", c.features},
                               {"blanks", c.blanks},
                               {"distinct", c.distinct},
                               {"use", c.use}});
  }
  json["warnings"] = report.warnings;
  return json;
}

std::string Text(const TableReport& report, const Dataset& data, bool all) {
  const bool classes = data.task == Task::kClassification;
  std::string text = ColumnsTable(report, false, all) + "\n";
  text += fmt::format("rows: {}; {} features\n", Grouped(report.rows), Grouped(data.features()));
  if (!report.separator.empty()) {
    text += fmt::format(
        "separator: {} (--separator), decimal sign: {} (--decimal), header: {} (--header)\n",
        report.separator, report.decimal, report.header ? "yes" : "no");
  }
  Words targets;
  for (const ColumnReport& c : report.columns)
    if (c.kind == "target") targets.push_back(c.name);
  const std::string what = classes ? fmt::format("{} classes", data.classes.size()) : "regression";
  const std::string target = JoinFirst(targets, targets.size());
  if (!target.empty()) text += fmt::format("target: {}, {} (--target, --task)\n", target, what);
  return text;
}

}  // namespace

void RunData(const Words& words) {
  Args args("data", "gopnet data train.csv --target species");
  std::string path, task = "auto";
  ReadOptions options;
  TableFlags table;
  args.Positional("FILE", &path, "Table to read; - reads CSV from stdin.");
  args.Option("target", &options.target, "COLUMNS",
              "Target column by name or 0-based index; a,b for several. Default: the last column.");
  args.Option("labels", &options.labels_path, "FILE",
              "File with the targets, if they are not a column of the table.");
  args.Option("weight_column", &options.weight_column, "COLUMN", "Column with row weights.");
  args.Option("task", &task, "NAME", "Task: auto, classification or regression. Default: auto.");
  bool all = false;
  args.Flag("all", &all, "List all columns. Default: the first 30.");
  table.Declare(args);
  if (!args.Parse(words)) return;
  table.Set(&options);
  options.task = ParseTask(task);
  CheckReadable(path);
  TableReport report;
  options.report = &report;
  options.count_distinct = true;
  const Dataset data = ReadDataset(path, options);
  if (args.json()) return PrintJson(DataJson(report, data));
  Print(Text(report, data, all));
  NoteWarnings(report, args.quiet());
}

}  // namespace gopnet::cli
