#include "data/canonical_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
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
  explicit RowContent(const Dataset& data) : data_(data) {}

  float Weight(size_t row) const { return data_.weights.empty() ? 1 : data_.weights[row]; }

  uint64_t Hash(size_t row) {
    StopCheck::AskAt(row);
    bits_.clear();
    for (size_t j = 0; j < data_.features(); ++j) bits_.push_back(Bits(data_.x.Row(row)[j]));
    for (size_t q = 0; q < Targets(); ++q) bits_.push_back(Bits(data_.targets(row, q)));
    bits_.push_back(Bits(Weight(row)));
    return gopnet::Hash(bits_.data(), bits_.size() * sizeof bits_[0], gopnet::Hash(Label(row)));
  }

  // Without a copy: runs of equal rows may be long.
  bool Before(size_t a, size_t b) const {
    for (size_t j = 0; j < data_.features(); ++j) {
      const auto order = Bits(data_.x.Row(a)[j]) <=> Bits(data_.x.Row(b)[j]);
      if (order != 0) return order < 0;
    }
    for (size_t q = 0; q < Targets(); ++q) {
      const auto order = Bits(data_.targets(a, q)) <=> Bits(data_.targets(b, q));
      if (order != 0) return order < 0;
    }
    if (const auto order = Bits(Weight(a)) <=> Bits(Weight(b)); order != 0) return order < 0;
    return Label(a) < Label(b);
  }

 private:
  size_t Targets() const { return data_.targets.rows() ? data_.targets.cols() : 0; }
  // The text, as its index depends on which other classes are present.
  std::string_view Label(size_t row) const {
    if (data_.labels.empty()) return {};
    return data_.classes[static_cast<size_t>(data_.labels[row])];
  }

  const Dataset& data_;
  std::vector<uint32_t> bits_;
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
