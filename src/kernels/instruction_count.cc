// One more reading of the operators' formulas: with V = Counted they count their own instructions.
#include "kernels/instruction_count.h"

#include <bit>
#include <cassert>
#include <cstdint>

#include "ops/nodal-inl.h"
#include "ops/operator_set.h"
#include "ops/pool-inl.h"

// Formulas are inlined only into code for the instruction set they are compiled for.
HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace {

// The instructions that a value depends on, one bit each; what no result needs is not counted.
struct Counted {
  uint64_t fma = 0, add = 0;
  Counted() = default;
  explicit Counted(double) {}  // a constant
};
thread_local int next_bit = 0;

template <class... Rest>
Counted Needs(Counted first, Rest... rest) {
  ((first.fma |= rest.fma, first.add |= rest.add), ...);
  return first;
}
uint64_t NextBit() {
  assert(next_bit < 64);
  return uint64_t{1} << next_bit++;
}
template <class... Inputs>
Counted Fma(Inputs... inputs) {
  Counted result = Needs(inputs...);
  result.fma |= NextBit();
  return result;
}
template <class... Inputs>
Counted Add(Inputs... inputs) {
  Counted result = Needs(inputs...);
  result.add |= NextBit();
  return result;
}
InstructionCount Total(Counted value) {
  next_bit = 0;
  return {static_cast<double>(std::popcount(value.fma)),
          static_cast<double>(std::popcount(value.add))};
}

// All that formulas may use, whether or not one does today. A division counts as a multiplication.
[[maybe_unused]] Counted operator*(Counted a, Counted b) { return Fma(a, b); }
[[maybe_unused]] Counted operator/(Counted a, Counted b) { return Fma(a, b); }
[[maybe_unused]] Counted operator+(Counted a, Counted b) { return Add(a, b); }
[[maybe_unused]] Counted operator-(Counted a, Counted b) { return Add(a, b); }
[[maybe_unused]] Counted operator-(Counted a) { return Add(a); }
[[maybe_unused]] Counted MulAdd(Counted a, Counted b, Counted c) { return Fma(a, b, c); }
[[maybe_unused]] Counted MulSub(Counted a, Counted b, Counted c) { return Fma(a, b, c); }
[[maybe_unused]] Counted Min(Counted a, Counted b) { return Add(a, b); }
[[maybe_unused]] Counted Max(Counted a, Counted b) { return Add(a, b); }
[[maybe_unused]] Counted Xor(Counted a, Counted b) { return Add(a, b); }
[[maybe_unused]] Counted Abs(Counted a) { return Add(a); }
[[maybe_unused]] Counted NegAbs(Counted a) { return Add(a); }
[[maybe_unused]] Counted Sqrt(Counted a) { return Fma(a); }
[[maybe_unused]] Counted IfPositive(Counted x, Counted a, Counted b) { return Fma(Add(x), a, b); }
[[maybe_unused]] Counted IfGreater(Counted x, Counted y, Counted a, Counted b) {
  return Fma(Add(x, y), a, b);
}
template <int>
Counted ShiftBits(Counted a) {
  return Fma(a);
}

using namespace HWY_NAMESPACE;  // NOLINT: the formulas

[[maybe_unused]] Counted Exp(Counted u) { return Exp2<false>(u, Counted()); }
[[maybe_unused]] Counted Expm1(Counted u) { return Exp2m1<false>(u, Counted()); }

// The key of a maximum, then a compare, a max and a select of the index.
template <class Nodal>
Counted Maximum(Counted q, Counted w) {
  Counted key;
  if constexpr (requires { Nodal::kLogKey; }) {
    key = MulAdd(w, q, Counted());
    if (Nodal::kOddInput) key = key + Counted();
  } else if constexpr (requires { Nodal::Key(q, w); }) {
    key = Nodal::Key(q, w);
  } else {
    key = Nodal::Value(Counted(), w, Nodal::template Factors<false>(q, w));
  }
  return Needs(Fma(Add(key)), Add(key));
}

// One register of synapses, forward and, if asked, to the gradient of its weights with the factors
// kept. A matrix product takes one FMA for either; of a maximum only the argmax has a gradient.
template <class Nodal, class Pool>
Counted Synapses(bool dw) {
  const Counted y, q, w, delta;
  if constexpr (Pool::kTerms == 0) {
    return Maximum<Nodal>(q, w);
  } else if constexpr (Nodal::kFactors == 0) {
    return dw ? Fma(Fma(w)) : Fma(w);
  } else {
    const Factor<Counted> f = Nodal::template Factors<false>(q, w);
    typename Pool::template State<Counted> rho;
    rho.Add(Nodal::Value(y, w, f));
    if (!dw) return rho.Result();
    Counted share = delta;
    if constexpr (Pool::kTerms > 1) {  // z_k enters the window anew
      Window<Counted> z;
      z.template Push<Pool::kTerms - 1>(Nodal::Value(y, w, f));
      z.m1 = z.m2 = z.p1;
      share = delta * Pool::Grad(z);
    }
    return Needs(rho.Result(), MulAdd(share, Nodal::template GradW<false>(y, q, w, f), Counted()));
  }
}

InstructionCount CountPair(int nodal, int pool, bool dw) {
  InstructionCount count;
  VisitPair(NodalList(), PoolList(), nodal, pool,
            [&]<class Nodal, class Pool>() { count = Total(Synapses<Nodal, Pool>(dw)); });
  return count;
}

}  // namespace

InstructionCount ForwardInstructions(int nodal, int pool) { return CountPair(nodal, pool, false); }
InstructionCount ForwardDwInstructions(int nodal, int pool) { return CountPair(nodal, pool, true); }

}  // namespace gopnet
HWY_AFTER_NAMESPACE();
