#include "kernels/simd.h"

#include <algorithm>

#include "base/check.h"
#include "base/names.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace gopnet {
namespace {

std::vector<int64_t> Targets() {  // a smaller bit is a better target
  std::vector<int64_t> targets;
  for (const int64_t t : hwy::SupportedAndGeneratedTargets()) targets.push_back(t);
  Check(!targets.empty(),
        "this CPU supports none of the instruction sets that gopnet was built for");
  std::sort(targets.begin(), targets.end());
  return targets;
}

}  // namespace

std::vector<std::string> SupportedSimd() {
  static const std::vector<int64_t> all = Targets();  // before anything is pinned
  std::vector<std::string> names;
  for (const int64_t t : all) names.push_back(Lowered(hwy::TargetName(t)));
  return names;
}

std::string CurrentSimd() { return Lowered(hwy::TargetName(Targets().front())); }

void PinSimd(const std::string& name) {
  const std::vector<std::string> names = SupportedSimd();
  const auto it = std::find(names.begin(), names.end(), name);
  Check(it != names.end(), "simd: must be one of ", JoinList(names, ", "), " on this CPU; got '",
        name, "'", DidYouMean(name, names));
  hwy::SetSupportedTargetsForTest(0);
  for (const int64_t t : Targets()) {
    if (Lowered(hwy::TargetName(t)) == name) {
      hwy::SetSupportedTargetsForTest(t);
      break;
    }
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

bool HasFusedMultiplyAdd(const std::string& simd) {
  return !simd.starts_with("sse") && !simd.starts_with("ssse") && simd != "emu128" &&
         simd != "scalar";
}

void CheckCanTrain() {
  const std::string simd = CurrentSimd();
  Check(HasFusedMultiplyAdd(simd), "training needs fused multiply-add (AVX2 or newer, or ARM64), ",
        "so that every CPU gives the same model; ", simd, " lacks it");
}

}  // namespace gopnet
