// One block of generalized operational perceptrons on a batch of rows:
//   pooled(n, j) = rho_k psi(x(n, k), w(k, j)),    j = 1..M
// and its gradients. Bias and activation follow in kernels/elementwise.h. A row's result does not
// depend on the other rows of the batch. Thread-compatible: one GopScratch per thread.
#pragma once

#include <cstdint>

#include "base/mat.h"
#include "ops/operator_set.h"

namespace gopnet {

// What the forward pass leaves for the backward pass, and room to work. Grows to the largest batch
// seen.
struct GopScratch {
  Buffer<float> w;       // weights in panels [M / lanes][K][lanes]
  Buffer<float> log_w;   // their logarithms, for the keys of a maximum
  Buffer<float> w_max;   // largest |w| of every 16 neurons
  Mat q, log_y;          // prepared inputs, rows x K
  Buffer<float> q_max;   // largest |q| of each row
  Buffer<float> pair_x;  // x, q and dLoss/dpooled of two rows in turn, for half a panel
  Buffer<float> pair_q;  // (kernels/gop_panels-inl.h)
  Buffer<float> pair_delta;
  Buffer<float> dw;        // gradient of one panel, or of inputs: [3][K][16]
  Buffer<float> factors;   // transcendental factors [M / lanes][rows][K][factors][lanes]
  Buffer<int32_t> argmax;  // of a maximum pool [M / lanes][rows][lanes]
  Mat phi, v, dv, vt,
      dphi;  // separable sets: products of neighbours, see kernels/gop_separable-inl.h
};

// keep: the backward pass will follow with the same x, w and scratch. pooled needs Pad(M) columns
// of room.
void GopForward(const OperatorSet& phi, ConstView x, ConstView w, bool keep, GopScratch& scratch,
                MutView pooled);

// delta = dLoss/dpooled, zero in its padding. Writes dw (K x M) and, unless dx.data is null, dx
// (rows x K).
void GopBackward(const OperatorSet& phi, ConstView x, ConstView w, ConstView delta,
                 GopScratch& scratch, MutView dw, MutView dx);

}  // namespace gopnet
