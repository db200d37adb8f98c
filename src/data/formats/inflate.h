// Deflated bytes, by zlib. Output grows as it comes, so that a false size costs no memory, and only
// so far: a file below 1 MB may unpack to 25 MB, a larger one to 100 times its size.
#pragma once

#include <string>
#include <string_view>

namespace gopnet {

std::string Gunzip(std::string_view bytes, const std::string& source);
// Raw deflate of a zip entry that is to give exactly `size` bytes.
std::string InflateRaw(std::string_view bytes, size_t size, const std::string& source);

}  // namespace gopnet
