// Results go to stdout, everything else to stderr.
#pragma once

#include <string>

namespace gopnet::cli {

// Call first: a broken pipe becomes an error of the write, and closed streams are opened on
// nothing, lest a file of ours gets their number.
void PrepareStreams();

// Writes all of `text` to stdout. Ends the program quietly if nobody reads it any more (head).
void Print(const std::string& text);

// Writes a line to stderr, come what may.
void Note(const std::string& line);

}  // namespace gopnet::cli
