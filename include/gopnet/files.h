// Atomic file writes.
#pragma once

#include <string>
#include <string_view>

namespace gopnet {

// Writes to a temporary file with an unguessable name, syncs and renames it. So `path` holds either
// all of `bytes` or its old content, and no link is followed. Throws Stopped if the disk is full or
// fails. Throws Error if `path` cannot be written, is a device or a pipe or, without `replace`,
// exists.
void WriteFileAtomically(const std::string& path, std::string_view bytes, bool replace = true);

}  // namespace gopnet
