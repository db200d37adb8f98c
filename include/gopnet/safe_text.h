// Makes text from outside safe to store and print: file names are bytes, and labels may hold
// anything.
#pragma once

#include <string>
#include <string_view>

namespace gopnet {

// A path for JSON. UTF-8 paths stay as they are; others become an absolute file: URI that keeps
// every byte ("file:///data/A%F63.csv"). PathFromText is the inverse.
std::string PathAsText(const std::string& path);
std::string PathFromText(const std::string& text);
bool IsText(std::string_view bytes);  // UTF-8 that Printable would not change

// For terminals and messages: escapes control characters (C0, C1, DEL) and marks that change the
// text direction ("\x1b", "\u202e"). Bytes that are not UTF-8 become U+FFFD.
std::string Printable(std::string_view text);

// Whether JSON text nests deeper than `most` brackets. A parser callback could count them, too, but
// it makes parsing an object of n objects take n^2 steps.
bool NestedDeeper(std::string_view json, int most);

}  // namespace gopnet
