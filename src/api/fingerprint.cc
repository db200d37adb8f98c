#include "api/fingerprint.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdio>

#include "data/canonical_order.h"

namespace gopnet {
namespace {

struct Hash {
  XXH3_state_t* state = XXH3_createState();
  Hash() { XXH3_128bits_reset(state); }
  ~Hash() { XXH3_freeState(state); }
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;

  void Add(const void* bytes, size_t size) { XXH3_128bits_update(state, bytes, size); }

  void Add(const Dataset& data) {
    const size_t shape[] = {data.rows(), data.features(), data.targets.cols()};
    Add(shape, sizeof shape);
    for (const size_t n : CanonicalOrder(data)) {
      Add(data.x.Row(n), data.features() * sizeof(float));
      if (n < data.targets.rows()) Add(data.targets.Row(n), data.targets.cols() * sizeof(float));
      if (n < data.weights.size()) Add(&data.weights[n], sizeof(float));
      if (n >= data.labels.size()) continue;
      const std::string& label = data.classes[static_cast<size_t>(data.labels[n])];
      Add(label.c_str(), label.size() + 1);
    }
  }
};

}  // namespace

std::string Fingerprint(const TrainData& data) {
  Hash hash;
  for (const Dataset* part : {&data.train, &data.val, &data.test}) hash.Add(*part);
  const XXH128_hash_t digest = XXH3_128bits_digest(hash.state);
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(digest.high64),
                static_cast<unsigned long long>(digest.low64));
  return text;
}

}  // namespace gopnet
