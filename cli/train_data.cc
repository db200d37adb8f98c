// The part of training's options that names files: checked first, read when everything else is
// right.
#include <filesystem>

#include "cli/files.h"
#include "cli/train_options.h"
#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

std::optional<Task> ParseTask(const std::string& name) {
  if (name == "auto") return std::nullopt;
  if (name == "classification") return Task::kClassification;
  if (name == "regression") return Task::kRegression;
  throw Error("--task: unknown task '" + name + "'" +
              Hint(name, {"auto", "classification", "regression"}) +
              "; it is auto, classification or regression");
}

void CheckPair(const std::string& set, bool has_rows, bool has_labels, bool train_has_labels) {
  if (has_labels && !has_rows) throw Error("--" + set + "-labels is given without --" + set);
  if (has_rows && has_labels != train_has_labels) {
    throw Error("--train-labels and --" + set + "-labels go together: give both or neither");
  }
}

}  // namespace

// Calls use(name, value, whether it is a path) for everything that tells how rows are read.
template <class Use>
void TrainFlags::EachOfSource(const Use& use) {
  use("train", train, true), use("train_labels", train_labels, true);
  use("train_weights", train_weights, true);
  use("val", val, true), use("val_labels", val_labels, true);
  use("test", test, true), use("test_labels", test_labels, true);
  use("target", target, false), use("weight_column", weight_column, false);
  use("missing", missing, false), use("task", task, false);
}

void TrainFlags::CheckFiles() const {
  if (train.empty()) throw Error("--train is required; --help shows the options");
  CheckPair("val", !val.empty(), !val_labels.empty(), !train_labels.empty());
  CheckPair("test", !test.empty(), !test_labels.empty(), !train_labels.empty());
  if (!missing.empty() && missing != "mean") {
    throw Error("--missing: '" + missing + "' is not known; it takes mean");
  }
  for (const auto& path :
       {train, train_labels, train_weights, val, val_labels, test, test_labels}) {
    if (!path.empty()) CheckReadable(path);
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
  const auto take = [&](const char* name, const std::string& value, bool path) {
    if (value.empty()) return;
    source[name] = path ? std::filesystem::absolute(value).string() : value;
  };
  TrainFlags copy = *this;
  copy.EachOfSource(take);
  if (categorical) source["categorical"] = "true";
  return source;
}

void TrainFlags::TakeSource(const std::map<std::string, std::string>& source,
                            const std::string& folder) {
  EachOfSource([&](const char* name, std::string& value, bool) {
    const auto it = source.find(name);
    if (it != source.end()) value = it->second;
  });
  categorical = source.count("categorical") != 0;
  if (train.empty())
    throw Error(folder + ": does not say where its rows are; it was not begun by gopnet train");
}

}  // namespace gopnet::cli
