// The minimum of a smooth function of many variables.
#pragma once

#include <functional>
#include <vector>

namespace gopnet {

// f(p, gradient) returns the value at p and writes the gradient, which has the size of p.
using Smooth = std::function<double(const std::vector<double>& p, std::vector<double>& gradient)>;

// L-BFGS (Nocedal and Wright, Algorithm 7.4) from p on, with steps that are halved until the value
// falls; ends after `steps` steps or when one gains less than `gain` of the value.
std::vector<double> Minimise(const Smooth& f, std::vector<double> p, int steps, double gain);

}  // namespace gopnet
