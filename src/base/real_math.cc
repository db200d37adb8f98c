// The polynomials of Exp, Log, the cosine and Erfc are those of fdlibm:
//   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//   Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
//   distribute this software is freely granted, provided that this notice is preserved.
#include "base/real_math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace gopnet::real {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2High = 6.93147180369123816490e-01;  // 32 bits: k kLn2High is exact
constexpr double kLn2Low = 1.90821492927058770002e-10;

template <class... Rest>
double Polynomial(double x, double first, Rest... rest) {  // first + x (second + x (...))
  if constexpr (sizeof...(rest) == 0) {
    return first;
  } else {
    return first + x * Polynomial(x, rest...);
  }
}

// A number as the sum of two, the second at most half a unit in the last place of the first.
struct Pair {
  double high, low;
};

Pair Sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
Pair Normal(double high, double low) {  // |high| >= |low|
  const double sum = high + low;
  return {sum, low - (sum - high)};
}
Pair Halves(double x) {  // of at most 26 bits each (Veltkamp)
  const double t = 134217729.0 * x, high = t - (t - x);
  return {high, x - high};
}
Pair Product(double a, double b) {  // exact (Dekker)
  const double product = a * b;
  const Pair x = Halves(a), y = Halves(b);
  return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}
Pair operator+(Pair a, Pair b) {
  const Pair sum = Sum(a.high, b.high);
  return Normal(sum.high, sum.low + (a.low + b.low));
}
Pair operator*(Pair a, Pair b) {
  const Pair product = Product(a.high, b.high);
  return Normal(product.high, product.low + (a.high * b.low + a.low * b.high));
}
Pair operator/(Pair a, Pair b) {
  const double quotient = a.high / b.high;
  const Pair back = Product(quotient, b.high);
  const double rest = ((a.high - back.high) - back.low) + (a.low - quotient * b.low);
  return Normal(quotient, rest / b.high);
}

// x = 2^exponent m with m in [sqrt(1/2), sqrt(2)), for finite x > 0.
struct Parts {
  double m;
  int exponent;
};
Parts Split(double x) {
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) x *= 0x1p54, exponent = -54;
  const auto bits = std::bit_cast<uint64_t>(x);
  constexpr uint64_t kRootHalf = 0x3FE6A09E667F3BCD;
  const auto n = static_cast<int64_t>(bits - kRootHalf) >> 52;
  return {std::bit_cast<double>(bits - (static_cast<uint64_t>(n) << 52)),
          exponent + static_cast<int>(n)};
}

// log x to about 100 bits, as 2 atanh(s) with s = (m - 1) / (m + 1): the first terms in pairs.
Pair LogPair(double x) {
  const Parts p = Split(x);
  const Pair s = Pair{p.m - 1, 0} / Sum(p.m, 1);
  const Pair z = s * s;
  const double rest = Polynomial(z.high, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19,
                                 1.0 / 21, 1.0 / 23, 1.0 / 25);
  constexpr Pair kThird{1.0 / 3, 1.850371707708594e-17}, kFifth{0.2, -1.1102230246251566e-17},
      kSeventh{1.0 / 7, 7.93016446160826e-18};
  const Pair series = kThird + z * (kFifth + z * (kSeventh + Pair{z.high * rest, 0}));
  const Pair atanh = s + s * z * series;
  const double k = p.exponent;
  constexpr double kLn2Least = 1.1612227229362532e-26;  // ln 2 less kLn2High and kLn2Low
  const Pair ln2 = Normal(k * kLn2High, 0) + Product(k, kLn2Low) + Pair{k * kLn2Least, 0};
  return ln2 + Pair{2 * atanh.high, 2 * atanh.low};
}

double Round(double x) {  // to the nearest integer, |x| < 2^51
  constexpr double kMagic = 0x1.8p52;
  return (x + kMagic) - kMagic;
}

double Scaled(double x, int64_t n) {  // 2^n x
  if (n <= -1021 || n >= 1023) return std::ldexp(x, static_cast<int>(n));
  return x * std::bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52);
}

