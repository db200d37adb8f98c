// What is odd about rows and may be a mistake: warnings of a training.
#pragma once

#include "run/prepare.h"

namespace gopnet {

// Features that tell the target: a regression's target itself, or what is the same in all rows of
// each class. Most often they were made from it.
void WarnOfLeakage(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                   Runtime& rt);
// Features of which some values, -999 and the like, seem to stand for blanks.
void WarnOfCodes(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                 Runtime& rt);
// One row that is unlike all others, perhaps a mistake, is all that squared errors see.
void WarnOfOddTarget(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                     Runtime& rt);
// As time goes on a trend leaves the range: no prediction will follow it.
void WarnOfFarTargets(const Prepared& p, Runtime& rt);
void WarnOfUnknownLabels(const Rows& rows, const std::string& name,
                         const std::vector<std::string>& classes, Runtime& rt);

}  // namespace gopnet
