// Lanes: a register of floats with arithmetic, so that a formula written over a value type V reads
// as a formula and runs as SIMD. The same functions exist for double, the reading that tests
// compare with. Included once per target by Highway's foreach_target; constructors are spelled out
// because generated ones would miss the target's attributes.
#if defined(GOPNET_OPS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_OPS_LANES_INL_H_
#undef GOPNET_OPS_LANES_INL_H_
#else
#define GOPNET_OPS_LANES_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Lanes {
  using Tag = hn::ScalableTag<float>;
  using Vec = hn::Vec<Tag>;
  Vec v;

  HWY_INLINE Lanes() : v(hn::Zero(Tag())) {}
  HWY_INLINE Lanes(Vec raw) : v(raw) {}  // NOLINT: a register is a value
  HWY_INLINE Lanes(double x)
      : v(hn::Set(Tag(), static_cast<float>(x))) {}  // NOLINT: constants in formulas
  static constexpr size_t Size() { return HWY_LANES(float); }
  static HWY_INLINE Lanes Load(const float* p) { return Lanes(hn::Load(Tag(), p)); }
  static HWY_INLINE Lanes Broadcast(const float* p) { return Lanes(hn::Set(Tag(), *p)); }
  HWY_INLINE void Store(float* p) const { hn::Store(v, Tag(), p); }
};

HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return Lanes(hn::Add(a.v, b.v)); }
HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return Lanes(hn::Sub(a.v, b.v)); }
HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return Lanes(hn::Mul(a.v, b.v)); }
HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return Lanes(hn::Div(a.v, b.v)); }
HWY_INLINE Lanes operator-(Lanes a) { return Lanes(hn::Neg(a.v)); }
// a < b ? a : b and a > b ? a : b, also of NaN and of zeros of either sign; x86 has them as one
// instruction.
#if HWY_ARCH_X86
HWY_INLINE Lanes Min(Lanes a, Lanes b) { return Lanes(hn::Min(a.v, b.v)); }
HWY_INLINE Lanes Max(Lanes a, Lanes b) { return Lanes(hn::Max(a.v, b.v)); }
#else
HWY_INLINE Lanes Min(Lanes a, Lanes b) { return Lanes(hn::IfThenElse(hn::Lt(a.v, b.v), a.v, b.v)); }
HWY_INLINE Lanes Max(Lanes a, Lanes b) { return Lanes(hn::IfThenElse(hn::Gt(a.v, b.v), a.v, b.v)); }
#endif
HWY_INLINE Lanes Abs(Lanes a) { return Lanes(hn::Abs(a.v)); }
HWY_INLINE Lanes Sqrt(Lanes a) { return Lanes(hn::Sqrt(a.v)); }
// a * b + c
HWY_INLINE Lanes MulAdd(Lanes a, Lanes b, Lanes c) { return Lanes(hn::MulAdd(a.v, b.v, c.v)); }
// a * b - c
HWY_INLINE Lanes MulSub(Lanes a, Lanes b, Lanes c) { return Lanes(hn::MulSub(a.v, b.v, c.v)); }
HWY_INLINE Lanes Xor(Lanes a, Lanes b) { return Lanes(hn::Xor(a.v, b.v)); }
// The bits of a, as an integer, shifted left.
template <int kCount>
HWY_INLINE Lanes ShiftBits(Lanes a) {
  const hn::RebindToSigned<Lanes::Tag> di;
  return Lanes(hn::BitCast(Lanes::Tag(), hn::ShiftLeft<kCount>(hn::BitCast(di, a.v))));
}
// a > b ? yes : no
HWY_INLINE Lanes IfGreater(Lanes a, Lanes b, Lanes yes, Lanes no) {
  return Lanes(hn::IfThenElse(hn::Gt(a.v, b.v), yes.v, no.v));
}
// -|a|
HWY_INLINE Lanes NegAbs(Lanes a) { return Lanes(hn::Or(a.v, hn::SignBit(Lanes::Tag()))); }
// x > 0 ? a : b
HWY_INLINE Lanes IfPositive(Lanes x, Lanes a, Lanes b) {
  return Lanes(hn::IfThenElse(hn::Gt(x.v, hn::Zero(Lanes::Tag())), a.v, b.v));
}

