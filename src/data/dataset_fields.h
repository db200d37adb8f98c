// The fields of data sets and schemas (base/fields.h). Features are stored as their shape only.
#pragma once

#include <algorithm>

#include "base/archive.h"
#include "gopnet/train.h"

namespace gopnet {

inline std::vector<std::string> ChoiceNames(Task) { return {"classification", "regression"}; }

// JSON leaves out what is as usual, so that models of plain numbers stay as they were.
decltype(auto) Fields(auto& a, Column& c) {
  return a(Named("name", c.name), Named("categories", c.categories), Extra("other", c.other),
           Extra("date", c.date), Extra("hours", c.hours), Extra("offset", c.offset),
           Extra("indicator", c.indicator), Extra("unit", c.unit));
}
decltype(auto) Fields(auto& a, LeftOut& c) {
  return a(Named("name", c.name), Named("reason", c.reason));
}
decltype(auto) Fields(auto& a, Schema& s) {
  return a(Named("columns", s.columns), Named("targets", s.targets), Named("named", s.named),
           Named("fill_missing", s.fill_missing), Extra("left_out", s.left_out),
           Extra("decimal_comma", s.decimal_comma), Extra("id", s.id));
}
inline void Fields(ArchiveWriter& a, Matrix& m) {
  a(uint64_t{m.rows()}, uint64_t{m.cols()});
  a(std::vector<float>(m.data(), m.data() + m.rows() * m.cols()));
}
inline void Fields(ArchiveReader& a, Matrix& m) {
  uint64_t rows = 0, cols = 0;
  std::vector<float> values;
  a(rows, cols, values);
  a.Require(values.size() == rows * cols);
  m = Matrix(rows, cols);
  std::copy(values.begin(), values.end(), m.data());
}
inline void Fields(ArchiveWriter& a, MatrixView& x) { a(uint64_t{x.rows}, uint64_t{x.cols}); }
inline void Fields(ArchiveReader& a, MatrixView& x) {
  uint64_t rows = 0, cols = 0;
  a(rows, cols);
  x = MatrixView(nullptr, rows, cols);
}
decltype(auto) Fields(auto& a, Dataset& d) {
  return a(d.x, Local(d.owner), d.schema, d.source, d.task, d.labels, d.classes, d.integer_classes,
           d.targets, d.target_offset, d.weights, d.ids, d.row_numbers);
}
decltype(auto) Fields(auto& a, TrainData& d) { return a(d.train, d.val, d.test); }

}  // namespace gopnet
