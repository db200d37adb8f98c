#include "gopnet/params.h"

#include <algorithm>

#include "algorithms/registry.h"
#include "base/names.h"
#include "base/visit.h"
#include "gopnet/train.h"
#include "kernels/simd.h"

namespace gopnet {

Params& Params::Set(const std::string& name, const std::string& value) {
  std::string key = name;
  std::replace(key.begin(), key.end(), '-', '_');
  values_[key] = value;
  return *this;
}
Params& Params::Set(const std::string& name, double value) { return Set(name, FormatValue(value)); }
Params& Params::Set(const std::string& name, int value) { return Set(name, FormatValue(value)); }

std::vector<AlgorithmInfo> Algorithms() {
  std::vector<AlgorithmInfo> infos;
  for (const Algorithm& a : AllAlgorithms()) {
    infos.push_back({a.name, a.summary, a.reference, a.describe()});
    infos.back().parameters.push_back(
        {"preset", "text", "default",
         "Set of defaults. paper is the paper's protocol. fast trains 3 networks of at most 2 "
         "layers; HeMLGOP and its relatives train fewer epochs. best trains each "
         "network once for each of 5 folds.",
         PresetNames(), ""});
  }
  return infos;
}

std::vector<OperatorInfo> Operators() { return AllOperators(); }
std::vector<std::string> Presets() { return PresetNames(); }
std::vector<std::string> GridParameters() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : AllAlgorithms()) {
    for (const std::string& name : algorithm.grid)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::map<std::string, std::string> Resolve(const std::string& algorithm, const Params& params) {
  return ResolveValues(FindAlgorithm(algorithm), params.values());
}

std::vector<std::string> NearestNames(const std::string& name,
                                      const std::vector<std::string>& candidates) {
  return ClosestNames(name, candidates);
}

std::string UseSimd(const std::string& name) {
  if (!name.empty()) PinSimd(name);
  return CurrentSimd();
}
std::vector<std::string> SimdTargets() { return SupportedSimd(); }
std::vector<std::string> TrainSimdTargets() {
  std::vector<std::string> names = SupportedSimd();
  std::erase_if(names, [](const std::string& name) { return !HasFusedMultiplyAdd(name); });
  return names;
}
const char* Version() { return GOPNET_VERSION; }

}  // namespace gopnet
