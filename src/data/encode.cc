#include "data/encode.h"

#include <algorithm>
#include <limits>

#include "data/dates.h"
#include "data/field.h"
#include "data/known_texts.h"

namespace gopnet {
namespace {

constexpr float kBlankFeature = std::numeric_limits<float>::quiet_NaN();
// Limits on the numbers that encoding may produce, so that a small file cannot fill the memory: for
// any file, and per byte of the file.
constexpr size_t kMostNumbers = size_t{1} << 25;
constexpr size_t kMostPerByte = 50;

void CheckRoom(size_t rows, size_t features, const Table& table) {
  const size_t most = std::max(kMostNumbers, kMostPerByte * table.file_size);
  Check(features <= most / std::max<size_t>(1, rows), table.source, ": ", rows,
        " rows with one-hot encoded text columns would have at least ", features,
        " features, too many for a file of ", table.file_size,
        " bytes; use --ignore to leave out columns of names or identifiers");
}

bool IsPlain(const Column& column) {
  return column.categories.empty() && column.date.empty() && column.offset == 0 &&
         !column.indicator && !column.other;
}

// Day and month may be the other way round in another file.
std::string_view Swapped(std::string_view order) {
  return order == "dmy" ? "mdy" : order == "mdy" ? "dmy" : order;
}

// Throws Error if no field of the column has the type it had in training.
void AddStrays(const Strays& strays, bool others, const char* what, const Table& table,
               Unknown* unknown) {
  if (strays.count == 0) return;
  Strays& all = unknown->strays;
  if (all.count == 0) {
    all.place = strays.place;
    all.text = strays.text;
    unknown->expected = what;
  }
  all.count += strays.count;
  Check(others || unknown->begun, table.source, ": ", strays.place, ": expected ", what,
        " as in the training data, found '", strays.text, "'");
}

class Encoder {
 public:
  Encoder(const TableRows& rows, const Encoding& encoding, const Schema& schema, Unknown* unknown)
      : rows_(rows), encoding_(encoding), schema_(schema), unknown_(*unknown) {}

  Matrix Encode() {
    Matrix x(rows_.count, schema_.features());
    size_t first = 0;
    for (size_t k = 0; k < schema_.columns.size(); ++k) {
      const Column& column = schema_.columns[k];
      strays_ = swapped_ = {};
      dates_ = 0;
      known_ = KnownTexts(column.categories, schema_.decimal_comma ? ',' : '.');
      for (size_t i = 0; i < rows_.count; ++i) EncodeField(k, i, x.Row(i) + first);
      first += column.features();
      if (encoding_.training || column.date.empty()) continue;
      Check(IsMost(dates_, dates_ + swapped_.count), encoding_.table.source, ": ", swapped_.place,
            ": expected a date in the order ", column.date, " as in the training data, found '",
            swapped_.text, "' in the order ", Swapped(column.date),
            "; use one order, or dates such as 2020-01-31");
      AddStrays(strays_, dates_ > 0, "a date", encoding_.table, &unknown_);
    }
    return x;
  }

  // The features of one field; they are 0 before.
  void EncodeField(size_t k, size_t row, float* out) {
    const Column& column = schema_.columns[k];
    const size_t at = encoding_.used[k];
    const size_t last = column.features() - 1;
    bool blank;
    if (!column.date.empty()) {
      blank = !EncodeAsDate(k, row, out);
    } else if (!column.categories.empty() || column.other) {
      blank = !EncodeAsCategory(k, row, out);
    } else {
      *out = column.offset != 0 && !rows_.features[at].far.empty()
                 ? static_cast<float>(rows_.features[at].far[row] - column.offset)
                 : rows_.x.Row(row)[at];
      blank = std::isnan(*out);
    }
    if (column.indicator) out[last] = blank ? 1 : 0;
  }

  bool EncodeAsDate(size_t k, size_t row, float* out) {
    const Column& column = schema_.columns[k];
    const size_t at = encoding_.used[k];
    const std::string_view field = rows_.features[at].text[row];
    Moment moment;
    if (ParseNewDate(field, column.date, &moment)) {
      ++dates_;
      EncodeDate(moment, column, out);
      return true;
    }
    const auto place = [&] { return Join(encoding_.table.Where(row), ", ", ColumnName(at)); };
    if (KindOf(field, NumberStyle()) != FieldKind::kMissing) strays_.Add(place, field);
    if (!encoding_.training && ParseDate(field, Swapped(column.date), &moment))
      swapped_.Add(place, field);
    std::fill_n(out, DateFeatures(column), kBlankFeature);
    return false;
  }

  // A missing category is NaN, to be filled by the mean like a missing number.
  bool EncodeAsCategory(size_t k, size_t row, float* out) {
    const Column& column = schema_.columns[k];
    const size_t count = column.categories.size();
    const std::string_view field = rows_.features[encoding_.used[k]].text[row];
    const size_t found = known_.Find(field, encoding_.table.Style(0).decimal);
    if (found != KnownTexts::kNone) {
      out[found] = 1;
    } else if (KindOf(field) == FieldKind::kMissing) {
      std::fill_n(out, count + (column.other ? 1 : 0), kBlankFeature);
      return false;
    } else if (column.other) {
      out[count] = 1;
    } else if (!encoding_.training) {
      unknown_.categories.Add([&] { return ColumnName(encoding_.used[k]); }, field);
    }
    return true;
  }

  std::string ColumnName(size_t at) const {
    return encoding_.table.ColumnName(encoding_.file_columns[at]);
  }

  const TableRows& rows_;
  const Encoding& encoding_;
  const Schema& schema_;
  Unknown& unknown_;
  // State of the current column
  KnownTexts known_;
  Strays strays_, swapped_;  // texts that are not dates; dates with day and month swapped
  size_t dates_ = 0;
};

}  // namespace

std::string Unknown::FirstStray() const {
  return Join(strays.place, ": expected ", expected, " as in the training data, found '",
              strays.text, "'");
}

void Unknown::Warn(bool named, TableNotes& notes) const {
  const bool names = !named && strays.place.starts_with("line 1,");
  if (strays.count > 0)
    notes.GuessAndWarn(Join(FirstStray(), "; ", CountAsBlanks(strays.count)),
                       Join("replace it by ", expected, " or a blank"),
                       names ? "use --header yes if line 1 holds names" : "");
  const size_t count = categories.count;
  if (count == 0) return;
  notes.GuessAndWarn(Join(count, count == 1 ? " field holds a category" : " fields hold categories",
                          " that the training data does not have, such as '", categories.text,
                          "' in ", categories.place),
                     "train on rows that have them", "");
}

void SetFeatures(const TableRows& rows, const Encoding& encoding, Unknown* unknown, Dataset* data) {
  const Schema& schema = data->schema;
  for (const size_t k : encoding.used) {
    const Feature& feature = rows.features[k];
    if (!encoding.training)
      AddStrays(feature.strays, feature.strays.count + feature.blanks < rows.count, "a number",
                encoding.table, unknown);
  }
  if (encoding.used.size() == rows.x.cols && std::ranges::all_of(schema.columns, IsPlain)) {
    data->x = rows.x;
    data->owner = rows.owner;
  } else {
    if (std::ranges::any_of(rows.features, [](const Feature& f) { return !f.text.empty(); }))
      CheckRoom(rows.count, schema.features(), encoding.table);
    const auto x = std::make_shared<Matrix>(Encoder(rows, encoding, schema, unknown).Encode());
    data->x = *x;
    data->owner = x;
  }
  unknown->begun = true;
}

}  // namespace gopnet
