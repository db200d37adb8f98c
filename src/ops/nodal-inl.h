// The nodal operators psi(y, w), each written once over a value type V with its exact derivatives.
// To add one: write its struct and list it at the foot; kInPaper says whether it is in the paper's
// library (arXiv:1808.06377, Table 1), which is what a search goes through by default.
//
// Kernels prepare q = Input(y) once per row, so that constants and squares cost nothing per
// synapse. The transcendental part of an operator is its Factor; kernels compute it once in the
// forward pass and keep it for the backward pass. An operator without one is separable, psi = w q,
// and becomes a matrix product.
//
// With kFactors = 1 both factors are the same number; slopes may use b only.
//
// Where |w q| <= kSafe the plain formula cannot overflow; kernels then leave the guard out
// (kGuarded = false), which changes the time and not one bit of a finite result. No kSafe: always
// guarded.
//
// Key: for a maximum over k, a number that grows with psi and costs less; none: psi itself. kLogKey
// says that log2 psi = w q + log2|w| (+ log2|y| and the sign of y, kOddInput) where psi > 0;
// kGuardedKey, that this holds only without the guard.
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

// What the forward pass keeps of psi: a for its value, b for its slopes; often the same number.
template <class V>
struct Factor {
  V a, b;
  HWY_INLINE Factor(V value, V slope) : a(value), b(slope) {}
};

// E(t) = e^t up to c = 10 and its tangent beyond, so that neither values nor gradients overflow or
// die; small values stop at 2^-126. Its slope is min(E, e^c). Here t = ln2 w q. Returned as it is
// or less 1 (exact near 0).
inline constexpr double kGuard = 10.0 * kLog2E;          // c in units of ln2
inline constexpr double kGuardExp = 22026.465794806718;  // e^10
// Below c by so much that no rounded E reaches e^c: there the guard changes no bit.
inline constexpr double kSafeExp = 14.0;

template <bool kGuarded, class V>
HWY_INLINE V Tangent(V w, V q, V below, double offset) {
  if constexpr (kGuarded) {
    const V t = w * q;
    const V line = MulAdd(t - V(kGuard), V(kGuardExp * kLn2), V(kGuardExp - offset));
    return IfGreater(t, V(kGuard), line, below);
  } else {
    return below;
  }
}
template <bool kGuarded, class V>
HWY_INLINE V GuardedExp2(V w, V q) {
  return Tangent<kGuarded>(w, q, Exp2<kGuarded>(w, q), 0.0);
}
template <bool kGuarded, class V>
HWY_INLINE V GuardedExp2m1(V w, V q) {
  return Tangent<kGuarded>(w, q, Exp2m1<kGuarded>(w, q), 1.0);
}
// The slope of E from its value.
template <bool kGuarded, class V>
HWY_INLINE V GuardedSlope(V e) {
  if constexpr (kGuarded) {
    return Min(e, V(kGuardExp));
  } else {
    return e;
  }
}

