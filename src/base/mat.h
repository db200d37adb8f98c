// Matrices: 64-byte aligned rows, padded to whole SIMD registers of any target.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "base/spill.h"

namespace gopnet {

inline constexpr size_t kAlign = 64;  // bytes: a cache line, and the widest register
inline constexpr size_t kLanePad = kAlign / sizeof(float);
inline constexpr size_t kDoublePad = kAlign / sizeof(double);

inline size_t RoundUp(size_t n, size_t to) { return (n + to - 1) / to * to; }
inline size_t Pad(size_t n) { return RoundUp(n, kLanePad); }

// Zeroed, aligned array of plain numbers, in a file if it is very large. Move-only; Resize discards
// the contents.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(size_t size) { Resize(size); }
  void Resize(size_t size) {
    const size_t bytes = RoundUp(size * sizeof(T), kAlign);
    data_.reset();
    size_ = 0;
    if (bytes == 0) return;
    const size_t spilled = bytes >= SpillBytes() ? bytes : 0;
    void* data =
        spilled > 0 ? AllocateSpilled(spilled) : ::operator new(bytes, std::align_val_t(kAlign));
    data_ = {static_cast<T*>(data), Free{spilled}};
    if (spilled == 0) std::memset(data, 0, bytes);
    size_ = size;
  }
  void Reserve(size_t size) {  // grows, never shrinks; for scratch
    if (size > size_) Resize(size);
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_.get()[i]; }
  const T& operator[](size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    size_t spilled = 0;  // bytes, if they are in a file
    void operator()(T* p) const {
      spilled > 0 ? FreeSpilled(p, spilled) : ::operator delete(p, std::align_val_t(kAlign));
    }
  };
  std::unique_ptr<T[], Free> data_;
  size_t size_ = 0;
};

// Elements from row to row of a matrix: whole registers, and no large power of two, at which the
// rows would compete for the same few places of the first cache level.
template <class T = float>
size_t Stride(size_t cols) {
  constexpr size_t kLanes = kAlign / sizeof(T), kPower = 1024 / sizeof(T);
  const size_t padded = RoundUp(cols, kLanes);
  return padded + (padded % kPower == 0 ? kLanes : 0);
}

// Looks at rows x cols numbers, rows `stride` apart.
template <class T>
struct View {
  T* data = nullptr;
  size_t rows = 0;
  size_t cols = 0;
  size_t stride = 0;

  View() = default;
  View(T* d, size_t r, size_t c, size_t s) : data(d), rows(r), cols(c), stride(s) {}
  template <class U>
  View(const View<U>& o)  // NOLINT(google-explicit-constructor): to const is always fine
      : data(o.data), rows(o.rows), cols(o.cols), stride(o.stride) {}
  T* Row(size_t i) const { return data + i * stride; }
  View Rows(size_t begin, size_t count) const {
    return {data + begin * stride, count, cols, stride};
  }
  View Part(size_t row, size_t col, size_t row_count, size_t col_count) const {
    return {Row(row) + col, row_count, col_count, stride};
  }
};
using MutView = View<float>;
using ConstView = View<const float>;

// Owns an aligned matrix, zero at first. Padding lanes stay zero unless a kernel says otherwise.
template <class T>
class AlignedMatrix {
 public:
  AlignedMatrix() = default;
  AlignedMatrix(size_t rows, size_t cols) : AlignedMatrix(rows, cols, Stride<T>(cols)) {}
  AlignedMatrix(size_t rows, size_t cols, size_t stride)
      : rows_(rows), cols_(cols), stride_(stride), buffer_(rows * stride) {}
  AlignedMatrix(const AlignedMatrix& o) : AlignedMatrix(o.rows_, o.cols_, o.stride_) {
    if (o.data() != nullptr) std::memcpy(data(), o.data(), rows_ * stride_ * sizeof(T));
  }
  AlignedMatrix& operator=(const AlignedMatrix& o) { return *this = AlignedMatrix(o); }
  AlignedMatrix(AlignedMatrix&&) = default;
  AlignedMatrix& operator=(AlignedMatrix&&) = default;

  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  size_t stride() const { return stride_; }
  T* data() { return buffer_.data(); }
  const T* data() const { return buffer_.data(); }
  T* Row(size_t i) { return data() + i * stride_; }
  const T* Row(size_t i) const { return data() + i * stride_; }
  T& operator()(size_t i, size_t j) { return Row(i)[j]; }
  const T& operator()(size_t i, size_t j) const { return Row(i)[j]; }
  View<T> view() { return {data(), rows_, cols_, stride_}; }
  View<const T> view() const { return {data(), rows_, cols_, stride_}; }

 private:
  size_t rows_ = 0;
  size_t cols_ = 0;
  size_t stride_ = 0;
  Buffer<T> buffer_;
};
using Mat = AlignedMatrix<float>;           // networks, rows of data
using DenseMatrix = AlignedMatrix<double>;  // sums over rows, and what is solved from them

// `rows` rows of m as scratch; m is made anew (and zeroed) only if its shape does not fit.
inline MutView Room(Mat& m, size_t rows, size_t cols) {
  if (m.rows() < rows || m.cols() != cols) m = Mat(rows, cols);
  return m.view().Rows(0, rows);
}

}  // namespace gopnet
