// Values as cells of CSV.
#pragma once

#include <string>
#include <string_view>

namespace gopnet {

void AppendQuoted(std::string_view text, std::string* csv);
void AppendCell(std::string_view text, std::string* csv);  // in quotes only where it needs them
// Text as a spreadsheet should show it: what it would take for a formula gets a ' in front.
std::string SheetText(std::string_view text);

// The shortest text that reads back as the same number.
void AppendNumber(float value, std::string* csv);
void AppendNumber(double value, std::string* csv);
// A value of a regression: so many digits or, if `digits` is 0, those of the float.
void AppendValue(double value, int digits, std::string* csv);

}  // namespace gopnet
