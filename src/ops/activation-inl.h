// The activation operators f(x) with f'(x), the latter from x and a = f(x). To add one: write its
// struct and list it at the foot; kInPaper says whether it is in the paper's library
// (arXiv:1808.06377, Table 1), which is what a search goes through by default.
#if defined(GOPNET_OPS_ACTIVATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_OPS_ACTIVATION_INL_H_
#undef GOPNET_OPS_ACTIVATION_INL_H_
#else
#define GOPNET_OPS_ACTIVATION_INL_H_
#endif

#include "ops/lanes-inl.h"
#include "ops/type_list.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

template <class V>
HWY_INLINE V ExpOfMinusAbs(V x) {  // e^-|x|, never overflows
  return Exp(Max(-Abs(x), V(-87.0)));
}

struct Sigmoid {
  static constexpr char kName[] = "sigmoid";
  static constexpr char kFormula[] = "1/(1 + exp(-x))";
  static constexpr bool kInPaper = true;
  template <class V>
  static HWY_INLINE V Value(V x) {
    const V e = ExpOfMinusAbs(x);
    return IfPositive(x, V(1.0), e) / (V(1.0) + e);
  }
  template <class V>
  static HWY_INLINE V Grad(V, V a) {
    return a * (V(1.0) - a);
  }
};

struct Tanh {
  static constexpr char kName[] = "tanh";
  static constexpr char kFormula[] = "tanh(x)";
  static constexpr bool kInPaper = true;
  template <class V>
  static HWY_INLINE V Value(V x) {
    const V m = Expm1(Max(Min(x + x, V(40.0)), V(-40.0)));
    return m / (m + V(2.0));
  }
  template <class V>
  static HWY_INLINE V Grad(V, V a) {
    return V(1.0) - a * a;
  }
};

struct Relu {
  static constexpr char kName[] = "relu";
  static constexpr char kFormula[] = "max(0, x)";
  static constexpr bool kInPaper = true;
  template <class V>
  static HWY_INLINE V Value(V x) {
    return Max(x, V(0.0));
  }
  template <class V>
  static HWY_INLINE V Grad(V x, V) {
    return IfPositive(x, V(1.0), V(0.0));
  }
};

struct Softplus {
  static constexpr char kName[] = "softplus";
  static constexpr char kFormula[] = "log(1 + exp(x))";
  static constexpr bool kInPaper = false;
  template <class V>
  static HWY_INLINE V Value(V x) {
    return Max(x, V(0.0)) + Log1p(ExpOfMinusAbs(x));
  }
  template <class V>
  static HWY_INLINE V Grad(V x, V) {
    return Sigmoid::Value(x);
  }
};

struct InverseAbsolute {
  static constexpr char kName[] = "inverse_absolute";
  static constexpr char kFormula[] = "x/(1 + |x|)";
  static constexpr bool kInPaper = false;
  template <class V>
  static HWY_INLINE V Value(V x) {
    return x / (V(1.0) + Abs(x));
  }
  template <class V>
  static HWY_INLINE V Grad(V x, V) {
    const V d = V(1.0) + Abs(x);
    return V(1.0) / (d * d);
  }
};

struct Elu {
  static constexpr char kName[] = "elu";
  static constexpr char kFormula[] = "x if x > 0 else exp(x) - 1";
  static constexpr bool kInPaper = false;
  template <class V>
  static HWY_INLINE V Value(V x) {
    return IfPositive(x, x, Expm1(Max(Min(x, V(0.0)), V(-87.0))));
  }
  template <class V>
  static HWY_INLINE V Grad(V x, V a) {
    return IfPositive(x, V(1.0), a + V(1.0));
  }
};

using ActivationList = TypeList<Sigmoid, Tanh, Relu, Softplus, InverseAbsolute, Elu>;

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif
