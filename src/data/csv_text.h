// Values as cells of CSV.
#pragma once

#include <string>
#include <string_view>

namespace gopnet {

void AppendQuoted(std::string_view text, std::string* csv);
void AppendCell(std::string_view text, std::string* csv);  // in quotes only where it needs them
// Text for a spreadsheet: a ' in front of text that would be read as a formula.
std::string SheetText(std::string_view text);

// The shortest text that reads back as the same number.
void AppendNumber(float value, std::string* csv);
void AppendNumber(double value, std::string* csv);
// A value of a regression with `digits` significant digits; 0 means the shortest float.
void AppendValue(double value, int digits, std::string* csv);

}  // namespace gopnet
