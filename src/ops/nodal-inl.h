// The nodal operators psi(y, w) of the paper's library (arXiv:1808.06377, Table 1), each written
// once over a value type V with its exact derivatives. To add one: write its struct and list it at
// the foot.
//
// The transcendental part of an operator is its Factor; kernels compute it once in the forward pass
// and keep it for the backward pass. An operator without one is separable, psi = w phi(y), and
// becomes a matrix product.
#if defined(GOPNET_OPS_NODAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_OPS_NODAL_INL_H_
#undef GOPNET_OPS_NODAL_INL_H_
#else
#define GOPNET_OPS_NODAL_INL_H_
#endif

#include "ops/lanes-inl.h"
#include "ops/type_list.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

// What the forward pass keeps of psi: kFactors of the two values.
template <class V>
struct Factor {
  V a, b;
  HWY_INLINE Factor(V first, V second) : a(first), b(second) {}
};

// E(t) = e^t up to c = 10 and its tangent beyond, so that neither values nor gradients overflow or
// die. Its slope is e^min(t, c) = min(E, e^c). Returned less 1 (exact near 0) or as it is.
inline constexpr double kGuard = 10.0;
inline constexpr double kGuardExp = 22026.465794806718;  // e^10
inline constexpr double kExpFloor = -87.0;               // below it e^t leaves the normal floats

template <class V>
HWY_INLINE V GuardedExp(V t) {
  const V e = Exp(Max(Min(t, V(kGuard)), V(kExpFloor)));
  return MulAdd(e, Max(t - V(kGuard), V(0.0)), e);
}
template <class V>
HWY_INLINE V GuardedExpm1(V t) {
  const V m = Expm1(Max(Min(t, V(kGuard)), V(kExpFloor)));
  return MulAdd(m + V(1.0), Max(t - V(kGuard), V(0.0)), m);
}

// psi = w y
struct Multiplication {
  static constexpr char kName[] = "multiplication";
  static constexpr char kFormula[] = "w*y";
  static constexpr int kFactors = 0;
  static constexpr bool kIdentity = true;  // phi(y) = y
  template <class V>
  static HWY_INLINE V Phi(V y) {
    return y;
  }
  template <class V>
  static HWY_INLINE V PhiGrad(V) {
    return V(1.0);
  }
  template <class V>
  static HWY_INLINE Factor<V> Cached(V y, V) {
    return {y, y};
  }
  template <class V>
  static HWY_INLINE V Value(V y, V w, Factor<V>) {
    return w * y;
  }
  template <class V>
  static HWY_INLINE V GradW(V y, V, Factor<V>) {
    return y;
  }
  template <class V>
  static HWY_INLINE V GradY(V, V w, Factor<V>) {
    return w;
  }
};

// psi = E(w y) - 1
struct Exponential {
  static constexpr char kName[] = "exponential";
  static constexpr char kFormula[] = "exp(w*y) - 1";
  static constexpr int kFactors = 1;
  template <class V>
  static HWY_INLINE Factor<V> Cached(V y, V w) {
    const V m = GuardedExpm1(w * y);
    return {m, m};
  }
  template <class V>
  static HWY_INLINE V Key(V y, V w) {
    return w * y;
  }  // psi grows with it
  template <class V>
  static HWY_INLINE V Slope(Factor<V> f) {
    return Min(f.a, V(kGuardExp - 1)) + V(1.0);
  }
  template <class V>
  static HWY_INLINE V Value(V, V, Factor<V> f) {
    return f.a;
  }
  template <class V>
  static HWY_INLINE V GradW(V y, V, Factor<V> f) {
    return y * Slope(f);
  }
  template <class V>
  static HWY_INLINE V GradY(V, V w, Factor<V> f) {
    return w * Slope(f);
  }
};

// psi = sin(w y)
struct Harmonic {
  static constexpr char kName[] = "harmonic";
  static constexpr char kFormula[] = "sin(w*y)";
  static constexpr int kFactors = 2;
  template <class V>
  static HWY_INLINE Factor<V> Cached(V y, V w) {
    const SinCos<V> sc = SinAndCos(w * y);
    return {sc.sin, sc.cos};
  }
  template <class V>
  static HWY_INLINE V Value(V, V, Factor<V> f) {
    return f.a;
  }
  template <class V>
  static HWY_INLINE V GradW(V y, V, Factor<V> f) {
    return y * f.b;
  }
  template <class V>
  static HWY_INLINE V GradY(V, V w, Factor<V> f) {
    return w * f.b;
  }
};

// psi = w y^2
struct Quadratic {
  static constexpr char kName[] = "quadratic";
  static constexpr char kFormula[] = "w*y^2";
  static constexpr int kFactors = 0;
  static constexpr bool kIdentity = false;
  template <class V>
  static HWY_INLINE V Phi(V y) {
    return y * y;
  }
  template <class V>
  static HWY_INLINE V PhiGrad(V y) {
    return y + y;
  }
  template <class V>
  static HWY_INLINE Factor<V> Cached(V y, V) {
    return {y, y};
  }
  template <class V>
  static HWY_INLINE V Value(V y, V w, Factor<V>) {
    return w * (y * y);
  }
  template <class V>
  static HWY_INLINE V GradW(V y, V, Factor<V>) {
    return y * y;
  }
  template <class V>
  static HWY_INLINE V GradY(V y, V w, Factor<V>) {
    return V(2.0) * w * y;
  }
};

// psi = w E(-w y^2)
struct Gaussian {
  static constexpr char kName[] = "gaussian";
  static constexpr char kFormula[] = "w*exp(-w*y^2)";
  static constexpr int kFactors = 1;
  template <class V>
  static HWY_INLINE Factor<V> Cached(V y, V w) {
    const V e = GuardedExp(-(w * (y * y)));
    return {e, e};
  }
  template <class V>
  static HWY_INLINE V Value(V, V w, Factor<V> f) {
    return w * f.a;
  }
  template <class V>
  static HWY_INLINE V GradW(V y, V w, Factor<V> f) {
    return f.a - w * (y * y) * Min(f.a, V(kGuardExp));
  }
  template <class V>
  static HWY_INLINE V GradY(V y, V w, Factor<V> f) {
    return V(-2.0) * (w * w) * (y * Min(f.a, V(kGuardExp)));
  }
};

// psi = w y E(-w y^2), the derivative of a Gaussian
struct Dog {
  static constexpr char kName[] = "dog";
  static constexpr char kFormula[] = "w*y*exp(-w*y^2)";
  static constexpr int kFactors = 1;
  template <class V>
  static HWY_INLINE Factor<V> Cached(V y, V w) {
    const V e = GuardedExp(-(w * (y * y)));
    return {e, e};
  }
  template <class V>
  static HWY_INLINE V Value(V y, V w, Factor<V> f) {
    return (w * y) * f.a;
  }
  template <class V>
  static HWY_INLINE V GradW(V y, V w, Factor<V> f) {
    return y * (f.a - w * (y * y) * Min(f.a, V(kGuardExp)));
  }
  template <class V>
  static HWY_INLINE V GradY(V y, V w, Factor<V> f) {
    return w * (f.a - V(2.0) * (w * (y * y)) * Min(f.a, V(kGuardExp)));
  }
};

using NodalList = TypeList<Multiplication, Exponential, Harmonic, Quadratic, Gaussian, Dog>;

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif
