// Options of training that contradict each other. What counts is what the user chose: the config of
// a run holds every parameter, and none of them stands against an option.
#include <algorithm>
#include <cstdlib>

#include "cli/train_options.h"
#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

bool HasParameter(const AlgorithmInfo& algorithm, const std::string& name) {
  return std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                     [&](const ParameterInfo& info) { return info.name == name; });
}

std::string NameOf(const std::string& set) { return Underscored(set.substr(0, set.find('='))); }

}  // namespace

std::string TrainFlags::AsGiven(const Args& args, const std::string& name) const {
  for (auto item = set.rbegin(); item != set.rend(); ++item) {
    if (NameOf(*item) == name) return "--set " + *item;
  }
  return args.Chosen(name) ? args.AsGiven(name) : "";
}

void TrainFlags::CheckSets(const Args& args) const {
  for (const std::string& item : set) {
    const size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error("--set: '" + item + "' given, KEY=VALUE wanted");
    const std::string name = NameOf(item);
    if (parameters.count(name) == 0) {
      Words known;
      for (const auto& parameter : parameters) known.push_back(parameter.first);
      throw Error("--set: unknown parameter '" + name + "'" + Hint(name, known) +
                  "; gopnet help parameters lists them");
    }
    if (args.OnCommandLine(name))
      throw Error(args.AsGiven(name) + " and --set " + item + " are both given, one is wanted");
  }
}

void TrainFlags::CheckSplits(const Args& args, const Params& params) const {
  for (const std::string rows : {"val", "test"}) {
    const std::string part = rows + "_split";
    const std::string given = AsGiven(args, part);
    if (!args.Chosen(rows) || given.empty()) continue;
    if (std::strtod(params.values().at(part).c_str(), nullptr) == 0) continue;  // no part: no clash
    throw Error(args.AsGiven(rows) + " and " + given +
                " are both given, a file of rows or a part of the training rows is wanted");
  }
}

void TrainFlags::CheckGrid(const Args& args, const Params& params, const Words& algorithms) const {
  if (!params.Has("grid") || params.values().at("grid") == "none") return;
  const std::vector<AlgorithmInfo> infos = Algorithms();
  for (const std::string& name : GridParameters()) {
    const std::string given = AsGiven(args, name);
    const bool used = std::any_of(infos.begin(), infos.end(), [&](const AlgorithmInfo& info) {
      const bool listed = std::count(algorithms.begin(), algorithms.end(), info.name) > 0;
      return (listed || algorithms.empty()) && HasParameter(info, name) &&
             !HasParameter(info, "grid");
    });
    if (given.empty() || used) continue;
    const std::string grid = AsGiven(args, "grid");
    throw Error((grid.empty() ? args.AsGiven("grid") : grid) + " and " + given +
                " are both given, but the grid chooses " + name + "; one is wanted");
  }
}

}  // namespace gopnet::cli
