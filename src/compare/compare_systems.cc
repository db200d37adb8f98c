#include "compare/compare_systems.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "algorithms/registry.h"
#include "base/check.h"
#include "base/names.h"

namespace gopnet {
namespace {

using Words = std::vector<std::string>;
const char* const kStar = "popfast*";

bool Contains(const Words& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Null if the algorithm lacks it.
const ParameterInfo* Find(const std::vector<ParameterInfo>& infos, const std::string& name) {
  const auto it = std::ranges::find(infos, name, &ParameterInfo::name);
  return it == infos.end() ? nullptr : &*it;
}

Words AllNames() {
  Words names;
  for (const Algorithm& algorithm : AllAlgorithms()) names.push_back(algorithm.name);
  return names;
}

// The names to compare, popfast* among them where it belongs.
Words ChosenNames(const CompareOptions& options) {
  Words names = options.algorithms.empty() ? AllNames() : options.algorithms;
  Words known = AllNames();
  known.emplace_back(kStar);
  for (const std::string& name : names) {
    Check(Contains(known, name), "algorithms: unknown algorithm '", name, "'",
          DidYouMean(name, known), "; known: ", JoinList(known, ", "));
    Check(std::ranges::count(names, name) == 1, "algorithms: '", name, "' is listed twice");
  }
  const auto memory = std::ranges::find(names, "popmem-o");
  Check(memory != names.end() || !Contains(names, kStar),
        "algorithms: popfast* uses the topology of popmem-o; add popmem-o");
  if (memory == names.end() || Contains(names, kStar)) return names;
  const auto plain = std::ranges::find(names, "popfast");
  names.insert(plain == names.end() ? memory : plain + 1, kStar);
  return names;
}

Words Memories(const ParameterInfo& info, const Params& params) {
  Words memories = info.choices;
  std::erase(memories, "none");
  if (!params.Has("memory")) return memories;
  Words given = SplitList(params.values().at("memory"));
  Check(!given.empty(), "parameter memory: must be a list; got ''");
  for (const std::string& name : given) {
    Check(std::ranges::count(given, name) == 1, "parameter memory: '", name, "' is listed twice");
  }
  return given;
}

// The given parameters that the algorithm has. A loss by which systems are compared is not left
// out: an algorithm that lacks it refuses it.
Params ParamsFor(const Algorithm& algorithm, const CompareOptions& options) {
  const std::vector<ParameterInfo> infos = algorithm.describe();
  Params params;
  for (const auto& [name, value] : options.params.values()) {
    const ParameterInfo* info = Find(infos, name);
    if (name != "preset" && info == nullptr) continue;
    if (name == "loss" && info->choices.size() == 1 && !ComparesByLoss(options.params))
      continue;  // its loss cannot be chosen
    if (name != "seed" && name != "threads" && name != "memory") params.Set(name, value);
  }
  const unsigned long long seed = CompareSeeds(options).front();
  if (!options.resplit && !params.Has("split_seed"))
    params.Set("split_seed", std::to_string(std::max(seed, 1ULL)));  // 0 would be each run's own
  return params;
}

void AddSystems(const std::string& name, const CompareOptions& options,
                std::vector<CompareSystem>& systems) {
  const bool star = name == kStar;
  const Algorithm& algorithm = FindAlgorithm(star ? "popfast" : name);
  const Params params = ParamsFor(algorithm, options);
  const std::vector<ParameterInfo> infos = algorithm.describe();
  const ParameterInfo* memory = Find(infos, "memory");
  if (memory == nullptr) {
    systems.push_back({name, algorithm.name, "", "", params});
    return;
  }
  for (const std::string& type : Memories(*memory, options.params)) {
    systems.push_back({name + " " + type, algorithm.name, type, "", params});
    systems.back().params.Set("memory", type);
  }
}

// popfast* follows POPmem-O with PCA or, without that, the first POPmem-O there is.
void LinkStar(std::vector<CompareSystem>& systems) {
  const CompareSystem* base = nullptr;
  for (const CompareSystem& s : systems) {
    if (s.algorithm == "popmem-o" && (base == nullptr || s.memory == "pca")) base = &s;
  }
  for (CompareSystem& s : systems) {
    if (s.name == kStar) s.topology_of = base->name;
  }
}

// Each of the given parameters is one of some algorithm. Those of popfast* are popmem-o's, too.
void CheckKnown(const CompareOptions& options, const Words& algorithms) {
  Words known = {"preset"};
  for (const Algorithm& a : AllAlgorithms()) {
    if (!Contains(algorithms, a.name)) continue;
    for (const ParameterInfo& info : a.describe()) known.push_back(info.name);
  }
  for (const auto& given : options.params.values()) {
    Check(Contains(known, given.first), "none of ", JoinList(algorithms, ", "),
          " has a parameter '", given.first, "'", DidYouMean(given.first, known));
  }
}

// Of what all algorithms have, that parameter alone; the others are checked with each system.
CommonConfig ReadOnly(const std::string& name, const CompareOptions& options) {
  Values given = options.params.values();
  std::erase_if(given, [&](const auto& item) { return item.first != name; });
  return ReadConfig<CommonConfig>(given);
}

double Items(const Values& values, const char* name) {
  const auto it = values.find(name);
  return it == values.end() ? 1 : static_cast<double>(SplitList(it->second).size());
}

}  // namespace

bool ComparesByLoss(const Params& params) {
  return std::ranges::any_of(AllLosses(), [&](const Loss& loss) {
    return loss.selects && params.Has("loss") && params.values().at("loss") == loss.name;
  });
}

std::vector<CompareSystem> MakeSystems(const CompareOptions& options) {
  constexpr int kMaxRuns = 10000;
  Check(options.runs >= 1 && options.runs <= kMaxRuns, "runs: must be an integer from 1 to ",
        kMaxRuns, "; got ", options.runs);
  Check(!options.resplit || !options.params.Has("split_seed"),
        "resplit cannot be combined with split_seed");
  const Words names = ChosenNames(options);
  std::vector<CompareSystem> systems;
  for (const std::string& name : names) AddSystems(name, options, systems);
  CheckKnown(options, names);
  for (const CompareSystem& system : systems) SystemValues(system);
  LinkStar(systems);
  return systems;
}

Values SystemValues(const CompareSystem& system) {
  Values values = ResolveValues(FindAlgorithm(system.algorithm), system.params.values());
  for (const char* name : {"seed", "threads"}) values.erase(name);
  if (!system.topology_of.empty()) values.erase("topology");
  return values;
}

std::vector<unsigned long long> CompareSeeds(const CompareOptions& options) {
  const uint64_t seed = ReadOnly("seed", options).seed;
  const auto runs = static_cast<uint64_t>(options.runs);
  const uint64_t most = std::numeric_limits<uint64_t>::max() - runs;
  Check(seed <= most, "parameter seed: must be at most ", most, " for ", runs, " runs; got ", seed);
  std::vector<unsigned long long> seeds;
  for (uint64_t run = 0; run < runs; ++run) seeds.push_back(seed + run);
  return seeds;
}

int RequestedThreads(const CompareOptions& options) { return ReadOnly("threads", options).threads; }

double SystemCost(const CompareSystem& system) {
  const Values values = SystemValues(system);
  const auto epochs = values.find("epochs");
  const auto regulariser = values.find("regulariser");
  return Items(values, "nodal") * Items(values, "pool") * Items(values, "activation") *
         (epochs == values.end() ? 1 : 1 + std::strtod(epochs->second.c_str(), nullptr)) *
         (regulariser != values.end() && regulariser->second == "best_of_two" ? 2 : 1);
}

}  // namespace gopnet
