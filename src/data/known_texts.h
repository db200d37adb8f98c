// Finds texts among known categories or class labels.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/field.h"

namespace gopnet {

class KnownTexts {
 public:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  KnownTexts() = default;
  // The texts must outlive it.
  explicit KnownTexts(const std::vector<std::string>& texts, char decimal = '.') {
    for (size_t k = 0; k < texts.size(); ++k) {
      places_.emplace(texts[k], k);
      if (double number; ReadNumber(texts[k], decimal, &number)) numbers_.emplace(number, k);
    }
  }

  // The place of a text or, if it is not there, of a number of the same value: pandas writes 1 as
  // 1.0 in a column with blanks, and spreadsheets write 01 as 1.
  size_t Find(std::string_view text, char decimal = '.') const {
    if (const auto found = places_.find(text); found != places_.end()) return found->second;
    double number;
    if (numbers_.empty() || !ReadNumber(text, decimal, &number)) return kNone;
    const auto found = numbers_.find(number);
    return found == numbers_.end() ? kNone : found->second;
  }

 private:
  // A plain number: $5 is not €5.
  static bool ReadNumber(std::string_view text, char decimal, double* number) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: beyond it, different texts are equal
    std::string plain;
    if (decimal == ',') {
      if (text.find('.') != std::string_view::npos) return false;
      plain = text;
      if (const size_t at = plain.find(','); at != std::string::npos) plain[at] = '.';
      text = plain;
    }
    return ParseField(text, number) == FieldKind::kNumber && std::fabs(*number) < kExact;
  }

  std::unordered_map<std::string_view, size_t> places_;
  std::unordered_map<double, size_t> numbers_;
};

}  // namespace gopnet
