// Decompresses gzip files and the entries of zip archives (.npz of NumPy): stored or deflated, also
// zip64.
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

// Throws Error if the checksum of an entry does not match.
void CheckCrc(const ZipEntry& entry, std::string_view bytes, const std::string& source);

// The output grows as it arrives, so that a false size costs no memory. A file below 1 MB may
// unpack to 25 MB, a larger one to 100 times its size.
std::string Gunzip(std::string_view bytes, const std::string& source);
// Inflates a zip entry (raw deflate), which must give exactly `size` bytes.
std::string InflateRaw(std::string_view bytes, size_t size, const std::string& source);

}  // namespace gopnet
