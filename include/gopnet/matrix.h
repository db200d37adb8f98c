// Row-major float matrices: Matrix owns its numbers, MatrixView refers to numbers owned elsewhere.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gopnet {

// Owns rows x cols floats, initially zero.
class Matrix {
 public:
  Matrix() = default;
  Matrix(size_t rows, size_t cols) : rows_(rows), cols_(cols), data_(rows * cols) {}
  Matrix(const Matrix&) = default;
  Matrix& operator=(const Matrix&) = default;
  Matrix(Matrix&& other) noexcept { *this = std::move(other); }
  Matrix& operator=(Matrix&& other) noexcept {  // which is left empty
    rows_ = std::exchange(other.rows_, 0);
    cols_ = std::exchange(other.cols_, 0);
    data_ = std::exchange(other.data_, {});
    return *this;
  }
  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  float* data() { return data_.data(); }
  const float* data() const { return data_.data(); }
  float* Row(size_t i) { return data_.data() + i * cols_; }
  const float* Row(size_t i) const { return data_.data() + i * cols_; }
  float& operator()(size_t i, size_t j) { return data_[i * cols_ + j]; }
  float operator()(size_t i, size_t j) const { return data_[i * cols_ + j]; }

 private:
  size_t rows_ = 0;
  size_t cols_ = 0;
  std::vector<float> data_;
};

// Refers to rows x cols floats owned elsewhere. Rows start `stride` floats apart. The caller keeps
// the numbers alive.
struct MatrixView {
  const float* data = nullptr;
  size_t rows = 0;
  size_t cols = 0;
  size_t stride = 0;

  MatrixView() = default;
  MatrixView(const float* values, size_t n_rows, size_t n_cols)
      : data(values), rows(n_rows), cols(n_cols), stride(n_cols) {}
  MatrixView(const Matrix& m)  // NOLINT(google-explicit-constructor): pass a Matrix as a view
      : MatrixView(m.data(), m.rows(), m.cols()) {}
  const float* Row(size_t i) const { return data + i * stride; }
};

}  // namespace gopnet
