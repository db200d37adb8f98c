#include "kernels/peak.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/peak.cc"  // NOLINT
// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A chain is a register whose instructions wait for each other. With m = 1/2 its numbers stay
// normal for ever.
template <class V, class... Chains>
HWY_INLINE void MulAddEach(V m, Chains&... a) {
  ((a = hn::MulAdd(a, m, m)), ...);
}
template <class V, class... Chains>
HWY_INLINE void AddEach(V m, Chains&... a) {
  ((a = hn::Add(a, m)), ...);
}
template <class V, class... Chains>
HWY_INLINE float Total(V a, Chains... rest) {
  const hn::ScalableTag<float> d;
  return hn::GetLane(hn::SumOfLanes(d, a)) + (hn::GetLane(hn::SumOfLanes(d, rest)) + ...);
}

// Both runs have 48 instructions a round. start holds a different number for every chain, lest the
// compiler take them for one.

// 12 chains: two pipes of a latency up to 6.
float RunFma(const volatile float* start, float half, size_t rounds) {
  const hn::ScalableTag<float> d;
  const auto set = [&](int i) HWY_ATTR { return hn::Set(d, start[i]); };
  auto a0 = set(0), a1 = set(1), a2 = set(2), a3 = set(3), a4 = set(4), a5 = set(5), a6 = set(6),
       a7 = set(7), a8 = set(8), a9 = set(9), a10 = set(10), a11 = set(11);
  const auto m = hn::Set(d, half);
  for (size_t i = 0; i < rounds; ++i) {
    MulAddEach(m, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
    MulAddEach(m, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
    MulAddEach(m, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
    MulAddEach(m, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
  }
  return Total(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);
}

// 8 chains of multiply-adds and 6 of additions, whose latency is shorter: with m they fill the 16
// registers that most targets have.
float RunMixed(const volatile float* start, float half, size_t rounds) {
  const hn::ScalableTag<float> d;
  const auto set = [&](int i) HWY_ATTR { return hn::Set(d, start[i]); };
  auto a0 = set(0), a1 = set(1), a2 = set(2), a3 = set(3), a4 = set(4), a5 = set(5), a6 = set(6),
       a7 = set(7);
  auto b0 = set(8), b1 = set(9), b2 = set(10), b3 = set(11), b4 = set(12), b5 = set(13);
  const auto m = hn::Set(d, half);
  for (size_t i = 0; i < rounds; ++i) {
    MulAddEach(m, a0, a1, a2, a3, a4, a5);
    AddEach(m, b0, b1, b2, b3, b4, b5);
    MulAddEach(m, a6, a7, a0, a1, a2, a3);
    AddEach(m, b0, b1, b2, b3, b4, b5);
    MulAddEach(m, a4, a5, a6, a7, a0, a1);
    AddEach(m, b0, b1, b2, b3, b4, b5);
    MulAddEach(m, a2, a3, a4, a5, a6, a7);
    AddEach(m, b0, b1, b2, b3, b4, b5);
  }
  return Total(a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5);
}

size_t LaneCount() { return hn::Lanes(hn::ScalableTag<float>()); }

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gopnet {
namespace {

HWY_EXPORT(RunFma);
HWY_EXPORT(RunMixed);
HWY_EXPORT(LaneCount);

constexpr size_t kPerRound = 48;
constexpr size_t kRounds = 10000;  // about 0.1 ms: few repeats are interrupted
constexpr double kSeconds = 0.05;  // of repeats: enough for the clock to settle
const volatile float kStart[14] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};

template <class Run>
double Best(const Run& run) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration t) { return std::chrono::duration<double>(t).count(); };
  volatile float sink = 0;
  double fastest = 1e9;
  const auto begin = Clock::now();
  for (auto start = begin; seconds(start - begin) < kSeconds;) {
    sink = run(kStart, 0.5f, kRounds);
    const auto end = Clock::now();
    fastest = std::min(fastest, seconds(end - start));
    start = end;
  }
  (void)sink;
  return static_cast<double>(HWY_DYNAMIC_DISPATCH(LaneCount)() * kPerRound * kRounds) / fastest;
}

}  // namespace

double FmaPeak() { return Best(HWY_DYNAMIC_DISPATCH(RunFma)); }
double MixedPeak() { return Best(HWY_DYNAMIC_DISPATCH(RunMixed)); }

}  // namespace gopnet
#endif
