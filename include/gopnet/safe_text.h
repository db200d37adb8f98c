// Text that comes from outside, made safe to store and to print: names of files are bytes, and
// labels may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace gopnet {

// A path as JSON can hold it: itself if it is UTF-8, as nearly all are; otherwise an absolute file:
// URI, in which every byte survives ("file:///data/A%F63.csv"). PathFromText gives the bytes back.
std::string PathAsText(const std::string& path);
std::string PathFromText(const std::string& text);
bool IsText(std::string_view bytes);  // UTF-8 that Printable leaves as it is

// For terminals and messages: control characters (C0, C1, DEL) and marks that turn the direction of
// text are spelt out ("\x1b", "\u202e"), a byte that is no UTF-8 becomes U+FFFD; all else stays.
std::string Printable(std::string_view text);

// Whether JSON text has more than `most` brackets open at once. A callback of the parser could tell
// too, but it makes parsing an object of n objects take n^2 steps.
bool NestedDeeper(std::string_view json, int most);

}  // namespace gopnet
