// Kernels, losses, norms and sums of doubles give the same bits on every instruction set with fused
// multiply-add. Sizes are around the register widths.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernels/elementwise.h"
#include "kernels/gop.h"
#include "kernels/loss.h"
#include "kernels/simd.h"
#include "linalg/symmetric_eigen.h"
#include "linalg/tridiagonal.h"
#include "support/kernel_inputs.h"

namespace gopnet::testing {
namespace {

// Concatenates the bytes of results.
class Bytes {
 public:
  template <class T>
  void Add(const T* values, size_t count) {
    const auto* bytes = reinterpret_cast<const char*>(values);
    text_.append(bytes, count * sizeof(T));
  }
  void Add(const Mat& m) {
    for (size_t i = 0; i < m.rows(); ++i) Add(m.Row(i), m.cols());
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void ExpectSameBits(const std::string& what, const std::function<void(Bytes&)>& compute) {
  const std::string before = CurrentSimd();
  std::string first, first_name;
  for (const std::string& simd : SupportedSimd()) {
    if (!HasFusedMultiplyAdd(simd)) continue;
    PinSimd(simd);
    Bytes bytes;
    compute(bytes);
    if (first_name.empty()) first = bytes.text(), first_name = simd;
    EXPECT_TRUE(bytes.text() == first) << what << ": " << simd << " and " << first_name;
  }
  PinSimd(before);
}

// Uses the usual range and one in which only some neurons and rows need the overflow guard. Some
// row counts are odd because half panels take rows in pairs. Some neurons have no positive weight
// and some inputs are all zero.
TEST(SameBits, KernelsOfEveryOperatorPair) {
  for (const float range : {1.0f, 12.0f}) {
    for (const size_t rows : {1, 9, 32}) {
      for (const size_t units : {1, 4, 7, 8, 12, 17, 24, 31, 40}) {
        Mat x = Random(rows, 21, 1.5f, 1), w = Random(21, units, range, 2);
        for (size_t k = 0; k < 21; ++k) {
          w.Row(k)[units / 2] = -std::fabs(w.Row(k)[units / 2]);
          w.Row(k)[units - 1] *= 0.01f;
          x.Row(rows / 2)[k] = 0;
        }
        const Mat delta = Random(rows, units, 1, 3);
        for (const OperatorSet& phi : Pairs()) {
          ExpectSameBits(Names(phi)[0] + " " + Names(phi)[1] + ", " + std::to_string(units),
                         [&](Bytes& bytes) {
                           Mat pooled(rows, units), dw(21, units), dx(rows, 21);
                           GopScratch scratch;
                           GopForward(phi, x.view(), w.view(), true, scratch, pooled.view());
                           GopBackward(phi, x.view(), w.view(), delta.view(), scratch, dw.view(),
                                       dx.view());
                           bytes.Add(pooled);
                           bytes.Add(dw);
                           bytes.Add(dx);
                         });
        }
      }
    }
  }
}

TEST(SameBits, LossesAndNorms) {
  for (const size_t classes : {2, 7, 8, 9, 16, 23, 40}) {
    const Mat logits = Random(37, classes, 6, 4);
    const std::vector<int32_t> labels(37, static_cast<int32_t>(classes) - 1);
    ExpectSameBits(std::to_string(classes) + " classes", [&](Bytes& bytes) {
      Mat gradient = logits, probabilities = logits;
      const double loss = SoftmaxCrossEntropy(gradient.view(), labels.data(), nullptr, 37);
      Softmax(probabilities.view());
      const double norm = SquaredNorm(logits.data(), logits.rows() * logits.stride());
      std::vector<int32_t> columns(37);
      ArgMaxRows(logits.view(), columns.data());
      bytes.Add(gradient);
      bytes.Add(probabilities);
      bytes.Add(&loss, 1);
      bytes.Add(&norm, 1);
      bytes.Add(columns.data(), columns.size());
    });
  }
}

TEST(SameBits, SumsAndEigenvectorsOfDoubles) {
  for (const size_t size : {1, 5, 8, 9, 16, 24, 37}) {
    const Mat values = Random(size, size, 1, 5);
    DenseMatrix symmetric(size, size);
    for (size_t i = 0; i < size; ++i) {
      for (size_t j = 0; j < size; ++j)
        symmetric(i, j) =
            static_cast<double>(values.Row(i)[j]) + static_cast<double>(values.Row(j)[i]);
    }
    ExpectSameBits(std::to_string(size) + " numbers", [&](Bytes& bytes) {
      const double dot = Dot(symmetric.Row(0), symmetric.Row(size - 1), size);
      const EigenPairs pairs = SymmetricEigen(symmetric);
      bytes.Add(&dot, 1);
      bytes.Add(pairs.values.data(), pairs.values.size());
      for (size_t i = 0; i < size; ++i) bytes.Add(pairs.vectors.Row(i), size);
    });
  }
}

}  // namespace
}  // namespace gopnet::testing
