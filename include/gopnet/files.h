// Files that are there whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace gopnet {

// Writes through a temporary file of a name that cannot be guessed, fsync and rename, so that
// `path` holds all of `bytes` or what it held before, and no link is followed. Throws Stopped if
// the disk is full or broken, Error if `path` cannot be written to, is a device or a pipe or,
// without `replace`, exists.
void WriteFileAtomically(const std::string& path, std::string_view bytes, bool replace = true);

}  // namespace gopnet