// 0, 1, 2, ...: Highway's Iota may write the numbers to memory one by one.
HWY_INLINE hn::Vec<hn::RebindToSigned<Lanes::Tag>> LaneNumbers() {
  HWY_ALIGN static constexpr int32_t kNumbers[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                     8, 9, 10, 11, 12, 13, 14, 15};
  static_assert(Lanes::Size() <= 16);
  return hn::Load(hn::RebindToSigned<Lanes::Tag>(), kNumbers);
}

// Value and slope at once where both come from the same work.
template <class V>
struct SinCos {
  V sin, cos;
  HWY_INLINE SinCos(V s, V c) : sin(s), cos(c) {}
};

// 2^(w q) = scale (1 + rest). w q = n + r with |r| <= 1/2 by adding and subtracting 1.5 * 2^23,
// which rounds to an integer; 127 more leaves the bits of 2^n in the sum. Without kGuarded, |w q|
// <= 126. With it, small powers stop at 2^-126; large ones are for the caller to replace.
template <bool kGuarded, class V>
struct Exp2Parts {
  V scale;  // 2^n
  V rest;   // 2^r - 1, relative error 1e-7
  HWY_INLINE Exp2Parts(V w, V q) : scale(0.0), rest(0.0) {
    const V magic(12582912.0 + 127.0);
    V shifted = MulAdd(w, q, magic);
    if constexpr (kGuarded) shifted = Max(shifted, V(12582912.0 + 1.0));
    V r = MulSub(w, q, shifted - magic);
    if constexpr (kGuarded) r = Max(r, V(-0.5));
    V p = MulAdd(V(0.00015469735), r, V(0.0013390867));
    p = MulAdd(p, r, V(0.009618031));
    p = MulAdd(p, r, V(0.05550357));
    p = MulAdd(p, r, V(0.2402265));
    p = MulAdd(p, r, V(0.6931472));
    rest = p * r;
    scale = ShiftBits<23>(shifted);
  }
};

inline constexpr double kLog2E = 1.44269504088896341;
inline constexpr double kLn2 = 0.693147180559945309;

// 2^(w q) and 2^(w q) - 1; the second is accurate to the last bits also near 0.
template <bool kGuarded, class V>
HWY_INLINE V Exp2(V w, V q) {
  const Exp2Parts<kGuarded, V> p(w, q);
  return MulAdd(p.scale, p.rest, p.scale);
}
template <bool kGuarded, class V>
HWY_INLINE V Exp2m1(V w, V q) {
  const Exp2Parts<kGuarded, V> p(w, q);
  return MulAdd(p.scale, p.rest, p.scale - V(1.0));
}
// e^u and e^u - 1 for u in [-87, 88]
HWY_INLINE Lanes Exp(Lanes u) { return Exp2<false>(u, Lanes(kLog2E)); }
HWY_INLINE Lanes Expm1(Lanes u) { return Exp2m1<false>(u, Lanes(kLog2E)); }

// sin and cos of pi w q by w q = n + r, |r| <= 1/2; absolute error 2e-7 + 1e-7 |w q|. Beyond
// |w q| = 2^21 a float no longer holds a phase: with kGuarded the result is some number in [-1, 1].
template <bool kGuarded, class V>
HWY_INLINE SinCos<V> SinAndCosPi(V w, V q) {
  const V magic(12582912.0);
  const V shifted = MulAdd(w, q, magic);
  V r = MulSub(w, q, shifted - magic);
  if constexpr (kGuarded) r = Max(Min(r, V(0.5)), V(-0.5));
  const V s = r * r;
  V p = MulAdd(V(0.07756039), s, V(-0.5982421));
  p = MulAdd(p, s, V(2.5500698));
  p = MulAdd(p, s, V(-5.16771));
  p = MulAdd(p, s, V(3.1415927));
  V c = MulAdd(V(0.22011903), s, V(-1.3321136));
  c = MulAdd(c, s, V(4.0584545));
  c = MulAdd(c, s, V(-4.934796));
  c = MulAdd(c, s, V(1.0));
  const V sign = ShiftBits<31>(shifted);  // an odd n turns both signs
  return {Xor(p * r, sign), Xor(c, sign)};
}

