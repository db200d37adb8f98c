// Reads bytes as data of any format: training rows, new rows for a model, or labels.
#pragma once

#include "data/canonical_order.h"
#include "data/table.h"
#include "data/targets.h"
#include "fuzz/support/target.h"

namespace gopnet::fuzz {

inline void ReadAsLabels(const Table& table, const ReadOptions& options) {
  Layout layout;
  for (size_t c = 0; c < table.names.size(); ++c) layout.kept.push_back(c);
  TableRows rows = table.Read(layout);
  std::vector<SourceColumn> columns;
  for (const size_t c : layout.kept) columns.push_back({table, c, std::move(rows.kept[c])});
  Dataset data;
  TableNotes notes(table.source, options);
  SetTargets(std::move(columns), options, notes, &data);
}

inline void ReadAsRows(const FileBytes& file, ReadOptions options) {
  const Dataset data = ReadTable(*OpenTable(file, {}), options);
  for (size_t i = 0; i < data.rows(); ++i) Touch(data.x.Row(i), data.features());
  if (data.rows() < 10000) CanonicalOrder(data);  // training does this first
  options.like = &data.schema;
  options.need_targets = false;
  ReadTable(*OpenTable(file, {options.like, std::nullopt}), options);
}

// The first byte chooses how to read the file, which is the rest of the bytes.
inline int ReadAnyWay(const std::string& name, const uint8_t* bytes, size_t size) {
  if (size == 0) return 0;
  const uint8_t how = bytes[0];
  const Exact content({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  const FileBytes file{name, content.view(), content.owner()};
  ReadOptions options;
  options.categorical = how & 1;
  options.missing = how & 2 ? ReadOptions::Missing::kMean : ReadOptions::Missing::kAuto;
  if (how & 4) options.task = how & 8 ? Task::kClassification : Task::kRegression;
  if (how & 16) options.target = how & 32 ? "0,1" : "0";
  if (how & 64) options.weight_column = "2";
  ErrorsOnly(FilePart(name), [&] {
    if (how & 128) return ReadAsLabels(*OpenTable(file, {nullptr, how & 63}), options);
    ReadAsRows(file, options);
  });
  return 0;
}

}  // namespace gopnet::fuzz
