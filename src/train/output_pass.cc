#include "train/output_pass.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "linalg/gemm.h"

namespace gopnet {

void OutputPass::Forward(const OutputLayer& output, ConstView h, MutView outputs) {
  if (!output.phi) return MatMul(h, output.w.view(), output.b.data(), outputs);
  const MutView pooled = Room(pooled_, h.rows, outputs.cols), a = Room(a_, h.rows, outputs.cols);
  GopForward(*output.phi, h, output.w.view(), true, scratch_, pooled);
  Activate(output.phi->activation, pooled, output.b.data(), a);
  for (size_t n = 0; n < h.rows; ++n) std::copy_n(a.Row(n), a.cols, outputs.Row(n));
}

void OutputPass::Backward(const OutputLayer& output, ConstView output_t, ConstView h,
                          ConstView doutputs, OutputLayer& gradient, MutView dh) {
  if (!output.phi) {
    TransposedMatMul(h, doutputs, gradient.w.view());
    ColumnSums(doutputs, gradient.b.data());
    return MatMul(doutputs, output_t, nullptr, dh);
  }
  const MutView delta = Room(delta_, h.rows, doutputs.cols);
  ActivateBackward(output.phi->activation, pooled_.view().Rows(0, h.rows), output.b.data(),
                   a_.view().Rows(0, h.rows), doutputs, delta, gradient.b.data());
  GopBackward(*output.phi, h, output.w.view(), delta, scratch_, gradient.w.view(), dh);
}

}  // namespace gopnet
