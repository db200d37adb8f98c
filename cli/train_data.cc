// The part of training's options that tells how rows are read: files are checked first, and read
// when everything else is right.
#include <filesystem>
#include <string_view>

#include "cli/files.h"
#include "cli/train_options.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {
namespace {

struct DataOption {
  const char* name;
  std::string TrainFlags::*value;  // null: the flag `categorical`
  const char* label;
  const char* doc;

  bool is_path() const { return std::string_view(label) == "FILE"; }
};

// In the order of --help. A run keeps their values, so that it can be resumed.
constexpr DataOption kDataOptions[] = {
    {"train", &TrainFlags::train, "FILE", "Rows to learn from."},
    {"train_labels", &TrainFlags::train_labels, "FILE",
     "Their targets, if not a column of the rows."},
    {"train_weights", &TrainFlags::train_weights, "FILE", "Their weights, one a row."},
    {"val", &TrainFlags::val, "FILE",
     "Rows that choose operators and stop growth. Without it: --val-split. As they choose, their "
     "score is optimistic."},
    {"val_labels", &TrainFlags::val_labels, "FILE", "Their targets."},
    {"test", &TrainFlags::test, "FILE",
     "Rows for the final, honest score. Without it: --test-split."},
    {"test_labels", &TrainFlags::test_labels, "FILE", "Their targets."},
    {"target", &TrainFlags::target, "COLUMN",
     "The target by name or 0-based index; a,b for several. Default: the last column."},
    {"weight_column", &TrainFlags::weight_column, "COLUMN", "A column of row weights."},
    {"task", &TrainFlags::task, "NAME",
     "auto, classification or regression. auto goes by the values. Default: auto."},
    {"categorical", nullptr, "", "One-hot encode text columns."},
    {"missing", &TrainFlags::missing, "mean", "Fill blanks and NaN with the mean of their column."},
};

std::optional<Task> ParseTask(const std::string& name) {
  if (name == "auto") return std::nullopt;
  if (name == "classification") return Task::kClassification;
  if (name == "regression") return Task::kRegression;
  Fail("--task: unknown task '{}'{}; it is auto, classification or regression", name,
       Hint(name, {"auto", "classification", "regression"}));
}

void CheckPair(const std::string& set, bool has_rows, bool has_labels, bool train_has_labels) {
  if (has_labels && !has_rows) Fail("--{0}-labels is given without --{0}", set);
  if (has_rows && has_labels != train_has_labels)
    Fail("--train-labels and --{}-labels go together: give both or neither", set);
}

}  // namespace

void TrainFlags::DeclareData(Args& args) {
  args.Group("Data (.csv, .tsv, both also .gz; .npy; .npz:key)");
  for (const DataOption& option : kDataOptions) {
    if (option.value == nullptr) {
      args.Flag(option.name, &categorical, option.doc);
    } else {
      args.Option(option.name, &(this->*option.value), option.label, option.doc);
    }
  }
}

void TrainFlags::CheckFiles() const {
  if (train.empty()) throw Error("--train is required; --help shows the options");
  CheckPair("val", !val.empty(), !val_labels.empty(), !train_labels.empty());
  CheckPair("test", !test.empty(), !test_labels.empty(), !train_labels.empty());
  if (!missing.empty() && missing != "mean")
    Fail("--missing: '{}' is not known; it takes mean", missing);
  for (const DataOption& option : kDataOptions) {
    if (option.is_path() && !(this->*option.value).empty()) CheckReadable(this->*option.value);
  }
}

ReadOptions TrainFlags::Reading() const {
  ReadOptions options;
  options.target = target;
  options.weight_column = weight_column;
  options.task = ParseTask(task);
  options.categorical = categorical;
  options.fill_missing = !missing.empty();
  return options;
}

TrainData TrainFlags::Load() const {
  TrainData data;
  ReadOptions options = Reading();
  options.labels_path = train_labels;
  options.weights_path = train_weights;
  data.train = ReadDataset(train, options);
  options.weights_path.clear();
  options.task = data.train.task;
  options.like = &data.train.schema;
  options.labels_path = val_labels;
  if (!val.empty()) data.val = ReadDataset(val, options);
  options.labels_path = test_labels;
  if (!test.empty()) data.test = ReadDataset(test, options);
  return data;
}

std::map<std::string, std::string> TrainFlags::Source() const {
  std::map<std::string, std::string> source;
  for (const DataOption& option : kDataOptions) {
    const std::string value = option.value != nullptr ? this->*option.value
                              : categorical           ? "true"
                                                      : "";
    if (value.empty()) continue;
    source[option.name] =
        option.is_path() ? PathAsText(std::filesystem::absolute(value).string()) : value;
  }
  return source;
}

void TrainFlags::TakeSource(const std::map<std::string, std::string>& source,
                            const std::string& folder) {
  for (const DataOption& option : kDataOptions) {
    const auto given = source.find(option.name);
    if (option.value == nullptr || given == source.end()) continue;
    this->*option.value = option.is_path() ? PathFromText(given->second) : given->second;
  }
  categorical = source.count("categorical") != 0;
  if (train.empty())
    Fail("{}: does not say where its rows are; it was not begun by gopnet train", folder);
}

}  // namespace gopnet::cli
