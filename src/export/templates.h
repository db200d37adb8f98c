// The pages of web/, as CMake puts them into the library (cmake/report_template.cmake), with places
// to fill in.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gopnet {

extern const char* const kModelTemplate;   // {{NONCE}}, {{OPERATORS}} and {{DATA}}, the JSON
extern const char* const kReportTemplate;  // {{CONNECT}} in its security policy, and {{DATA}}

// With each place replaced by a text, in this order: only the last one may hold what looks like a
// place.
std::string FilledIn(std::string page,
                     const std::vector<std::pair<std::string, std::string>>& places);

}  // namespace gopnet
