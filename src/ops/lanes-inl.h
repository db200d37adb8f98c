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
HWY_INLINE Lanes Min(Lanes a, Lanes b) { return Lanes(hn::Min(a.v, b.v)); }
HWY_INLINE Lanes Max(Lanes a, Lanes b) { return Lanes(hn::Max(a.v, b.v)); }
HWY_INLINE Lanes Abs(Lanes a) { return Lanes(hn::Abs(a.v)); }
HWY_INLINE Lanes Sqrt(Lanes a) { return Lanes(hn::Sqrt(a.v)); }
// a * b + c
HWY_INLINE Lanes MulAdd(Lanes a, Lanes b, Lanes c) { return Lanes(hn::MulAdd(a.v, b.v, c.v)); }
// x > 0 ? a : b
HWY_INLINE Lanes IfPositive(Lanes x, Lanes a, Lanes b) {
  return Lanes(hn::IfThenElse(hn::Gt(x.v, hn::Zero(Lanes::Tag())), a.v, b.v));
}

// Value and slope at once where both come from the same work.
template <class V>
struct SinCos {
  V sin, cos;
  HWY_INLINE SinCos(V s, V c) : sin(s), cos(c) {}
};

// u = n ln2 + r with |r| <= ln2/2, by adding and subtracting 1.5 * 2^23, which rounds to an
// integer.
struct ExpParts {
  Lanes scale;  // 2^n
  Lanes rest;   // e^r - 1, relative error 1.3e-8
  HWY_INLINE explicit ExpParts(Lanes u) : scale(0.0), rest(0.0) {
    const hn::RebindToSigned<Lanes::Tag> di;
    const Lanes magic(12582912.0);
    const Lanes shifted = MulAdd(u, Lanes(1.44269504088896341), magic);
    const Lanes n = shifted - magic;
    const Lanes r = MulAdd(n, Lanes(-0.693147180559945309), u);
    Lanes q = MulAdd(Lanes(0.001388250786), r, Lanes(0.008366580707));
    q = MulAdd(q, r, Lanes(0.04166720182));
    q = MulAdd(q, r, Lanes(0.1666654317));
    q = MulAdd(q, r, Lanes(0.4999999814));
    rest = MulAdd(q * r, r, r);
    const auto bits = hn::ShiftLeft<23>(hn::BitCast(di, shifted.v));
    scale = Lanes(hn::BitCast(Lanes::Tag(), hn::Add(bits, hn::Set(di, 0x3F800000))));
  }
};

// e^u and e^u - 1 for u in [-87, 88]; the second is accurate to the last bits also near 0.
HWY_INLINE Lanes Exp(Lanes u) {
  const ExpParts p(u);
  return MulAdd(p.scale, p.rest, p.scale);
}
HWY_INLINE Lanes Expm1(Lanes u) {
  const ExpParts p(u);
  return MulAdd(p.scale, p.rest, p.scale - Lanes(1.0));
}

// sin and cos by u = n pi + r, |r| <= pi/2. Accurate to 1e-7 absolute for |u| up to 1e4; beyond 1e7
// the inputs are clamped, as a float no longer holds a phase there.
HWY_INLINE SinCos<Lanes> SinAndCos(Lanes u) {
  const hn::RebindToSigned<Lanes::Tag> di;
  const Lanes magic(12582912.0);
  u = Max(Min(u, Lanes(1e7)), Lanes(-1e7));
  const Lanes shifted = MulAdd(u, Lanes(0.318309886183790672), magic);
  const Lanes n = shifted - magic;
  // pi in three parts whose products with n are exact without a fused multiply-add
  Lanes r = MulAdd(n, Lanes(-3.140625), u);
  r = MulAdd(n, Lanes(-9.67502593994140625e-4), r);
  r = MulAdd(n, Lanes(-1.509957990978376e-7), r);
  const Lanes s = r * r;
  Lanes p = MulAdd(Lanes(2.605631031e-06), s, Lanes(-0.0001980953895));
  p = MulAdd(p, s, Lanes(0.00833306543));
  p = MulAdd(p, s, Lanes(-0.1666665952));
  p = MulAdd(p * s, r, r);
  Lanes c = MulAdd(Lanes(2.319282738e-05), s, Lanes(-0.001385586258));
  c = MulAdd(c, s, Lanes(0.04166398155));
  c = MulAdd(c, s, Lanes(-0.4999993203));
  c = MulAdd(c, s, Lanes(1.0));
  // an odd n turns both signs
  const auto sign = hn::BitCast(Lanes::Tag(), hn::ShiftLeft<31>(hn::BitCast(di, shifted.v)));
  return {Lanes(hn::Xor(p.v, sign)), Lanes(hn::Xor(c.v, sign))};
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
HWY_INLINE SinCos<double> SinAndCos(double u) { return {std::sin(u), std::cos(u)}; }

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif
