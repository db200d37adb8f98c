// What zlib has packed: text by gzip, and the entries of a zip archive in memory, as NumPy writes
// .npz: stored or deflated, zip64 if need be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

struct ZipEntry {
  std::string name;
  std::string_view data;  // as stored
  size_t size = 0;        // once inflated
  uint32_t crc = 0;
  bool deflated = false;
};

// Throws Error if anything in the archive points outside of it.
std::vector<ZipEntry> ReadZip(std::string_view archive, const std::string& source);

// Throws Error unless the bytes of an entry are those that were stored.
void CheckCrc(const ZipEntry& entry, std::string_view bytes, const std::string& source);

// Output grows as it comes, so that a false size costs no memory, and only so far: a file below
// 1 MB may unpack to 25 MB, a larger one to 100 times its size.
std::string Gunzip(std::string_view bytes, const std::string& source);
// Raw deflate of a zip entry that is to give exactly `size` bytes.
std::string InflateRaw(std::string_view bytes, size_t size, const std::string& source);

}  // namespace gopnet
