// What the writer and the reader of safetensors agree on.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "io/safetensors.h"

namespace gopnet {

inline constexpr char kMetadata[] = "__metadata__";
inline constexpr char kChecksum[] = "checksum";

size_t Width(const Tensor& tensor);  // bytes a number

// Hex digits of XXH3 over the tensors' bytes, seeded by that of the metadata (without a checksum).
std::string Checksum(const std::map<std::string, std::string>& metadata, std::string_view data);

}  // namespace gopnet
