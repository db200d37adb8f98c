// exp, log and their like in double, off by at most 2 units in the last place. Those of the C
// library round differently from system to system, and even from CPU to CPU; these do not, as they
// use nothing but what IEEE 754 defines to the last bit (+ - * / and square roots, without fused
// multiply-adds, which the build turns off). Whatever enters a model, a metric or a prediction
// takes its functions from here; tools/check_layers.py checks it.
#pragma once

namespace gopnet::real {

double Exp(double x);
double Log(double x);
double Log2(double x);             // exact for powers of 2
double Log10(double x);            // exact for powers of 10
double Pow(double x, double y);    // for x >= 0
double CosOfTurns(double turns);   // cos(2 pi turns)
double Hypot(double x, double y);  // overflows and underflows no sooner than its result
double Erfc(double x);

inline double Square(double x) { return x * x; }
double Power(double x, unsigned n);  // by multiplications: off by about n units

}  // namespace gopnet::real
