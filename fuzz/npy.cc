// NumPy arrays.
#include "fuzz/support/read_table.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  return gopnet::fuzz::ReadAnyWay("fuzz.npy", bytes, size);
}