// e^(high + low) = 2^n (e.high + e.low) for |high| < 800 and a low that is tiny beside 1.
struct ExpParts {
  Pair e;
  int64_t n;
};
ExpParts SplitExp(double high, double low) {
  const double k = Round(high * 1.44269504088896338700);
  const double a = high - k * kLn2High, b = k * kLn2Low - low, r = a - b, z = r * r;
  const double c = r - (z * Polynomial(z, 1.66666666666666019037e-01, -2.77777777770155933842e-03) +
                        z * z * z *
                            Polynomial(z, 6.61375632143793436117e-05, -1.65339022054652515390e-06,
                                       4.13813679705723846039e-08));
  return {Normal(1, a - (b - (r * c) / (2 - c))), static_cast<int64_t>(k)};
}
double ExpOfSum(double high, double low) {
  if (std::isnan(high)) return high;
  if (high > 710) return kInfinity;
  if (high < -746) return 0;
  const ExpParts p = SplitExp(high, low);
  return Scaled(p.e.high, p.n);
}

double SinKernel(double x) {  // |x| <= pi/4
  const double z = x * x;
  return x + x * z *
                 Polynomial(z, -1.66666666666666324348e-01, 8.33333333332248946124e-03,
                            -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                            -2.50507602534068634195e-08, 1.58969099521155010221e-10);
}
double CosKernel(double x) {
  const double z = x * x, half = 0.5 * z, w = 1 - half;
  return w + ((1 - w - half) +
              z * z *
                  Polynomial(z, 4.16666666666666019037e-02, -1.38888888888741095749e-03,
                             2.48015872894767294178e-05, -2.75573143513906633035e-07,
                             2.08757232129817482790e-09, -1.13596475577881948265e-11));
}

// erfc(x) for x in [1.25, 28): e^-x^2 R(1/x^2) / x.
double ErfcTail(double x) {
  const double s = 1 / (x * x);
  double ratio;
  if (x < 1 / 0.35) {
    ratio = Polynomial(s, -9.86494403484714822705e-03, -6.93858572707181764372e-01,
                       -1.05586262253232909814e+01, -6.23753324503260060396e+01,
                       -1.62396669462573470355e+02, -1.84605092906711035994e+02,
                       -8.12874355063065934246e+01, -9.81432934416914548592e+00) /
            Polynomial(s, 1.0, 1.96512716674392571292e+01, 1.37657754143519042600e+02,
                       4.34565877475229228821e+02, 6.45387271733267880336e+02,
                       4.29008140027567833386e+02, 1.08635005541779435134e+02,
                       6.57024977031928170135e+00, -6.04244152148580987438e-02);
  } else {
    ratio = Polynomial(s, -9.86494292470009928597e-03, -7.99283237680523006574e-01,
                       -1.77579549177547519889e+01, -1.60636384855821916062e+02,
                       -6.37566443368389627722e+02, -1.02509513161107724954e+03,
                       -4.83519191608651397019e+02) /
            Polynomial(s, 1.0, 3.03380607434824582924e+01, 3.25792512996573918826e+02,
                       1.53672958608443695994e+03, 3.19985821950859553908e+03,
                       2.55305040643316442583e+03, 4.74528541206955367215e+02,
                       -2.24409524465858183362e+01);
  }
  const Pair square = Product(x, x), exponent = Sum(-square.high, ratio - 0.5625);
  const ExpParts p = SplitExp(exponent.high, exponent.low - square.low);
  return Scaled((p.e / Pair{x, 0}).high, p.n);
}

}  // namespace

double Exp(double x) { return ExpOfSum(x, 0); }

double Log(double x) {
  if (!(x > 0)) return x == 0 ? -kInfinity : kNan;
  if (x == kInfinity) return x;
  const Parts p = Split(x);
  const double f = p.m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f, k = p.exponent;
  const double w = z * z;
  const double r = w * Polynomial(w, 3.999999999940941908e-01, 2.222219843214978396e-01,
                                  1.531383769920937332e-01) +
                   z * Polynomial(w, 6.666666666666735130e-01, 2.857142874366239149e-01,
                                  1.818357216161805012e-01, 1.479819860511658591e-01);
  return k * kLn2High - ((half - (s * (half + r) + k * kLn2Low)) - f);
}

