// NumPy archives with one array, or with several of which "x" is read.
#include "data/formats/zip.h"
#include "fuzz/support/packed.h"
#include "fuzz/support/read_table.h"
#include "tests/support/deflate.h"

namespace {

using namespace gopnet;  // NOLINT

void Put(uint64_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) *out += static_cast<char>(value >> (8 * i));
}

// Appends the fields that a local header and a central record share, starting with the version.
std::string Common(const ZipEntry& entry) {
  std::string out;
  Put(20, 2, &out), Put(0, 2, &out), Put(entry.deflated ? 8 : 0, 2, &out), Put(0, 4, &out);
  Put(entry.crc, 4, &out), Put(entry.data.size(), 4, &out), Put(entry.size, 4, &out);
  Put(entry.name.size(), 2, &out), Put(0, 2, &out);
  return out;
}

std::string Archive(const ZipEntry& entry) {
  std::string zip = "PK\3\4" + Common(entry) + entry.name;
  zip += entry.data;
  const size_t directory = zip.size();
  zip += "PK\1\2";
  Put(20, 2, &zip);
  zip += Common(entry);
  zip.append(14, '\0');  // no comment, attributes 0, local header at offset 0
  zip += entry.name;
  const size_t size = zip.size() - directory;
  zip += "PK\5\6";
  Put(0, 4, &zip), Put(1, 2, &zip), Put(1, 2, &zip);
  Put(size, 4, &zip), Put(directory, 4, &zip), Put(0, 2, &zip);
  return zip;
}

// Returns an archive with the first array, mutated.
std::string Repacked(std::string_view archive, unsigned seed) {
  ZipEntry entry = ReadZip(archive, "fuzz.npz").at(0);
  std::string array(entry.data);
  if (entry.deflated) array = InflateRaw(entry.data, entry.size, "fuzz.npz");
  array = fuzz::Mutated(array, std::min<size_t>(2 * array.size() + 64, 1 << 20));
  entry.deflated = seed % 4 == 1;
  entry.size = array.size();
  entry.crc =
      static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(array.data()), array.size()));
  const std::string stored = entry.deflated ? testing::Deflate(array, testing::kRaw, 1) : array;
  entry.data = stored;
  return Archive(entry);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::ReadAnyWay("fuzz.npz", bytes, size);
  return fuzz::ReadAnyWay("fuzz.npz:x", bytes, size);
}

// Mutates the array inside the archive in half of the calls.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* bytes, size_t size, size_t max_size,
                                          unsigned seed) {
  if (seed % 2 == 0 || size < 2) return LLVMFuzzerMutate(bytes, size, max_size);
  try {
    const std::string zip = Repacked({reinterpret_cast<const char*>(bytes) + 1, size - 1}, seed);
    return fuzz::PutBack(zip, bytes, size, max_size);
  } catch (const std::exception&) {  // the input is already damaged
    return LLVMFuzzerMutate(bytes, size, max_size);
  }
}
