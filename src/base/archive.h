// Values as bytes and back: the state of a run, which only this program reads. A type lists its
// parts once (base/fields.h), and both directions follow that list. Reading trusts no number: a
// size is checked against the bytes that are left before anything is allocated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/fields.h"
#include "base/mat.h"

namespace gopnet {

class ArchiveWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (Put(values), ...);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  template <class T>
  void Put(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      Raw(&value, sizeof value);
    } else if constexpr (std::is_enum_v<T>) {
      Put(static_cast<uint8_t>(value));
    } else {
      static_assert(ListsAll<T>(), "Fields must list every member");
      Fields(*this, const_cast<T&>(value));  // a writer changes nothing
    }
  }
  template <class T, PartKind kKind>
  void Put(const NamedPart<T, kKind>& part) {
    Put(part.value);
  }
  template <class... P>
  void Put(const PartGroup<P...>& group) {
    std::apply(*this, group.parts);
  }
  template <class T>
  void Put(const LocalPart<T>&) {}
  void Put(const std::string& text) {
    Put(uint64_t{text.size()});
    Raw(text.data(), text.size());
  }
  template <class T>
  void Put(const std::vector<T>& values) {
    Put(uint64_t{values.size()});
    for (const T& value : values) Put(value);
  }
  template <class T>
  void Put(const std::map<std::string, T>& values) {
    Put(uint64_t{values.size()});
    for (const auto& [name, value] : values) (*this)(name, value);
  }
  template <class T>
  void Put(const std::optional<T>& value) {
    Put(value.has_value());
    if (value) Put(*value);
  }
  void Put(const Buffer<float>& numbers) {
    Put(uint64_t{numbers.size()});
    Raw(numbers.data(), numbers.size() * sizeof(float));
  }
  void Put(const Mat& m) {  // with its padding: training goes on with the very same numbers
    (*this)(uint64_t{m.rows()}, uint64_t{m.cols()}, uint64_t{m.stride()});
    Raw(m.data(), m.rows() * m.stride() * sizeof(float));
  }
  void Raw(const void* data, size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(data), size);
  }

  std::string bytes_;
};

class ArchiveReader {
 public:
  // `source` begins the message of the Error that is thrown for bytes of another kind.
  ArchiveReader(std::string_view bytes, std::string source)
      : rest_(bytes), source_(std::move(source)) {}

  template <class... T>
  void operator()(T&&... values) {
    (Get(values), ...);
  }
  // Reads into the memory that is there already, so that pointers to it stay valid: sizes and
  // shapes must be the same.
  template <class... T>
  void Same(T&... values) {
    same_ = true;
    (Get(values), ...);
    same_ = false;
  }
  void End() const { Require(rest_.empty()); }
  void Require(bool condition) const {
    Check(condition, source_, ": the saved state of this run is damaged");
  }
  // The index of the name in the list; throws if it is not there.
  int Find(const std::vector<std::string>& names, const std::string& name) const {
    const auto it = std::find(names.begin(), names.end(), name);
    Require(it != names.end());
    return static_cast<int>(it - names.begin());
  }
  const std::string& source() const { return source_; }

 private:
  template <class T>
  void Get(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      Raw(&value, sizeof value);
    } else if constexpr (std::is_enum_v<T>) {  // of those that have names (base/visit.h)
      uint8_t number = 0;
      Get(number);
      Require(number < ChoiceNames(value).size());
      value = static_cast<T>(number);
    } else {
      static_assert(ListsAll<T>(), "Fields must list every member");
      Fields(*this, value);
    }
  }
  template <class T, PartKind kKind>
  void Get(NamedPart<T, kKind>& part) {
    Get(part.value);
  }
  template <class... P>
  void Get(PartGroup<P...>& group) {
    std::apply(*this, group.parts);
  }
  template <class T>
  void Get(LocalPart<T>&) {}
  void Get(bool& value) {
    uint8_t byte = 0;
    Get(byte);
    value = byte != 0;
  }
  void Get(std::string& text) {
    const uint64_t size = Size(1);
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  template <class T>
  void Get(std::vector<T>& values) {
    const uint64_t size = Size(1);
    Require(!same_ || size == values.size());
    if (!same_) values.clear();
    for (uint64_t i = 0; i < size; ++i) {  // grows as elements come, not by what the file claims
      if (!same_) values.emplace_back();
      Get(values[i]);
    }
  }
  template <class T>
  void Get(std::map<std::string, T>& values) {
    const uint64_t size = Size(1);
    values.clear();
    for (uint64_t i = 0; i < size; ++i) {
      std::string name;
      Get(name);
      Get(values[name]);
    }
  }
  template <class T>
  void Get(std::optional<T>& value) {
    bool there = false;
    Get(there);
    Require(!same_ || there == value.has_value());
    if (!there) value.reset();
    if (there && !value) value.emplace();
    if (there) Get(*value);
  }
  void Get(Buffer<float>& numbers) {
    const uint64_t size = Size(sizeof(float));
    Require(!same_ || size == numbers.size());
    if (!same_) numbers.Resize(size);
    Raw(numbers.data(), size * sizeof(float));
  }
  void Get(Mat& m) {
    uint64_t rows = 0, cols = 0, stride = 0;
    (*this)(rows, cols, stride);
    Require(cols <= stride);
    Require(rows == 0 || (stride > 0 && stride <= rest_.size() / sizeof(float) / rows));
    Require(!same_ || (rows == m.rows() && cols == m.cols() && stride == m.stride()));
    if (!same_) m = Mat(rows, cols, stride);
    Raw(m.data(), rows * stride * sizeof(float));
  }
  // A count of things of at least `width` bytes each.
  uint64_t Size(size_t width) {
    uint64_t size = 0;
    Get(size);
    Require(size <= rest_.size() / width);
    return size;
  }
  void Raw(void* data, size_t size) {
    Require(size <= rest_.size());
    if (size > 0) std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  std::string source_;
  bool same_ = false;
};

// A value as a state of its own.
template <class T>
std::string ToState(const T& value) {
  ArchiveWriter write;
  write(value);
  return write.Take();
}

// And back: nothing if the bytes hold another thing, or if verify(value) throws Error.
template <class T, class Verify>
std::optional<T> FromState(std::string_view bytes, const Verify& verify) {
  T value;
  try {
    ArchiveReader read(bytes, "");
    read(value);
    read.End();
    verify(value);
  } catch (const Error&) {
    return std::nullopt;
  }
  return value;
}

}  // namespace gopnet
