// Stores the fields of a table's features as numbers or texts, and counts the unusual ones.
#pragma once

#include <limits>
#include <string_view>

#include "base/check.h"
#include "data/column_hints.h"
#include "data/field.h"
#include "data/table.h"

namespace gopnet {

class FieldSink {
 public:
  // All three must outlive it.
  FieldSink(const Table& table, const Layout& layout, TableRows* rows)
      : table_(table), layout_(layout), features_(rows->features) {
    features_.resize(layout.features.size());
    rows->kept.resize(layout.kept.size());
  }

  // Stores a field of feature k; *x becomes its number, or NaN. `place` returns its position for
  // messages and is called only if needed.
  template <class Place>
  void Add(size_t k, std::string_view field, float* x, const Place& place) {
    Feature& feature = features_[k];
    const ColumnHint& hint = table_.hints[layout_.features[k]];
    *x = kNaN;
    if (hint.text) {
      if (KindOf(field) == FieldKind::kMissing) AddMissing(k, place);
      feature.text.Add(field);
      return;
    }
    const NumberStyle style = table_.Style(layout_.features[k]);
    float value;
    const FieldKind kind = ParseNumberField(field, style, &value);
    if (hint.far) {
      double wide;
      ParseNumberField(field, style, &wide);
      feature.far.push_back(kind == FieldKind::kNumber ? wide : kNaN);
    }
    if (kind == FieldKind::kNumber) {
      *x = value;
      feature.currencies.Add(CurrencyOf(field));
      if (hint.digits > 0) AddCode(field, hint.digits, &feature);
    } else if (kind == FieldKind::kMissing) {
      AddMissing(k, place);
    } else if (kind == FieldKind::kInfinite) {
      infinite_.Add(place, field);
    } else {
      feature.strays.Add(place, field);
    }
  }

  // The same for a number that was never text.
  template <class Place>
  void Add(size_t k, double value, float* x, const Place& place) {
    *x = static_cast<float>(value);
    Note(k, *x, place);
    if (table_.hints[layout_.features[k]].far)
      features_[k].far.push_back(std::isinf(*x) ? kNaN : value);
  }

  // The same for a number that is already stored.
  template <class Place>
  void Note(size_t k, float value, const Place& place) {
    if (std::isinf(value)) infinite_.Add(place);
    if (std::isnan(value)) AddMissing(k, place);
  }

  // Throws Error for infinite numbers and, if they are not allowed, blanks, with the first places.
  void Check() const {
    const auto describe = [](const Strays& found, const char* what) {
      return Join(found.count, found.count == 1 ? " value is " : " values are ", what,
                  ", the first at ", found.place,
                  found.text.empty() ? "" : Join(" ('", found.text, "')"));
    };
    const bool blanks = missing_.count > 0 && !layout_.allow_missing;
    const std::string missing = blanks ? describe(missing_, "missing (blank or NaN)") : "";
    gopnet::Check(infinite_.count == 0, table_.source, ": ", describe(infinite_, "infinite"),
                  "; numbers must be finite in float32", blanks ? "; " : "", missing);
    gopnet::Check(!blanks, table_.source, ": ", missing,
                  "; without --missing error, gopnet fills them");
  }

 private:
  static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

  template <class Place>
  void AddMissing(size_t k, const Place& place) {
    ++features_[k].blanks;
    missing_.Add(place);
  }

  static void AddCode(std::string_view field, size_t digits, Feature* feature) {
    feature->apart |= CodeLength(field) != digits;
    feature->codes += field.starts_with('0');
  }

  const Table& table_;
  const Layout& layout_;
  std::vector<Feature>& features_;
  Strays missing_, infinite_;
};

}  // namespace gopnet
