#include "base/rng.h"

#include <Random123/philox.h>

#include <numeric>
#include <utility>

namespace gopnet {
namespace {

std::array<uint32_t, 4> Philox(const std::array<uint32_t, 4>& counter,
                               const std::array<uint32_t, 2>& key) {
  r123::Philox4x32 philox;
  const r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k = {{key[0], key[1]}};
  const auto out = philox(c, k);
  return {out[0], out[1], out[2], out[3]};
}

}  // namespace

Rng::Rng(const StreamKey& key, Purpose purpose, uint32_t index) {
  // The seed keys a first block that mixes in the place; its output keys the stream itself.
  const auto seed_low = static_cast<uint32_t>(key.seed);
  const auto seed_high = static_cast<uint32_t>(key.seed >> 32);
  const auto mixed =
      Philox({key.layer, key.block, key.op, static_cast<uint32_t>(purpose)}, {seed_low, seed_high});
  key_ = {mixed[0], mixed[1]};
  counter_ = {0, index, mixed[2], mixed[3]};
}

uint32_t Rng::Next32() {
  if (used_ == 4) {
    block_ = Philox(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

uint32_t Rng::Below(uint32_t n) {
  // Lemire's multiply-shift with rejection of the biased remainder.
  uint64_t product = static_cast<uint64_t>(Next32()) * n;
  if (static_cast<uint32_t>(product) < n) {
    const uint32_t threshold = -n % n;
    while (static_cast<uint32_t>(product) < threshold)
      product = static_cast<uint64_t>(Next32()) * n;
  }
  return static_cast<uint32_t>(product >> 32);
}

void Shuffle(Rng rng, std::vector<uint32_t>& order) {
  std::iota(order.begin(), order.end(), 0u);
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[rng.Below(static_cast<uint32_t>(i))]);
  }
}

}  // namespace gopnet
