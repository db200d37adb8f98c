// The options of training about its rows. Files are checked first, and read after all other checks.
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "cli/files.h"
#include "cli/text.h"
#include "cli/train_options.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {
namespace {

using Option = FlagOption<TrainFlags>;

bool IsPath(const Option& option) { return std::string_view(option.label) == "FILE"; }

// The options in the order of --help. A run keeps their values, so that it can be resumed.
const std::vector<Option>& DataOptions() {
  static const std::vector<Option> options = [] {
    std::vector<Option> all = {
        {"train", &TrainFlags::train, "FILE", "Rows to learn from."},
        {"train_labels", &TrainFlags::train_labels, "FILE",
         "Targets of --train, if they are not a column of the rows."},
        {"train_weights", &TrainFlags::train_weights, "FILE", "Weights of --train, one per row."},
        {"val", &TrainFlags::val, "FILE",
         "Rows that choose operators and stop growth, which makes their score optimistic. Default: "
         "part of --train (--val-split)."},
        {"val_labels", &TrainFlags::val_labels, "FILE", "Targets of --val."},
        {"test", &TrainFlags::test, "FILE",
         "Rows for the final, unbiased score. Default: part of --train (--test-split)."},
        {"test_labels", &TrainFlags::test_labels, "FILE", "Targets of --test."},
        {"target", &TrainFlags::target, "COLUMNS",
         "Target column by name or 0-based index; a,b for several. Default: the last column."},
        {"weight_column", &TrainFlags::weight_column, "COLUMN", "Column with row weights."},
        {"task", &TrainFlags::task, "NAME",
         "Task: classification, regression, or auto to detect it from the values. Default: auto."},
    };
    for (const auto& [name, value, label, doc] : TableFlags::Options())
      all.push_back({name, value, label, doc});
    return all;
  }();
  return options;
}

void CheckPair(const std::string& set, bool has_rows, bool has_labels, bool train_has_labels) {
  if (has_labels && !has_rows) Fail("--{0}-labels needs --{0}", set);
  if (has_rows && has_labels != train_has_labels)
    Fail("--train-labels and --{}-labels: use both or neither", set);
}

}  // namespace

void TrainFlags::DeclareData(Args& args) {
  args.Group(
      "Data (.csv, .tsv, .txt, .data, also .gz; .arff; .libsvm; .npy; .npz:key; - for stdin)");
  for (const Option& option : DataOptions())
    args.Option(option.name, &(this->*option.value), option.label, option.doc);
}

void TrainFlags::CheckFiles() const {
  if (train.empty()) throw Error("--train is required; --help shows the options");
  CheckPair("val", !val.empty(), !val_labels.empty(), !train_labels.empty());
  CheckPair("test", !test.empty(), !test_labels.empty(), !train_labels.empty());
  Check();
  for (const Option& option : DataOptions())
    if (IsPath(option) && !(this->*option.value).empty()) CheckReadable(this->*option.value);
}

TrainData TrainFlags::Load(TableReport* report) const {
  TrainData data;
  ReadOptions options;
  options.target = target;
  options.weight_column = weight_column;
  options.task = ParseTask(task);
  Set(&options);
  options.labels_path = train_labels;
  options.weights_path = train_weights;
  options.report = report;
  data.train = ReadDataset(train, options);
  TableReport others;
  options.report = &others;
  options.weights_path.clear();
  options.task = data.train.task;
  options.like = &data.train.schema;
  options.labels_path = val_labels;
  if (!val.empty()) data.val = ReadDataset(val, options);
  options.labels_path = test_labels;
  if (!test.empty()) data.test = ReadDataset(test, options);
  if (report)
    report->warnings.insert(report->warnings.end(), others.warnings.begin(), others.warnings.end());
  return data;
}

std::map<std::string, std::string> TrainFlags::Source() const {
  std::map<std::string, std::string> source;
  for (const Option& option : DataOptions()) {
    const std::string& value = this->*option.value;
    if (value.empty()) continue;
    source[option.name] = IsPath(option) && value != "-"
                              ? PathAsText(std::filesystem::absolute(value).string())
                              : value;
  }
  return source;
}

void TrainFlags::TakeSource(const std::map<std::string, std::string>& source,
                            const std::string& folder) {
  for (const Option& option : DataOptions())
    if (const std::string* value = Find(source, option.name))
      this->*option.value = IsPath(option) ? PathFromText(*value) : *value;
  if (train == "-" && isatty(STDIN_FILENO) != 0)
    Fail(
        "{}: the run read its rows from standard input; pass them again: "
        "gopnet resume {} < ROWS",
        folder, ShellQuoted(folder));
  if (train.empty())
    Fail("{}: does not name the files of its rows; only runs of gopnet train do", folder);
}

}  // namespace gopnet::cli
