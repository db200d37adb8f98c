// Whether a regression can be trusted a little beyond the rows it learned from. Some operators have
// no bound there: w exp(-w y^2) of a negative w, multiplied by its neighbours, may say 11,184 of a
// row next to those whose targets end at 346, and one such network ruins an average.
#pragma once

#include "nn/network.h"
#include "nn/problem.h"

namespace gopnet {

// Whether the network leaves the range of the training targets by more than ten times its width on
// training rows that were moved: half as far again from the mean, which makes a linear network
// leave it by a quarter, or one feature a fifth of its range beyond the others. Of 49 networks on
// three tables 44 left it by at most 5.6 widths in the first way, the others by 25 to 407,040.
bool Explodes(const Network& net, const Problem& problem);

}  // namespace gopnet