// psi = w q with q = Op::Input(y): nothing to keep, q is its own factor.
template <class Op>
struct Separable {
  static constexpr int kFactors = 0;
  template <bool kGuarded, class V>
  static HWY_INLINE Factor<V> Factors(V q, V) {
    return {q, q};
  }
  template <class V>
  static HWY_INLINE V Value(V, V w, Factor<V> f) {
    return w * f.a;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradW(V, V, V, Factor<V> f) {
    return f.b;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradY(V y, V, V w, Factor<V>) {
    return w * Op::InputGrad(y);
  }
  template <class V>
  static HWY_INLINE V Key(V q, V w) {
    return w * q;
  }
};

// psi = w y
struct Multiplication : Separable<Multiplication> {
  static constexpr char kName[] = "multiplication";
  static constexpr char kFormula[] = "w*y";
  static constexpr bool kInPaper = true;
  static constexpr bool kIdentity = true;  // q = y
  template <class V>
  static HWY_INLINE V Input(V y) {
    return y;
  }
  template <class V>
  static HWY_INLINE V InputGrad(V) {
    return V(1.0);
  }
};

// psi = E(w y) - 1
struct Exponential {
  static constexpr char kName[] = "exponential";
  static constexpr char kFormula[] = "exp(w*y) - 1";
  static constexpr bool kInPaper = true;
  static constexpr int kFactors = 1;
  static constexpr double kSafe = kSafeExp;
  template <class V>
  static HWY_INLINE V Input(V y) {
    return V(kLog2E) * y;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE Factor<V> Factors(V q, V w) {
    const V m = GuardedExp2m1<kGuarded>(w, q);
    return {m, m};
  }
  template <class V>
  static HWY_INLINE V Value(V, V, Factor<V> f) {
    return f.a;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradW(V y, V, V, Factor<V> f) {
    return y * GuardedSlope<kGuarded>(f.b + V(1.0));
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradY(V, V, V w, Factor<V> f) {
    return w * GuardedSlope<kGuarded>(f.b + V(1.0));
  }
  template <class V>
  static HWY_INLINE V Key(V q, V w) {
    return w * q;
  }
};

// psi = sin(w y)
struct Harmonic {
  static constexpr char kName[] = "harmonic";
  static constexpr char kFormula[] = "sin(w*y)";
  static constexpr bool kInPaper = true;
  static constexpr int kFactors = 2;
  static constexpr double kSafe = 2097152.0;  // 2^21
  static constexpr double kPi = 3.14159265358979323846;
  template <class V>
  static HWY_INLINE V Input(V y) {
    return V(1 / kPi) * y;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE Factor<V> Factors(V q, V w) {
    const SinCos<V> sc = SinAndCosPi<kGuarded>(w, q);
    return {sc.sin, sc.cos};
  }
  template <class V>
  static HWY_INLINE V Value(V, V, Factor<V> f) {
    return f.a;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradW(V y, V, V, Factor<V> f) {
    return y * f.b;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradY(V, V, V w, Factor<V> f) {
    return w * f.b;
  }
  // Nearness to the next peak: w q - 1/2 rounded to an even number, which adding 1.5 * 2^24 does.
  template <class V>
  static HWY_INLINE V Key(V q, V w) {
    const V phase = MulAdd(w, q, V(-0.5));
    const V magic(25165824.0);
    return NegAbs(phase - ((phase + magic) - magic));
  }
};

// psi = w y^2
struct Quadratic : Separable<Quadratic> {
  static constexpr char kName[] = "quadratic";
  static constexpr char kFormula[] = "w*y^2";
  static constexpr bool kInPaper = true;
  static constexpr bool kIdentity = false;
  template <class V>
  static HWY_INLINE V Input(V y) {
    return y * y;
  }
  template <class V>
  static HWY_INLINE V InputGrad(V y) {
    return y + y;
  }
};

// What depends on E(-w y^2), with log2 psi as its key.
struct OfBell {
  static constexpr int kFactors = 1;
  static constexpr double kSafe = kSafeExp;
  template <class V>
  static HWY_INLINE V Input(V y) {
    return V(-kLog2E) * (y * y);
  }
  template <bool kGuarded, class V>
  static HWY_INLINE Factor<V> Factors(V q, V w) {
    const V e = GuardedExp2<kGuarded>(w, q);
    return {e, e};
  }
  static constexpr bool kLogKey = true;
};

// psi = w E(-w y^2)
struct Gaussian : OfBell {
  static constexpr char kName[] = "gaussian";
  static constexpr char kFormula[] = "w*exp(-w*y^2)";
  static constexpr bool kInPaper = true;
  template <class V>
  static HWY_INLINE V Value(V, V w, Factor<V> f) {
    return w * f.a;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradW(V, V q, V w, Factor<V> f) {
    return MulAdd(V(kLn2) * (w * q), GuardedSlope<kGuarded>(f.b), f.b);
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradY(V y, V, V w, Factor<V> f) {
    return V(-2.0) * (w * w) * (y * GuardedSlope<kGuarded>(f.b));
  }
  // psi > 0 where w > 0; the guard is for w < 0 only.
  static constexpr bool kOddInput = false;  // psi(-y) = psi(y)
  static constexpr bool kGuardedKey = false;
};

// psi = w y E(-w y^2), the derivative of a Gaussian
struct Dog : OfBell {
  static constexpr char kName[] = "dog";
  static constexpr char kFormula[] = "w*y*exp(-w*y^2)";
  static constexpr bool kInPaper = true;
  template <class V>
  static HWY_INLINE V Value(V y, V w, Factor<V> f) {
    return (w * y) * f.a;
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradW(V y, V q, V w, Factor<V> f) {
    return y * MulAdd(V(kLn2) * (w * q), GuardedSlope<kGuarded>(f.b), f.b);
  }
  template <bool kGuarded, class V>
  static HWY_INLINE V GradY(V, V q, V w, Factor<V> f) {
    return w * MulAdd(V(2 * kLn2) * (w * q), GuardedSlope<kGuarded>(f.b), f.b);
  }
  // psi > 0 where w and y have one sign
  static constexpr bool kOddInput = true;  // psi(-y) = -psi(y)
  static constexpr bool kGuardedKey = true;
};

using NodalList = TypeList<Multiplication, Exponential, Harmonic, Quadratic, Gaussian, Dog>;

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif
