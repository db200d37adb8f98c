// Hashes of bytes (XXH3), as numbers and as hex digits: of journal lines, states, models and data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gopnet {

std::string HexDigits(uint64_t number);  // 16 of them
uint64_t Hash(const void* bytes, size_t size, uint64_t seed = 0);
inline uint64_t Hash(std::string_view text) { return Hash(text.data(), text.size()); }
std::string Checksum(std::string_view bytes, uint64_t seed = 0);  // Hash as 16 hex digits

// 128 bits over bytes that come in parts.
class Fingerprinter {
 public:
  Fingerprinter();
  ~Fingerprinter();
  void Add(const void* bytes, size_t size);
  std::string Digits() const;  // 32 hex digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gopnet
