// Counter-based random streams: a stream depends on what it is for, never on who draws from it, so
// the same seed gives the same numbers for any number of threads or ranks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gopnet {

// What a stream is for. Append only: the numbers enter every model that was ever trained.
enum class Purpose : uint32_t {
  kSplit = 1,
  kWeights = 2,
  kOutput = 3,
  kShuffle = 4,
  kDropout = 5,
  kInputDropout = 6,
  kFirstOperator = 7,
  kRandomBlock = 8,
  kFeatureNodes = 9,
  kEnhancementNodes = 10,
  kPermutation = 11
};

// Names a family of streams: the seed of the user, and the place in the network.
struct StreamKey {
  uint64_t seed = 0;
  uint32_t layer = 0;
  uint32_t block = 0;
  uint32_t op = 0;  // 0 = shared by all candidates of a search (common random numbers)
};

// Draws uniform numbers from one stream: Philox 4x32-10 over a 64-bit counter.
class Rng {
 public:
  Rng(const StreamKey& key, Purpose purpose, uint32_t index = 0);
  uint32_t Next32();
  uint64_t Next64() { return static_cast<uint64_t>(Next32()) << 32 | Next32(); }
  double Uniform() { return (Next32() >> 8) * 0x1p-24; }  // in [0, 1), exact in float
  uint32_t Below(uint32_t n);                             // in [0, n), unbiased

 private:
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 4> counter_;
  std::array<uint32_t, 4> block_{};
  int used_ = 4;
};

// Fisher-Yates shuffle of 0..n-1 into `order`.
void Shuffle(Rng rng, std::vector<uint32_t>& order);

}  // namespace gopnet
