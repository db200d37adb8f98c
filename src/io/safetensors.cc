#include "io/safetensors.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "io/safetensors_format.h"

namespace gopnet {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "numbers are written as they lie in memory");

size_t Count(const Tensor& tensor) {
  return tensor.dtype == "F32" ? tensor.f32.size() : tensor.f64.size();
}

const char* Bytes(const Tensor& tensor) {
  return tensor.dtype == "F32" ? reinterpret_cast<const char*>(tensor.f32.data())
                               : reinterpret_cast<const char*>(tensor.f64.data());
}

std::string AllBytes(const TensorFile& file) {
  std::string data;
  for (const auto& [name, tensor] : file.tensors)
    data.append(Bytes(tensor), Count(tensor) * Width(tensor));
  return data;
}

json Header(const TensorFile& file, std::string_view data) {
  std::map<std::string, std::string> metadata = file.metadata;
  metadata.erase(kChecksum);
  metadata[kChecksum] = Checksum(metadata, data);
  json header;
  header[kMetadata] = metadata;
  size_t begin = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const size_t end = begin + Count(tensor) * Width(tensor);
    header[name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  return header;
}

}  // namespace

size_t Width(const Tensor& tensor) {
  return tensor.dtype == "F32" ? sizeof(float) : sizeof(double);
}

std::string Checksum(const std::map<std::string, std::string>& metadata, std::string_view data) {
  const std::string text = json(metadata).dump();
  const uint64_t seed = XXH3_64bits(text.data(), text.size());
  char digits[17];
  std::snprintf(
      digits, sizeof digits, "%016llx",
      static_cast<unsigned long long>(XXH3_64bits_withSeed(data.data(), data.size(), seed)));
  return digits;
}

std::string Serialize(const TensorFile& file) try {
  const std::string data = AllBytes(file);
  std::string header = Header(file, data).dump();
  header.append((8 - header.size() % 8) % 8, ' ');  // aligns the tensors
  const uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes.append(header).append(data);
} catch (const json::exception& error) {
  Fail("model file: ", error.what());  // text that is not UTF-8
}

}  // namespace gopnet
