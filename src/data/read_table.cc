// Turns a table into a Dataset: assigns roles to the columns, reads the rows, and encodes features,
// targets and weights.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/check.h"
#include "base/names.h"
#include "data/column_hints.h"
#include "data/column_kinds.h"
#include "data/encode.h"
#include "data/field.h"
#include "data/new_rows.h"
#include "data/notes.h"
#include "data/roles.h"
#include "data/row_names.h"
#include "data/table.h"
#include "data/targets.h"
#include "data/utf8.h"

namespace gopnet {
namespace {

Schema NewSchema(const Table& table, const Roles& roles, const ReadOptions& options) {
  if (options.like) return *options.like;
  Schema schema;
  schema.named = table.named;
  schema.decimal_comma = table.decimal == ",";
  for (const size_t c : roles.ignored) schema.left_out.push_back({table.names[c], "ignored"});
  if (roles.id) schema.left_out.push_back({table.names[*roles.id], "id"});
  if (roles.id && table.named) schema.id = table.names[*roles.id];
  if (table.named) {
    for (const size_t c : roles.targets) schema.targets.push_back(table.names[c]);
  }
  return schema;
}

bool HoldsText(const Column& column) {
  return !column.categories.empty() || column.other || !column.date.empty();
}

Layout MakeLayout(const Roles& roles, const ReadOptions& options) {
  Layout layout{roles.features, roles.targets, options.missing != ReadOptions::Missing::kError};
  if (roles.weight) layout.kept.push_back(*roles.weight);
  if (roles.id) layout.kept.push_back(*roles.id);
  return layout;
}

// Reads again if a column turns out to differ from its first rows.
TableRows ReadRows(const ReadOptions& options, const Layout& layout, Table* table) {
  constexpr int kMostPasses = 3;  // text may turn out to be numbers, and these text
  TableRows rows = table->Read(layout);
  for (int pass = 1; !options.like && pass < kMostPasses; ++pass) {
    if (!CorrectHints(rows, layout, options, table)) break;
    rows = table->Read(layout);
  }
  return rows;
}

// Whether the first column of a file of labels is an index from pandas: unique whole numbers.
bool IsIndexOfLabels(const Table& table, const TableRows& rows) {
  if (table.names.size() < 2 || !IsNamedAsIndex(table, 0)) return false;
  std::set<std::string_view> seen;
  for (size_t i = 0; i < rows.kept[0].text.size(); ++i) {
    const std::string_view field = rows.kept[0].text[i];
    if (field.find_first_not_of("0123456789") != field.npos || !seen.insert(field).second)
      return false;
  }
  return !seen.empty();
}

// The columns of a file that goes with `rows` rows of features.
std::vector<SourceColumn> ReadAll(const Table& table, size_t rows, const std::string& features,
                                  TableNotes& notes) {
  Layout layout;
  for (size_t c = 0; c < table.names.size(); ++c) layout.kept.push_back(c);
  TableRows read = table.Read(layout);
  Check(read.count == rows, table.source, ": has ", read.count, " rows, but ", features, " has ",
        rows);
  const bool index = IsIndexOfLabels(table, read);
  if (index)
    notes.GuessAndWarn(
        Join(table.ColumnName(0), " of ", table.source, " numbers the rows and is left out"),
        "remove the column", "");
  std::vector<SourceColumn> columns;
  for (const TableGuess& guess : table.guesses) {
    if (guess.warn) notes.Warn(Join(table.source, ": ", guess.text));
  }
  for (size_t c = index ? 1 : 0; c < table.names.size(); ++c)
    columns.push_back({table, c, std::move(read.kept[c])});
  return columns;
}

// A file of labels or weights is written as that of the features is.
Hints HintsFor(const Dataset& data, const ReadOptions& options) {
  return {nullptr, data.rows(), {}, options.separator, options.decimal};
}

void ReadLabels(const ReadOptions& options, TableNotes& notes, Dataset* data) {
  const auto table = OpenTable(options.labels_path, HintsFor(*data, options));
  SetTargets(ReadAll(*table, data->rows(), data->source, notes), options, notes, data);
}

void ReadWeights(const ReadOptions& options, TableNotes& notes, Dataset* data) {
  Check(options.weight_column.empty(), options.weights_path,
        ": set either a weights file or a weight column ('", options.weight_column, "'), not both");
  const auto table = OpenTable(options.weights_path, HintsFor(*data, options));
  std::vector<SourceColumn> columns = ReadAll(*table, data->rows(), data->source, notes);
  Check(columns.size() == 1, table->source, ": has ", columns.size(),
        " columns; a file of weights must have one");
  SetWeights(std::move(columns[0]), notes, data);
}

// Fills the report of a column that is not a feature.
void SetReport(size_t column, const char* kind, const std::string& use, TableNotes& notes) {
  ColumnReport& report = notes.Report(column);
  report.kind = kind;
  report.use = use;
  report.used = false;
}

void TakeIds(const TableRows& rows, Dataset* data) {
  const Texts& text = rows.kept.back().text;
  for (size_t i = 0; i < text.size(); ++i) data->ids.emplace_back(text[i]);
}

void TakeKept(const Table& table, const Roles& roles, const ReadOptions& options, TableNotes& notes,
              TableRows* rows, Dataset* data) {
  for (const size_t c : roles.ignored) SetReport(c, "ignored", "left out (--ignore)", notes);
  if (roles.id) {
    SetReport(*roles.id, "id", "left out (--id)", notes);
    TakeIds(*rows, data);
    Check(data->ids.size() == rows->count, table.source, ": --id needs a text file");
  }
  if (roles.weight) {
    SetReport(*roles.weight, "weight", "weight of the row", notes);
    SetWeights({table, *roles.weight, std::move(rows->kept[roles.targets.size()])}, notes, data);
  }
  if (roles.targets.empty()) return;
  std::vector<SourceColumn> targets;
  for (size_t k = 0; k < roles.targets.size(); ++k) {
    const size_t c = roles.targets[k];
    const bool named = options.like || !options.target.empty();
    const std::string odd = named ? "" : OddTarget(table, c, rows->kept[k].text);
    if (!odd.empty())
      notes.GuessAndWarn(
          Join("the target is ", table.ColumnName(c), ", the last column, which ", odd),
          "use --target to choose another column");
    targets.push_back({table, c, std::move(rows->kept[k])});
    SetReport(c, "target", "predicted", notes);
  }
  SetTargets(std::move(targets), options, notes, data);
  if (!data->row_numbers.empty())  // of several, in any of them
    notes.Report(roles.targets[0]).blanks = rows->count - data->row_numbers.size();
}

// Keeps only the values of some rows of a feature.
void KeepFeature(const std::vector<size_t>& stay, size_t k, TableRows* rows) {
  const Feature all = std::move(rows->features[k]);
  Feature& some = rows->features[k] = {};
  for (const size_t i : stay) {
    if (!all.far.empty()) some.far.push_back(all.far[i]);
    if (!all.text.empty()) some.text.Add(all.text[i]);
    some.blanks += all.text.empty() ? std::isnan(rows->x.Row(i)[k])
                                    : KindOf(all.text[i]) == FieldKind::kMissing;
  }
  some.currencies = all.currencies;
  some.strays = all.strays;
  some.strays.count = std::min(all.strays.count, some.blanks);
  some.blanks -= some.strays.count;
}

// Leaves out the rows that have no target, so that they do not influence the others.
void DropUnlabelled(TableRows* rows, Dataset* data) {
  const std::vector<size_t>& stay = data->row_numbers;
  if (stay.empty()) return;
  for (size_t k = 0; k < rows->x.cols; ++k) KeepFeature(stay, k, rows);
  const auto x = std::make_shared<Matrix>(stay.size(), rows->x.cols);
  for (size_t i = 0; i < stay.size(); ++i) {
    std::copy_n(rows->x.Row(stay[i]), rows->x.cols, x->Row(i));
    if (!data->ids.empty()) data->ids[i] = data->ids[stay[i]];
    if (!data->weights.empty()) data->weights[i] = data->weights[stay[i]];
  }
  if (!data->ids.empty()) data->ids.resize(stay.size());
  if (!data->weights.empty()) data->weights.resize(stay.size());
  rows->count = stay.size();
  rows->x = *x;
  rows->owner = x;
}

// Warns about too few rows, and about rare or easily confused classes.
void WarnOfRows(const Dataset& data, TableNotes& notes) {
  constexpr size_t kFewRows = 20;
  if (data.rows() < kFewRows && data.has_targets())
    notes.Warn(Join("has only ", data.rows(), " rows; scores on so few rows are unreliable"));
  if (data.task != Task::kClassification || data.classes.size() < 2) return;
  std::vector<size_t> rows(data.classes.size());
  for (const int32_t label : data.labels) ++rows[static_cast<size_t>(label)];
  std::vector<std::string> single;
  for (size_t c = 0; c < rows.size(); ++c) {
    if (rows[c] == 1) single.push_back(data.classes[c]);
  }
  std::map<std::string, size_t> lowered;
  for (size_t c = 0; c < rows.size(); ++c) {
    const auto [same, is_new] = lowered.emplace(Lowered(data.classes[c]), c);
    if (is_new) continue;
    notes.Warn(Join("classes '", Shown(data.classes[same->second]), "' and '",
                    Shown(data.classes[c]), "' differ only in case"));
    break;
  }
  if (!single.empty())
    notes.Warn(Join(single.size() == 1 ? "class " : "classes ", SomeQuoted(single),
                    single.size() == 1 ? " has" : " have", " only one row"));
  const auto [least, most] = std::ranges::minmax_element(rows);
  if (*most <= 100 * *least) return;
  const auto name = [&](auto at) {
    return Shown(data.classes[static_cast<size_t>(at - rows.begin())]);
  };
  notes.Warn(Join("the classes are uneven: '", name(most), "' has ", *most, " rows, '", name(least),
                  "' has ", *least, "; accuracy is misleading here, so prefer balanced_accuracy"));
}

void WarnOfColumns(const Table& table, const Roles& roles, TableNotes& notes) {
  for (const TableGuess& guess : table.guesses) notes.Add(guess);
  if (roles.target_moved)
    notes.GuessAndWarn(Join("the target is ", table.ColumnName(roles.targets[0]),
                            ", the last column that is not left out"),
                       "use --target to choose another column");
  if (roles.other_target)
    notes.GuessAndWarn(
        Join("the target is ", table.ColumnName(roles.targets[0]), ", the last column, not ",
             table.ColumnName(*roles.other_target)),
        Join("use ", table.Option("--target", *roles.other_target), " to predict that column"));
  if (roles.extra.empty()) return;
  const bool one = roles.extra.size() == 1;
  notes.GuessAndWarn(Join(one ? "unknown column " : "unknown columns ", SomeQuoted(roles.extra),
                          " (not in the training data) ", one ? "is" : "are", " ignored"),
                     "use --ignore to confirm", "");
}

// Whether numbers of new rows have the unit of the training data. 10:30:15 is as clear as 10:30;
// EUR is the same as its sign.
bool IsSameUnit(std::string_view unit, const std::string& known) {
  const std::string_view currency = CurrencyOf(unit);
  return unit.empty() || Shown(unit) == known || (unit == "h:mm:ss" && known == "h:mm") ||
         (!currency.empty() && currency == CurrencyOf(known) && WithoutSigns(unit, {}).empty() &&
          WithoutSigns(known, {}).empty());  // EUR/kg is not EUR
}

// The unit of the numbers in new rows if it differs from training, or nothing. Old models of plain
// numbers do not record a currency in front of them.
std::string OtherUnit(const ColumnHint& hint, const std::string& known) {
  if (!IsSameUnit(hint.unit, known)) return Shown(hint.unit);
  for (const std::string_view currency : {hint.currencies.first, hint.currencies.other}) {
    if (!known.empty() && !IsSameUnit(currency, known)) return std::string(currency);
  }
  return "";
}

// New rows are read like the training rows. All or some may have the unit of training; another unit
// gives a warning, as the numbers mean something else.
void TakeHints(const Roles& roles, const Schema& like, TableNotes& notes, Table* table) {
  for (size_t k = 0; k < roles.features.size(); ++k) {
    const size_t c = roles.features[k];
    const std::string& known = like.columns[k].unit;
    ColumnHint& hint = table->hints[c];
    const std::string other = hint.text ? "" : OtherUnit(hint, known);
    hint.text = HoldsText(like.columns[k]);
    hint.far = like.columns[k].offset != 0;
    if (hint.text) continue;
    if (hint.unit.empty()) hint.unit = known;
    if (other.empty()) continue;
    notes.GuessAndWarn(Join(table->ColumnName(c), " is in ", other, ", but the training data ",
                            known.empty() ? "has no unit" : Join("is in ", Shown(known)),
                            "; gopnet does not convert the numbers"),
                       known.empty() ? "use plain numbers" : "use numbers in " + Shown(known), "");
  }
}

void CheckStrays(const Unknown& unknown, const ReadOptions& options, const std::string& source) {
  Check(unknown.strays.count == 0 || options.missing != ReadOptions::Missing::kError, source, ": ",
        unknown.FirstStray(), "; --missing auto treats such fields as blanks");
}

void BeginReport(const Table& table, TableReport* report) {
  if (!report) return;
  report->separator = table.separator;
  report->decimal = table.decimal;
  report->header = table.named;
  report->columns.assign(table.names.size(), {});
  for (size_t c = 0; c < table.names.size(); ++c) report->columns[c].name = table.names[c];
}

// Does not read empty columns, as there may be a million of them.
void LeaveBlank(const Table& table, const ReadOptions& options, Roles* roles) {
  const std::vector<bool> blank = table.FindBlank();
  if (blank.empty()) return;
  std::vector<size_t> read;
  for (const size_t c : roles->features)
    (blank[c] && !IsForced(table, c, options) ? roles->blank : read).push_back(c);
  roles->features = std::move(read);
}

// The roles of the columns; also begins the report.
Roles FindRoles(Table& table, const ReadOptions& options, TableNotes& notes) {
  Roles roles = AssignRoles(table, options);
  BeginReport(table, options.report);
  WarnOfColumns(table, roles, notes);
  if (options.like) {
    TakeHints(roles, *options.like, notes, &table);
  } else {
    for (const size_t c : roles.features) table.hints[c].text |= IsForced(table, c, options);
  }
  return roles;
}

// Model files store these texts, and model files are UTF-8.
void CheckText(const Table& table, const Dataset& data) {
  const auto check = [&](const std::string& text, const char* what) {
    Check(IsUtf8(text), data.source, ": ", what, " '", Shown(text), "' is not UTF-8 text",
          table.separator.empty() ? "" : HowToConvert("cp1252", data.source));
  };
  for (const std::string& label : data.classes) check(label, "label");
  for (const std::string& name : data.schema.targets) check(name, "column name");
  for (const Column& column : data.schema.columns) {
    check(column.name, "column name");
    for (const std::string& category : column.categories) check(category, "category");
  }
}

}  // namespace

NewRows::NewRows(Table& table, const ReadOptions& options)
    : table_(table),
      options_(options),
      notes_(table.source, options),
      roles_(FindRoles(table, options, notes_)),
      used_(roles_.features.size()) {
  roles_.weight.reset();  // nothing is learned from these rows
  layout_ = MakeLayout(roles_, options);
  std::iota(used_.begin(), used_.end(), size_t{0});
}

Dataset NewRows::Take(const TableRows& rows) {
  Dataset data;
  data.source = table_.source;
  data.schema = *options_.like;
  if (roles_.id) TakeIds(rows, &data);
  SetFeatures(rows, {table_, roles_.features, used_, false}, &unknown_, &data);
  CheckStrays(unknown_, options_, table_.source);
  if (options_.strict) Finish();
  if (options_.report) options_.report->rows += data.rows();
  return data;
}

Dataset ReadTable(Table& table, const ReadOptions& options) {
  Check(table.unfit.empty(), table.source, ": ", table.unfit);
  TableNotes notes(table.source, options);
  Roles roles = FindRoles(table, options, notes);
  if (!options.like && options.missing != ReadOptions::Missing::kError)
    LeaveBlank(table, options, &roles);
  Dataset data;
  data.source = table.source;
  data.schema = NewSchema(table, roles, options);
  TableRows rows = ReadRows(options, MakeLayout(roles, options), &table);
  TakeKept(table, roles, options, notes, &rows, &data);
  data.x = rows.x;  // files of labels and weights must have as many rows
  if (options.need_targets && !options.labels_path.empty()) ReadLabels(options, notes, &data);
  if (!options.weights_path.empty()) ReadWeights(options, notes, &data);
  DropUnlabelled(&rows, &data);
  std::vector<size_t> used(roles.features.size());
  std::iota(used.begin(), used.end(), size_t{0});
  if (!options.like) {
    data.schema.fill_missing = options.missing == ReadOptions::Missing::kMean;
    used = DecideColumns(rows, table, roles, options, notes, &data.schema);
  }
  for (size_t k = 0; k < used.size(); ++k)
    data.schema.fill_missing |=
        rows.features[used[k]].blanks + rows.features[used[k]].strays.count > 0;
  Unknown unknown;
  SetFeatures(rows, {table, roles.features, used, !options.like}, &unknown, &data);
  CheckStrays(unknown, options, table.source);
  unknown.Warn(!options.like || options.like->named, notes);
  if (!options.like) WarnOfRows(data, notes);
  CheckText(table, data);
  if (options.report) options.report->rows = data.rows();
  return data;
}

}  // namespace gopnet
