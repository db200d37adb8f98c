// Warnings of a training about suspicious rows and features.
#pragma once

#include "run/prepare.h"

namespace gopnet {

// Target leakage: features that equal the target of a regression, or that have one value in all
// rows of each class. Most often they were computed from the target.
void WarnOfLeakage(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                   Runtime& rt);
// Features in which numbers such as -999 seem to stand for blanks.
void WarnOfCodes(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                 Runtime& rt);
// One target so far from all others that it dominates the squared error; perhaps a mistake.
void WarnOfOddTarget(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                     Runtime& rt);
// Test targets outside the range of training: bounded predictions cannot follow a trend.
void WarnOfFarTargets(const Prepared& p, Runtime& rt);
void WarnOfUnknownLabels(const Rows& rows, const std::string& name,
                         const std::vector<std::string>& classes, Runtime& rt);

}  // namespace gopnet
