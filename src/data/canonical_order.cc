#include "data/canonical_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "base/checksum.h"
#include "base/stop_check.h"

namespace gopnet {
namespace {

// Equal numbers have equal bits: one zero, one NaN.
uint32_t Bits(float value) {
  if (std::isnan(value)) return 0x7fc00000;
  return std::bit_cast<uint32_t>(value == 0 ? 0.0f : value);
}

class RowContent {
 public:
  explicit RowContent(const Dataset& data)
      : data_(data), bits_(data.features() + (data.targets.rows() ? data.targets.cols() : 0) + 1) {}

  float Weight(size_t row) const { return data_.weights.empty() ? 1 : data_.weights[row]; }

  uint64_t Hash(size_t row) {
    StopCheck::AskAt(row);
    // Without the weight, so that it does not matter what all weights are multiplied by.
    for (size_t j = 0; j + 1 < bits_.size(); ++j) bits_[j] = Number(row, j);
    bits_.back() = Bits(1);
    return gopnet::Hash(bits_.data(), bits_.size() * sizeof bits_[0], gopnet::Hash(Label(row)));
  }

  // Without a copy: runs of equal rows may be long.
  bool Before(size_t a, size_t b) const {
    for (size_t j = 0; j < bits_.size(); ++j) {
      const uint32_t first = Number(a, j), second = Number(b, j);
      if (first != second) return first < second;
    }
    return Label(a) < Label(b);
  }

 private:
  // The j-th number of a row: features, targets and, last, the weight.
  uint32_t Number(size_t row, size_t j) const {
    const size_t features = data_.features();
    if (j < features) return Bits(data_.x.Row(row)[j]);
    return Bits(j + 1 < bits_.size() ? data_.targets(row, j - features) : Weight(row));
  }
  // The text, as its index depends on which other classes are present.
  std::string_view Label(size_t row) const {
    if (data_.labels.empty()) return {};
    return data_.classes[static_cast<size_t>(data_.labels[row])];
  }

  const Dataset& data_;
  std::vector<uint32_t> bits_;  // of a row
};

struct Keyed {
  uint64_t hash;
  size_t row;
};

}  // namespace

std::vector<size_t> CanonicalOrder(const Dataset& data) {
  RowContent content(data);
  std::vector<Keyed> keyed;
  keyed.reserve(data.rows());
  for (size_t i = 0; i < data.rows(); ++i) {
    if (content.Weight(i) != 0) keyed.push_back({content.Hash(i), i});
  }
  std::ranges::sort(keyed, [&](const Keyed& a, const Keyed& b) {
    return a.hash != b.hash ? a.hash < b.hash : content.Before(a.row, b.row);
  });
  std::vector<size_t> order(keyed.size());
  std::ranges::transform(keyed, order.begin(), &Keyed::row);
  return order;
}

}  // namespace gopnet
