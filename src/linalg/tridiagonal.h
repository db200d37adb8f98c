// A symmetric matrix as a tridiagonal one, A = Q T Q^T, by Householder reflections on Highway. One
// thread.
#pragma once

#include <vector>

#include "base/mat.h"

namespace gopnet {

struct Tridiagonal {
  std::vector<double> diagonal;  // of T
  std::vector<double> beside;    // element k couples k and k + 1; the last is 0
  // Q = H_0 H_1 ..., H_k = I - tau_k v_k v_k^T: row k is v_k, 0 up to column k
  DenseMatrix reflectors;
  std::vector<double> tau;
};

// The padding of `a` is 0. Asks StopCheck once a column.
Tridiagonal Tridiagonalise(DenseMatrix a);
// Each row x of `rows` becomes Q x.
void RotateBack(const Tridiagonal& t, DenseMatrix& rows);

// For aligned vectors that are padded with zeros.
double Dot(const double* a, const double* b, size_t size);
void AddMultiple(double factor, const double* from, size_t size, double* to);

}  // namespace gopnet
