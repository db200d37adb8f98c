// Reading what has no size and may never end: pipes and standard input.
#pragma once

#include <cstddef>
#include <string>

namespace gopnet {

// Of text: a line of gigabytes is a file of another kind.
inline constexpr size_t kMostLine = size_t{64} << 20;
inline constexpr size_t kAnyLine = std::string::npos;

// Returns when there is something to read, or the end; asks StopCheck meanwhile.
void AwaitInput(int fd);

// Appends what is left to read. Throws Error, with `name`, if that fails, for a line that is longer
// than `most_line`, and for more than half of the memory that this process may use.
void ReadToEnd(int fd, const std::string& name, size_t most_line, std::string& bytes);

}  // namespace gopnet