double Log2(double x) {
  if (!(x > 0) || x == kInfinity) return Log(x);
  constexpr Pair kPerLn2{1.4426950408889634, 2.0355273740931033e-17};
  const Parts p = Split(x);
  return (LogPair(p.m) * kPerLn2 + Pair{static_cast<double>(p.exponent), 0}).high;
}

double Log10(double x) {
  if (!(x > 0) || x == kInfinity) return Log(x);
  constexpr Pair kPerLn10{0.4342944819032518, 1.098319650216765e-17};
  return (LogPair(x) * kPerLn10).high;
}

double Pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x == 0) return y > 0 ? 0 : kInfinity;
  if (!(x > 0) || !(x < kInfinity) || !std::isfinite(y)) return std::isnan(x) ? x : kNan;
  const Pair log = LogPair(x);
  if (!(std::fabs(y * log.high) < 1000)) return Exp(y * log.high);
  const Pair exponent = Pair{y, 0} * log;
  return ExpOfSum(exponent.high, exponent.low);
}

double CosOfTurns(double turns) {
  if (!std::isfinite(turns)) return kNan;
  const double rest = std::fabs(turns - std::nearbyint(turns));  // exact, at most 1/2
  const double quarters = std::nearbyint(4 * rest);              // 0, 1 or 2
  const double x = 6.28318530717958647693 * (rest - quarters / 4);
  if (quarters == 1) return -SinKernel(x);
  return quarters == 0 ? CosKernel(x) : -CosKernel(x);
}

double Hypot(double x, double y) {
  x = std::fabs(x), y = std::fabs(y);
  if (x < y) std::swap(x, y);
  if (x == kInfinity || y == 0) return x;
  const double ratio = y / x;
  return x * std::sqrt(1 + ratio * ratio);
}

double Erfc(double x) {
  if (std::isnan(x)) return x;
  const double size = std::fabs(x);
  if (size < 0.84375) {
    const Pair z = Product(x, x);
    const double p = Polynomial(z.high, -2.84817495755985104766e-02, -5.77027029648944159157e-03,
                                -2.37630166566501626084e-05);
    const double q = Polynomial(z.high, 3.97917223959155352819e-01, 6.50222499887672944485e-02,
                                5.08130628187576562776e-03, 1.32494738004321644526e-04,
                                -3.96022827877536812320e-06);
    const Pair top =
        Pair{1.28379167095512558561e-01, 0} + z * Sum(-3.25042107247001499370e-01, z.high * p);
    const Pair erf = Pair{x, 0} + Pair{x, 0} * (top / Sum(1, z.high * q));
    return (1 - erf.high) - erf.low;
  }
  if (size < 1.25) {
    const double s = size - 1;
    const double p = Polynomial(s, -3.72207876035701323847e-01, 3.18346619901161753674e-01,
                                -1.10894694282396677476e-01, 3.54783043256182359371e-02,
                                -2.16637559486879084300e-03);
    const double q = Polynomial(s, 1.06420880400844228286e-01, 5.40397917702171048937e-01,
                                7.18286544141962662868e-02, 1.26171219808761642112e-01,
                                1.36370839120290507362e-02, 1.19844998467991074170e-02);
    const Pair top =
        Pair{-2.36211856075265944077e-03, 0} + Pair{s, 0} * Sum(4.14856118683748331666e-01, s * p);
    const Pair ratio = top / Sum(1, s * q);
    constexpr double kErfOfOne = 8.45062911510467529297e-01;
    return x > 0 ? (1 - kErfOfOne - ratio.high) - ratio.low : 1 + (kErfOfOne + ratio.high);
  }
  if (size > 28) return x > 0 ? 0 : 2;
  return x > 0 ? ErfcTail(size) : 2 - ErfcTail(size);
}

double Power(double x, unsigned n) {
  double result = 1;
  for (; n > 0; n /= 2, x *= x) {
    if (n % 2 == 1) result *= x;
  }
  return result;
}

}  // namespace gopnet::real
