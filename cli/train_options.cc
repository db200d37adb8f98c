#include "cli/train_options.h"

#include <algorithm>
#include <cstdlib>

#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

constexpr size_t kLabelWidth = 16;  // longer lists of choices go to the description

std::string Label(const ParameterInfo& parameter) {
  const std::string choices = Join(parameter.choices, "|");
  if (!choices.empty() && choices.size() <= kLabelWidth) return choices;
  if (parameter.type == "bool") return "[BOOL]";
  if (parameter.type == "int" || parameter.type == "float") return "N";
  return parameter.type == "text" ? "NAME" : "LIST";
}

std::string Doc(const Parameter& parameter) {
  const std::string choices = Join(parameter.info.choices, "|");
  const std::string value = parameter.DefaultText();
  std::string doc = parameter.info.doc;
  if (choices.size() > kLabelWidth) {
    doc += (parameter.info.type == "text" ? " One of " : " Some of ") + choices + ".";
    if (choices.ends_with("|dog")) doc += fmt::format(" dog: {}.", kDog);
  }
  return value.empty() ? doc : doc + " Default: " + value + ".";
}

void AddParameter(const AlgorithmInfo& algorithm, const ParameterInfo& info,
                  std::vector<Parameter>& all) {
  auto found = std::ranges::find_if(all, [&](const auto& p) { return p.info.name == info.name; });
  if (found == all.end()) found = all.insert(all.end(), {info, {}, {}});
  for (const std::string& choice : info.choices) {  // some algorithms have fewer
    auto& all_choices = found->info.choices;
    if (!Contains(all_choices, choice)) all_choices.push_back(choice);
  }
  found->algorithms.push_back(algorithm.name);
  found->defaults.push_back(info.default_value);
}

bool HasParameter(const AlgorithmInfo& algorithm, const std::string& name) {
  const auto& all = algorithm.parameters;
  return std::ranges::find(all, name, &ParameterInfo::name) != all.end();
}

// The options that --help shows; --help-all shows all.
const Words kUsual = {"train",     "val",        "test",   "target",  "ignore",
                      "task",      "algorithm",  "preset", "memory",  "epochs",
                      "lr",        "topology",   "seed",   "threads", "class_weight",
                      "val_split", "test_split", "cv",     "out",     "time_limit",
                      "config",    "algorithms", "runs",   "csv",     "markdown"};

}  // namespace

std::string Parameter::DefaultText() const {
  std::map<std::string, Words> users;
  for (size_t i = 0; i < defaults.size(); ++i) users[defaults[i]].push_back(algorithms[i]);
  if (users.size() == 1) return defaults[0];
  const auto shown = [](const auto& use) { return use.first + " (" + Join(use.second) + ")"; };
  return Join(Mapped(users, shown), "; ");
}

std::vector<Parameter> AllParameters() {
  std::vector<Parameter> all;
  const std::vector<AlgorithmInfo> algorithms = Algorithms();
  for (const AlgorithmInfo& algorithm : algorithms) {
    for (const ParameterInfo& info : algorithm.parameters) AddParameter(algorithm, info, all);
  }
  for (Parameter& parameter : all)
    parameter.of_all = parameter.algorithms.size() == algorithms.size();
  return all;
}

void DeclareSimd(Args& args, std::string* simd) {
  args.Option("simd", simd, "NAME",
              "Instruction set: " + Join(TrainSimdTargets()) +
                  "; default: the best of this CPU. Does not change the model.");
}

void TrainFlags::DeclareSettings(Args& args) {
  args.Option("config", &config, "FILE",
              "Read options and parameters from a .toml file (epochs = 50) or a run's config.json. "
              "The command line takes precedence.");
  args.Repeated("set", &set, "KEY=VALUE", "Set a parameter by name; may be repeated.");
  DeclareSimd(args, &simd);
  for (const Parameter& parameter : AllParameters()) {
    const std::string& name = parameter.info.name;
    if (args.Known(name)) continue;
    args.Group(parameter.of_all ? "Parameters" : "Parameters of " + Join(parameter.algorithms));
    args.Option(name, &parameters[name], Label(parameter.info), Doc(parameter));
  }
  args.ShowFirst(kUsual);
}

void TrainFlags::ReadConfigFile(Args& args) const {
  if (config.empty()) return;
  bool of_run = false;
  Settings settings = ReadConfig(config, &of_run);
  if (!args.Known("algorithm"))  // compare takes the parameters of a run, not its algorithm
    std::erase_if(settings, [](const auto& s) { return Underscored(s.first) == "algorithm"; });
  for (const auto& [name, value] : settings) {
    if (name == "config")
      throw Error(config + ": key 'config': a config file cannot include another one");
  }
  args.Apply(settings, config, /*chosen=*/!of_run);
  std::erase_if(settings, [&](const auto& s) { return args.OnCommandLine(Underscored(s.first)); });
  if (args.Known("algorithm")) CheckConfigValues(settings);
}

// Checks the values one by one, so that the message can name the file.
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

Params TrainFlags::Chosen(Args& args) {
  args.Apply(Sets(args), "--set");
  Params params;
  for (const auto& [name, value] : parameters)
    if (args.Has(name)) params.Set(name, value);
  CheckSplits(args, params);
  if (args.Known("algorithm")) CheckGrid(args, params, {algorithm});
  return params;
}

Settings TrainFlags::Sets(const Args& args) const {
  Settings settings;
  for (const std::string& item : set) {
    const size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0)
      Fail("--set: must be KEY=VALUE; got '{}'", item);
    const std::string name = Underscored(item.substr(0, equals));
    if (parameters.count(name) == 0)
      Fail("--set: unknown parameter '{}'{}; gopnet help parameters lists them", name,
           Hint(name, Mapped(parameters, [](const auto& p) { return p.first; })));
    if (args.OnCommandLine(name))
      Fail("{} and --set {} set the same parameter; use one of them", args.AsGiven(name), item);
    settings.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return settings;
}

// The checks below find contradictory options. They consider only values that the user chose: the
// config of a run holds every parameter, and options override them.
void TrainFlags::CheckSplits(const Args& args, const Params& params) const {
  for (const std::string rows : {"val", "test"}) {
    const std::string part = rows + "_split";
    if (!args.Chosen(rows) || !args.Chosen(part)) continue;
    if (std::strtod(params.values().at(part).c_str(), nullptr) == 0) continue;  // no split
    Fail("{} and {} contradict each other; use a file or a part of the training rows",
         args.AsGiven(rows), args.AsGiven(part));
  }
}

void TrainFlags::CheckGrid(const Args& args, const Params& params, const Words& algorithms) const {
  if (!params.Has("grid") || params.values().at("grid") == "none") return;
  const std::vector<AlgorithmInfo> infos = Algorithms();
  for (const std::string& name : GridParameters()) {
    const bool used = std::ranges::any_of(infos, [&](const AlgorithmInfo& info) {
      const bool listed = algorithms.empty() || Contains(algorithms, info.name);
      return listed && HasParameter(info, name) && !HasParameter(info, "grid");
    });
    if (args.Chosen(name) && !used)
      Fail("{} and {} contradict each other, because the grid chooses {}; use one of them",
           args.AsGiven("grid"), args.AsGiven(name), name);
  }
}

}  // namespace gopnet::cli
