// The entries of a zip archive in memory, as NumPy writes .npz: stored or deflated, zip64 if need
// be.
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

}  // namespace gopnet
