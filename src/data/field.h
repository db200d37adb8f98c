// What one field of a text file means.
#pragma once

#include <string>
#include <string_view>

namespace gopnet {

enum class FieldKind { kNumber, kMissing, kInfinite, kText };

// Reads a field without spaces around it. "", "?", "NA" and "nan" are missing (value NaN); a number
// too large for T is infinite, one too small is 0.
template <class T>
FieldKind ParseField(std::string_view field, T* value);

template <class T = double>
FieldKind KindOf(std::string_view field) {
  T ignored;
  return ParseField(field, &ignored);
}

std::string_view TrimSpaces(std::string_view text);  // spaces and tabs

// A field as a message shows it: on one line, not too long, as UTF-8.
std::string Shown(std::string_view text);

}  // namespace gopnet
