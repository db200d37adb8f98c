// CSV text compressed with gzip.
#include "data/formats/zip.h"
#include "fuzz/support/packed.h"
#include "fuzz/support/read_table.h"
#include "tests/support/deflate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  return gopnet::fuzz::ReadAnyWay("fuzz.csv.gz", bytes, size);
}

// Mutates the compressed text itself in half of the calls.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* bytes, size_t size, size_t max_size,
                                          unsigned seed) {
  using namespace gopnet;  // NOLINT
  if (seed % 2 == 0 || size < 2) return LLVMFuzzerMutate(bytes, size, max_size);
  try {
    const std::string text =
        Gunzip({reinterpret_cast<const char*>(bytes) + 1, size - 1}, "fuzz.csv.gz");
    const int level = seed % 4 == 1 ? 0 : 1;
    const std::string packed =
        testing::Deflate(fuzz::Mutated(text, std::min<size_t>(2 * text.size() + 64, 1 << 20)),
                         testing::kGzip, level);
    return fuzz::PutBack(packed, bytes, size, max_size);
  } catch (const Error&) {  // the input is already damaged
    return LLVMFuzzerMutate(bytes, size, max_size);
  }
}
