// The page of web/, as CMake puts it into the library (cmake/report_template.cmake).
#pragma once

namespace gopnet {

// With two places to fill: {{CONNECT}} in the content security policy, {{DATA}} for the JSON.
extern const char* const kReportTemplate;

}  // namespace gopnet
