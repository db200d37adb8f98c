#include "base/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdio>

namespace gopnet {

std::string HexDigits(uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return digits;
}

uint64_t Hash(const void* bytes, size_t size, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

std::string Checksum(std::string_view bytes, uint64_t seed) {
  return HexDigits(Hash(bytes.data(), bytes.size(), seed));
}

struct Fingerprinter::State {
  XXH3_state_t hash;
};

Fingerprinter::Fingerprinter() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->hash);
}
Fingerprinter::~Fingerprinter() = default;

void Fingerprinter::Add(const void* bytes, size_t size) {
  if (size > 0) XXH3_128bits_update(&state_->hash, bytes, size);
}

std::string Fingerprinter::Digits() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hash);
  return HexDigits(hash.high64) + HexDigits(hash.low64);
}

}  // namespace gopnet
