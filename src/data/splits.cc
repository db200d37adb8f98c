#include "data/splits.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace gopnet {
namespace {

using Groups = std::vector<std::vector<size_t>>;  // positions by class

// The classes that give rows to the held-out part: the larger ones, or the largest there are.
Groups Givers(const std::vector<int32_t>& labels) {
  Groups classes;
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto label = static_cast<size_t>(labels[i]);
    if (label >= classes.size()) classes.resize(label + 1);
    classes[label].push_back(i);
  }
  size_t largest = 0;
  for (const auto& rows : classes) largest = std::max(largest, rows.size());
  std::erase_if(classes,
                [&](const auto& rows) { return rows.size() < std::min<size_t>(largest, 3); });
  return classes;
}

// How many rows each class gives: its share rounded down, then one more by largest remainder, the
// first class winning ties. A class keeps one row if it has two.
std::vector<size_t> Quotas(const Groups& classes, double fraction, size_t total) {
  std::vector<size_t> quotas, most;
  std::vector<double> lacking;
  for (const auto& rows : classes) {
    const double share = fraction * static_cast<double>(rows.size());
    most.push_back(std::max<size_t>(1, rows.size() - 1));
    quotas.push_back(std::min(most.back(), static_cast<size_t>(share)));
    lacking.push_back(share - static_cast<double>(quotas.back()));
  }
  size_t given = std::accumulate(quotas.begin(), quotas.end(), size_t{0});
  for (; given < total; ++given) {
    size_t best = classes.size();
    for (size_t c = 0; c < classes.size(); ++c) {
      if (quotas[c] < most[c] && (best == classes.size() || lacking[c] > lacking[best])) best = c;
    }
    if (best == classes.size()) break;
    ++quotas[best];
    lacking[best] -= 1;
  }
  return quotas;
}

// Moves `count` random rows to the front (Fisher-Yates).
void Draw(size_t count, const RandomBits& random, std::vector<size_t>* rows) {
  for (size_t i = 0; i < count; ++i) {
    std::swap((*rows)[i], (*rows)[i + random() % (rows->size() - i)]);
  }
}

size_t HeldOut(size_t rows, size_t all, double fraction) {
  assert(fraction >= 0 && fraction < 1);
  if (fraction <= 0 || all < 2) return 0;
  const auto count = static_cast<size_t>(std::lround(fraction * static_cast<double>(rows)));
  return std::clamp<size_t>(count, 1, all - 1);
}

}  // namespace

Split StratifiedSplit(const std::vector<int32_t>& labels, double second_fraction,
                      const RandomBits& random) {
  Groups classes = Givers(labels);
  size_t rows = 0;
  for (const auto& group : classes) rows += group.size();
  const size_t total = HeldOut(rows, labels.size(), second_fraction);
  const std::vector<size_t> quotas = Quotas(classes, total ? second_fraction : 0, total);
  std::vector<bool> held_out(labels.size());
  for (size_t c = 0; c < classes.size(); ++c) {
    Draw(quotas[c], random, &classes[c]);
    for (size_t i = 0; i < quotas[c]; ++i) held_out[classes[c][i]] = true;
  }
  Split split;
  for (size_t i = 0; i < held_out.size(); ++i)
    (held_out[i] ? split.second : split.first).push_back(i);
  return split;
}

Split RandomSplit(size_t n, double second_fraction, const RandomBits& random) {
  return StratifiedSplit(std::vector<int32_t>(n, 0), second_fraction, random);
}

}  // namespace gopnet
