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
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) source[name] = value;
  };
  const auto add_path = [&](const char* name, const std::string& path) {
    if (!path.empty()) source[name] = std::filesystem::absolute(path).lexically_normal().string();
  };
  add_path("train", train), add_path("train_labels", train_labels);
  add_path("train_weights", train_weights);
  add_path("val", val), add_path("val_labels", val_labels);
  add_path("test", test), add_path("test_labels", test_labels);
  add("target", target), add("weight_column", weight_column), add("missing", missing);
  add("task", task), add("categorical", categorical ? "true" : "");
  return source;
}

}  // namespace gopnet::cli
