// Kernels for psi = w phi(y) under a sum of products of r neighbours: the products separate,
//   rho = sum_k (phi_k .. phi_{k+r-1}) (w_k .. w_{k+r-1}) = Phi V,
// so forward and gradients are matrix products (18 of the paper's 72 sets). Shapes: Phi n x K', V
// K' x M, K' = K - r + 1. Back to w and phi by the product rule.
#if defined(GOPNET_KERNELS_GOP_SEPARABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GOPNET_KERNELS_GOP_SEPARABLE_INL_H_
#undef GOPNET_KERNELS_GOP_SEPARABLE_INL_H_
#else
#define GOPNET_KERNELS_GOP_SEPARABLE_INL_H_
#endif

#include "kernels/gop_panels-inl.h"
#include "linalg/gemm.h"

HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace HWY_NAMESPACE {

// Phi; the input itself where that is the same.
template <class Nodal, int kTerms>
ConstView BuildPhi(ConstView x, Mat& phi) {
  if constexpr (kTerms == 1 && Nodal::kIdentity) return x;
  const MutView room = Room(phi, x.rows, x.cols - kTerms + 1);
  for (size_t n = 0; n < x.rows; ++n) {
    for (size_t k = 0; k < room.cols; k += kLanes) {
      Lanes product = Nodal::Input(LoadRow(x, n, k));
      for (size_t i = 1; i < kTerms; ++i) product = product * Nodal::Input(LoadRow(x, n, k + i));
      product.Store(room.Row(n) + k);
    }
  }
  return room;
}

// V; the weights themselves for a plain sum.
template <int kTerms>
ConstView BuildV(ConstView w, Mat& v) {
  if constexpr (kTerms == 1) return w;
  const size_t products = w.rows - kTerms + 1;
  const MutView room = Room(v, products, w.cols);
  for (size_t k = 0; k < products; ++k) {
    for (size_t j = 0; j < room.stride; j += Lanes::Size()) {
      Lanes product = Lanes::Load(w.Row(k) + j);
      for (size_t i = 1; i < kTerms; ++i) product = product * Lanes::Load(w.Row(k + i) + j);
      product.Store(room.Row(k) + j);
    }
  }
  return room;
}

// d(product)/d(factor i) summed over the products a factor is part of: factor k is the i-th of
// product k - i.
template <int kTerms>
void FactorGradients(ConstView dv, ConstView w, MutView dw) {
  for (size_t k = 0; k < w.rows; ++k) {
    for (size_t j = 0; j < dw.stride; j += Lanes::Size()) {
      Lanes sum(0.0);
      for (size_t i = 0; i < kTerms; ++i) {
        if (k < i || k - i >= dv.rows) continue;
        Lanes term = Lanes::Load(dv.Row(k - i) + j);
        for (size_t t = 0; t < kTerms; ++t) {
          if (t != i) term = term * Lanes::Load(w.Row(k - i + t) + j);
        }
        sum = sum + term;
      }
      sum.Store(dw.Row(k) + j);
    }
  }
}

template <class Nodal, int kTerms>
void InputGradients(ConstView dphi, ConstView x, MutView dx) {
  for (size_t n = 0; n < x.rows; ++n) {
    const float* y = x.Row(n);
    for (size_t k = 0; k < x.cols; ++k) {
      float sum = 0;
      for (size_t i = 0; i < kTerms; ++i) {
        if (k < i || k - i >= dphi.cols) continue;
        float term = dphi.Row(n)[k - i];
        for (size_t t = 0; t < kTerms; ++t) {
          if (t != i) term *= Nodal::Input(y[k - i + t]);
        }
        sum += term;
      }
      dx.Row(n)[k] = sum * Nodal::InputGrad(y[k]);
    }
  }
}

template <class Nodal, int kTerms>
void ForwardSeparable(ConstView x, ConstView w, GopScratch& s, MutView pooled) {
  MatMul(BuildPhi<Nodal, kTerms>(x, s.phi), BuildV<kTerms>(w, s.v), nullptr, pooled);
}

template <class Nodal, int kTerms>
void BackwardSeparable(ConstView x, ConstView w, ConstView delta, GopScratch& s, MutView dw,
                       MutView dx) {
  const size_t products = x.cols - kTerms + 1;
  constexpr bool kItself = kTerms == 1 && Nodal::kIdentity;
  const ConstView phi = kItself ? x : ConstView(s.phi.view().Rows(0, x.rows));
  if constexpr (kTerms == 1) {
    TransposedMatMul(phi, delta, dw);
  } else {
    const MutView dv = Room(s.dv, products, w.cols);
    TransposedMatMul(phi, delta, dv);
    FactorGradients<kTerms>(dv, w, dw);
  }
  if (dx.data == nullptr) return;
  const MutView dphi = Room(s.dphi, x.rows, products);
  const MutView vt = Room(s.vt, w.cols, products);
  Transpose(kTerms == 1 ? w : ConstView(s.v.view().Rows(0, products)), vt);
  MatMul(delta, vt, nullptr, dphi);
  InputGradients<Nodal, kTerms>(dphi, x, dx);
}

}  // namespace HWY_NAMESPACE
}  // namespace gopnet
HWY_AFTER_NAMESPACE();
#endif
