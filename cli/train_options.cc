#include "cli/train_options.h"

#include "cli/config.h"
#include "cli/files.h"
#include "cli/topics.h"
#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

constexpr size_t kLabelWidth = 16;  // longer lists of choices go to the text

std::string Label(const ParameterInfo& parameter) {
  const std::string choices = Join(parameter.choices, "|");
  if (!choices.empty() && choices.size() <= kLabelWidth) return choices;
  if (parameter.type == "int" || parameter.type == "float") return "N";
  return parameter.type == "text" ? "NAME" : "LIST";
}

std::string Doc(const Parameter& parameter) {
  const std::string choices = Join(parameter.info.choices, "|");
  const std::string value = parameter.DefaultText();
  std::string doc = parameter.info.doc;
  if (choices.size() > kLabelWidth) {
    doc += (parameter.info.type == "text" ? " One of " : " Some of ") + choices + ".";
  }
  return value.empty() ? doc : doc + " Default: " + value + ".";
}

}  // namespace

void TrainFlags::Declare(Args& args) {
  DeclareData(args);
  args.Group("Algorithm");
  args.Option("algorithm", &algorithm, "NAME",
              "What grows the network; gopnet help algorithms lists them. Default: popmem-o.");
  DeclareSettings(args);
}

void TrainFlags::DeclareSettings(Args& args) {
  args.Option("config", &config, "FILE",
              "Options and parameters from a .toml file (epochs = 50) or a run's config.json. The "
              "command line wins.");
  args.Repeated("set", &set, "KEY=VALUE", "A parameter by name; may be repeated.");
  args.Option("simd", &simd, "NAME", "Pins the instruction set: " + Join(SimdTargets()) + ".");
  DeclareParameters(args);
}

void TrainFlags::DeclareData(Args& args) {
  args.Group("Data (.csv, .tsv, both also .gz; .npy; .npz:key)");
  args.Option("train", &train, "FILE", "Rows to learn from.");
  args.Option("train_labels", &train_labels, "FILE", "Their targets, if not a column of the rows.");
  args.Option("train_weights", &train_weights, "FILE", "Their weights, one a row.");
  args.Option(
      "val", &val, "FILE",
      "Rows that choose operators and stop growth. Without it: --val-split. As they choose, "
      "their score is optimistic.");
  args.Option("val_labels", &val_labels, "FILE", "Their targets.");
  args.Option("test", &test, "FILE", "Rows for the final, honest score. Without it: --test-split.");
  args.Option("test_labels", &test_labels, "FILE", "Their targets.");
  args.Option("target", &target, "COLUMN",
              "The target by name or 0-based index; a,b for several. Default: the last column.");
  args.Option("weight_column", &weight_column, "COLUMN", "A column of row weights.");
  args.Option("task", &task, "NAME",
              "auto, classification or regression. auto goes by the values. Default: auto.");
  args.Flag("categorical", &categorical, "One-hot encode text columns.");
  args.Option("missing", &missing, "mean", "Fill blanks and NaN with the mean of their column.");
}

void TrainFlags::DeclareParameters(Args& args) {
  args.Group("Parameters (more: gopnet help parameters)");
  for (const Parameter& parameter : AllParameters()) {
    const std::string& name = parameter.info.name;
    if (args.Known(name)) continue;
    std::string* value = &parameters[name];
    if (parameter.info.type == "bool") {
      args.Switch(name, value, Doc(parameter));
    } else {
      args.Option(name, value, Label(parameter.info), Doc(parameter));
    }
  }
}

void TrainFlags::ReadConfigFile(Args& args) const {
  if (config.empty()) return;
  bool of_run = false;
  Settings settings = ReadConfig(config, &of_run);
  if (!args.Known("algorithm"))  // a run names its own; its parameters are good for others too
    std::erase_if(settings, [](const auto& s) { return Underscored(s.first) == "algorithm"; });
  for (const auto& [name, value] : settings) {
    if (name == "config") throw Error(config + ": key 'config': a config file names no other");
  }
  args.Apply(settings, config, /*chosen=*/!of_run);
  std::erase_if(settings, [&](const auto& s) { return args.OnCommandLine(Underscored(s.first)); });
  if (args.Known("algorithm")) CheckConfigValues(settings);
}

// One by one, so that the message can name the file.
void TrainFlags::CheckConfigValues(const Settings& settings) const {
  for (const auto& [key, value] : settings) {
    const std::string name = Underscored(key);
    if (parameters.count(name) == 0) continue;
    try {
      Resolve(algorithm, Params().Set(name, value));
    } catch (const Error& e) {
      throw Error(config + ": " + e.what());
    }
  }
}

Params TrainFlags::Chosen(const Args& args) const {
  Params params;
  CheckSets(args);
  for (const auto& [name, value] : parameters) {
    if (args.Has(name)) params.Set(name, value);
  }
  for (const std::string& item : set) {
    const size_t equals = item.find('=');
    params.Set(item.substr(0, equals), item.substr(equals + 1));
  }
  CheckSplits(args, params);
  if (args.Known("algorithm")) CheckGrid(args, params, {algorithm});
  return params;
}

}  // namespace gopnet::cli
