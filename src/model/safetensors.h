// The safetensors format: 8 bytes of header length, a JSON header, the tensors' bytes. Reading runs
// no code and trusts no number of the file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

inline constexpr char kMetadata[] = "__metadata__";
inline constexpr char kChecksum[] = "checksum";
inline constexpr char kTensorsChecksum[] = "tensors_checksum";  // of names, types, shapes, offsets

// Numbers lie in the vector of the dtype, row-major.
struct Tensor {
  std::string dtype = "F32";  // or "F64"
  std::vector<size_t> shape;
  std::vector<float> f32;
  std::vector<double> f64;
  bool operator==(const Tensor&) const = default;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;  // checksums are kept by Serialize and Parse
  std::map<std::string, Tensor> tensors;
  bool operator==(const TensorFile&) const = default;
};

// The same bytes for the same content, with a checksum of metadata and tensors. Throws Error for
// text that is not UTF-8.
std::string Serialize(const TensorFile& file);

// Throws Error, naming `source`, unless the bytes are a whole file with a right checksum (or none).
TensorFile Parse(std::string_view bytes, const std::string& source);

// Hex digits of XXH3 over the tensors' bytes, seeded by that of the metadata (without a checksum).
std::string Checksum(const std::map<std::string, std::string>& metadata, std::string_view data);

}  // namespace gopnet