// log2(x) for normal x > 0: exponent plus a polynomial on [sqrt(1/2), sqrt(2)), relative error
// 2e-7.
HWY_INLINE Lanes Log2(Lanes x) {
  const hn::RebindToSigned<Lanes::Tag> di;
  const auto bits = hn::BitCast(di, x.v);
  const auto n = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3F3504F3)));
  const Lanes t =
      Lanes(hn::BitCast(Lanes::Tag(), hn::Sub(bits, hn::ShiftLeft<23>(n)))) - Lanes(1.0);
  Lanes p = MulAdd(Lanes(-0.14973326), t, Lanes(0.23570964));
  p = MulAdd(p, t, Lanes(-0.24832281));
  p = MulAdd(p, t, Lanes(0.28686887));
  p = MulAdd(p, t, Lanes(-0.36026347));
  p = MulAdd(p, t, Lanes(0.48093116));
  p = MulAdd(p, t, Lanes(-0.72135246));
  p = MulAdd(p, t, Lanes(1.4426949));
  return MulAdd(p, t, Lanes(hn::ConvertTo(Lanes::Tag(), n)));
}
HWY_INLINE Lanes Log1p(Lanes u) {  // for u in (0, 1], as softplus needs: 2 atanh(u / (2 + u))
  const Lanes t = u / (u + Lanes(2.0));
  const Lanes s = t * t;
  Lanes p = MulAdd(Lanes(1.0 / 13), s, Lanes(1.0 / 11));
  p = MulAdd(p, s, Lanes(1.0 / 9));
  p = MulAdd(p, s, Lanes(1.0 / 7));
  p = MulAdd(p, s, Lanes(1.0 / 5));
  p = MulAdd(p, s, Lanes(1.0 / 3));
  p = MulAdd(p, s, Lanes(1.0));
  return (t + t) * p;
}

// The same words for double: the reference.
HWY_INLINE double Min(double a, double b) { return std::min(a, b); }
HWY_INLINE double Max(double a, double b) { return std::max(a, b); }
HWY_INLINE double Abs(double a) { return std::fabs(a); }
HWY_INLINE double MulAdd(double a, double b, double c) { return a * b + c; }
HWY_INLINE double IfPositive(double x, double a, double b) { return x > 0 ? a : b; }
HWY_INLINE double Exp(double u) { return std::exp(u); }
HWY_INLINE double Expm1(double u) { return std::expm1(u); }
HWY_INLINE double Log1p(double u) { return std::log1p(u); }
HWY_INLINE double MulSub(double a, double b, double c) { return a * b - c; }
HWY_INLINE double IfGreater(double a, double b, double yes, double no) { return a > b ? yes : no; }
HWY_INLINE double NegAbs(double a) { return -std::fabs(a); }
template <bool kGuarded>
HWY_INLINE double Exp2(double w, double q) {
  return std::exp2(w * q);
}
template <bool kGuarded>
HWY_INLINE double Exp2m1(double w, double q) {
  return std::expm1(w * q * kLn2);
}
template <bool kGuarded>
HWY_INLINE SinCos<double> SinAndCosPi(double w, double q) {
  constexpr double kPi = 3.14159265358979323846;
  return {std::sin(kPi * (w * q)), std::cos(kPi * (w * q))};
}
HWY_INLINE double Log2(double x) { return std::log2(x); }

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif
