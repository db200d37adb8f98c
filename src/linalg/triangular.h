// Upper triangular factors R, R^T R = K, by halves: all but the smallest parts are the products of
// linalg/gemm.h. One thread.
#pragma once

#include <optional>

#include "base/mat.h"

namespace gopnet {

// Only the upper triangle of r is read; b is aligned and padded.
void SolveTransposed(View<const double> r, View<double> b);  // b <- R^-T b
void SolveUpper(View<const double> r, View<double> b);       // b <- R^-1 b

// Turns the upper triangle of k, aligned and padded, into that of R. Returns false, leaving k
// unusable, if a squared pivot is NaN or not above `tolerance`.
bool Cholesky(View<double> k, double tolerance);
// R of k + shift I, or nothing, as above.
std::optional<DenseMatrix> ShiftedCholesky(const DenseMatrix& k, double shift, double tolerance);
void SolveFactored(View<const double> r, View<double> b);  // b <- (R^T R)^-1 b

}  // namespace gopnet
