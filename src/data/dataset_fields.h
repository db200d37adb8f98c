// Data sets as bytes (base/archive.h), but for their features, of which only the shape is told.
#pragma once

#include <algorithm>

#include "base/archive.h"
#include "gopnet/dataset.h"

namespace gopnet {

template <class A>
void Fields(A& a, Column& c) {
  a(c.name, c.categories, c.other, c.date, c.hours, c.offset, c.indicator, c.unit);
}
template <class A>
void Fields(A& a, LeftOut& c) {
  a(c.name, c.reason);
}
template <class A>
void Fields(A& a, Schema& s) {
  a(s.columns, s.targets, s.named, s.fill_missing, s.left_out, s.decimal_comma);
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
template <class A>
void Fields(A& a, Dataset& d) {
  uint64_t rows = d.x.rows, cols = d.x.cols;
  bool classes = d.task == Task::kClassification;
  a(rows, cols, classes, d.schema, d.source, d.labels, d.classes, d.integer_classes, d.targets,
    d.target_offset, d.weights);
  d.x.rows = rows;
  d.x.cols = d.x.stride = cols;
  d.task = classes ? Task::kClassification : Task::kRegression;
}

}  // namespace gopnet
