// The pool operators rho over z_1..z_K (arXiv:1808.06377, Table 1), listed at the foot.
//
// All but maximum are sums of products of kTerms neighbours; their derivative P_k = d rho / d z_k
// needs the neighbours of z_k only (a Window). Maximum is known by its argmax. Kernels rely on
// this: kTerms == 0 selects those of the maximum, and any other pool times a separable nodal
// operator is computed as a matrix product of kTerms neighbours. A pool of another shape needs
// kernels of its own.
#if defined(GOPNET_OPS_POOL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_OPS_POOL_INL_H_
#undef GOPNET_OPS_POOL_INL_H_
#else
#define GOPNET_OPS_POOL_INL_H_
#endif

#include "ops/lanes-inl.h"
#include "ops/type_list.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

// z_{k-2} .. z_{k+2}; what lies outside 1..K is 0.
template <class V>
struct Window {
  V m2, m1, z, p1, p2;
  HWY_INLINE Window() : m2(0.0), m1(0.0), z(0.0), p1(0.0), p2(0.0) {}
  // Moves on by one k; next is z_{k + kAhead}.
  template <int kAhead>
  HWY_INLINE void Push(V next) {
    m2 = m1;
    m1 = z;
    z = p1;
    p1 = kAhead == 1 ? next : p2;
    p2 = next;
  }
};

// rho = sum_k z_k
struct Sum {
  static constexpr char kName[] = "sum";
  static constexpr char kFormula[] = "sum_k z_k";
  static constexpr bool kInPaper = true;
  static constexpr int kTerms = 1;
  template <class V>
  struct State {
    V sum;
    HWY_INLINE State() : sum(0.0) {}
    HWY_INLINE void Add(V z) { sum = sum + z; }
    HWY_INLINE V Result() const { return sum; }
  };
  template <class V>
  static HWY_INLINE V Grad(const Window<V>&) {
    return V(1.0);
  }
};

// rho = sum_k z_k z_{k+1}
struct Correlation1 {
  static constexpr char kName[] = "correlation1";
  static constexpr char kFormula[] = "sum_k z_k*z_{k+1}";
  static constexpr bool kInPaper = true;
  static constexpr int kTerms = 2;
  template <class V>
  struct State {
    V sum, last;
    HWY_INLINE State() : sum(0.0), last(0.0) {}
    HWY_INLINE void Add(V z) {
      sum = MulAdd(last, z, sum);
      last = z;
    }
    HWY_INLINE V Result() const { return sum; }
  };
  template <class V>
  static HWY_INLINE V Grad(const Window<V>& w) {
    return w.m1 + w.p1;
  }
};

// rho = sum_k z_k z_{k+1} z_{k+2}
struct Correlation2 {
  static constexpr char kName[] = "correlation2";
  static constexpr char kFormula[] = "sum_k z_k*z_{k+1}*z_{k+2}";
  static constexpr bool kInPaper = true;
  static constexpr int kTerms = 3;
  template <class V>
  struct State {
    V sum, last, before;
    HWY_INLINE State() : sum(0.0), last(0.0), before(0.0) {}
    HWY_INLINE void Add(V z) {
      sum = MulAdd(before * last, z, sum);
      before = last;
      last = z;
    }
    HWY_INLINE V Result() const { return sum; }
  };
  template <class V>
  static HWY_INLINE V Grad(const Window<V>& w) {
    return MulAdd(w.p1, w.p2 + w.m1, w.m2 * w.m1);
  }
};

// rho = max_k z_k; of equal values the first counts
struct Maximum {
  static constexpr char kName[] = "maximum";
  static constexpr char kFormula[] = "max_k z_k";
  static constexpr bool kInPaper = true;
  static constexpr int kTerms = 0;
};

using PoolList = TypeList<Sum, Correlation1, Correlation2, Maximum>;

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif
