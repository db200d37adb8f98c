#include "gopnet/params.h"

#include <algorithm>

#include "algorithms/registry.h"
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
         "Set of defaults: default, paper (the paper's protocol), fast (100 + 50 "
         "epochs, 3 layers).",
         PresetNames(), ""});
  }
  return infos;
}

std::vector<OperatorInfo> Operators() {
  std::vector<OperatorInfo> infos;
  const auto add = [&](const char* kind, const auto& names, const auto& formulas, size_t in_paper) {
    for (size_t i = 0; i < names.size(); ++i)
      infos.push_back({kind, names[i], formulas[i], i < in_paper});
  };
  add("nodal", NodalNames(), NodalFormulas(), NodalNames().size());
  add("pool", PoolNames(), PoolFormulas(), PoolNames().size());
  add("activation", ActivationNames(), ActivationFormulas(),
      static_cast<size_t>(PaperActivations()));
  return infos;
}

std::vector<std::string> Presets() { return PresetNames(); }
std::vector<std::string> GridParameters() { return {"ridge", "l1", "norm_bound", "admm_mu"}; }

std::map<std::string, std::string> Resolve(const std::string& algorithm, const Params& params) {
  return ResolveValues(FindAlgorithm(algorithm), params.values());
}

std::string UseSimd(const std::string& name) {
  if (!name.empty()) PinSimd(name);
  return CurrentSimd();
}
std::vector<std::string> SimdTargets() { return SupportedSimd(); }
const char* Version() { return GOPNET_VERSION; }

}  // namespace gopnet
