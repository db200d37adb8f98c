// Protocol buffers' wire format, as far as ONNX needs it: a message is a string of fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gopnet::exporting {

// Little-endian, as every machine that gopnet runs on.
template <class T>
void AppendRaw(T value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

class Message {
 public:
  Message& Number(int field, uint64_t value) {
    Varint(static_cast<uint64_t>(field) << 3);
    Varint(value);
    return *this;
  }
  // Text, bytes or a message within this one.
  Message& Bytes(int field, std::string_view bytes) {
    Varint((static_cast<uint64_t>(field) << 3) | 2);
    Varint(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  Message& Add(int field, const Message& part) { return Bytes(field, part.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void Varint(uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>((value & 127) | 128);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

}  // namespace gopnet::exporting
