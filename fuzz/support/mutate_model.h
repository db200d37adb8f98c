// Mutates the parts of a safetensors file and corrects the header length, the offsets and the
// checksums. Random changes rarely get past these checks.
#pragma once

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

#include "fuzz/support/packed.h"
#include "model/safetensors.h"

namespace gopnet::fuzz {

class ModelMutator {
 public:
  explicit ModelMutator(unsigned seed) : random_(seed) {}

  // Empty if the bytes are not a safetensors file.
  std::string Run(std::string_view bytes) {
    uint64_t length = 0;
    if (bytes.size() < sizeof length) return "";
    std::memcpy(&length, bytes.data(), sizeof length);
    if (length > bytes.size() - sizeof length) return "";
    header_ = Json::parse(bytes.substr(8, length), nullptr, /*allow_exceptions=*/false);
    if (!header_.is_object() || header_.empty()) return "";
    data_ = bytes.substr(8 + length);
    Change();
    if (random_() % 8 > 0) Lay();
    if (random_() % 8 > 0) Sign();
    return Whole();
  }

 private:
  using Json = nlohmann::json;

  Json& Any(Json& object) {
    return std::next(object.begin(), static_cast<long>(random_() % object.size())).value();
  }

  void Change() {
    Json& metadata = header_[kMetadata];
    const unsigned what = random_() % 4;
    if (what == 0 && !data_.empty()) {
      data_ = Mutated(data_, data_.size());
    } else if (what == 1) {
      ChangeJson(header_);
    } else if (metadata.is_object() && !metadata.empty()) {
      Json& value = Any(metadata);
      if (value.is_string()) value = ChangeText(value.get<std::string>());
    }
  }

  // Mutates JSON inside a JSON string, value by value or, sometimes, as plain text.
  std::string ChangeText(const std::string& text) {
    Json inner = Json::parse(text, nullptr, false);
    if (!inner.is_structured() || random_() % 4 == 0) return Mutated(text, text.size() + 64);
    ChangeJson(inner);
    return Dump(inner);
  }

  // Removes, duplicates or mutates one value somewhere below.
  void ChangeJson(Json& json) {
    if (!json.is_structured() || json.empty()) {
      const std::string text = Mutated(Dump(json), 64);
      Json changed = Json::parse(text, nullptr, false);
      json = changed.is_discarded() ? Json(text) : changed;
      return;
    }
    if (random_() % 4 > 0) return ChangeJson(Any(json));
    auto at = std::next(json.begin(), static_cast<long>(random_() % json.size()));
    if (random_() % 2 == 0) {
      json.erase(at);
    } else if (json.is_array()) {
      const Json copy = *at;
      json.push_back(copy);
    } else {
      const Json copy = at.value();
      json[Mutated(at.key(), 32)] = copy;
    }
  }

  // Sets offsets that match the shapes, one tensor after the other.
  void Lay() {
    size_t begin = 0;
    for (auto& [name, tensor] : header_.items()) {
      if (name == kMetadata || !tensor.is_object()) continue;
      size_t size = tensor.value("dtype", Json()) == "F64" ? 8 : 4;
      const Json shape = tensor.value("shape", Json());
      for (const Json& n : shape) {
        if (!n.is_number_unsigned() || n.get<size_t>() > (1 << 16) / std::max<size_t>(1, size))
          return;
        size *= n.get<size_t>();
      }
      tensor["data_offsets"] = {begin, begin + size};
      begin += size;
    }
    if (begin < 1 << 18) data_.resize(begin, '\0');
  }

  void Sign() {
    Json& metadata = header_[kMetadata];
    if (!metadata.is_object()) return;
    metadata.erase(kTensorsChecksum);  // files of earlier builds have no checksum
    std::map<std::string, std::string> texts;
    for (const auto& [key, value] : metadata.items()) {
      if (!value.is_string()) return;
      if (key != kChecksum) texts[key] = value.get<std::string>();
    }
    try {
      metadata[kChecksum] = Checksum(texts, data_);
    } catch (const Json::exception&) {  // text that is not UTF-8
    }
  }

  static std::string Dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  std::string Whole() const {
    const std::string header = Dump(header_);
    const uint64_t length = header.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data_;
  }

  std::minstd_rand random_;
  Json header_;
  std::string data_;
};

}  // namespace gopnet::fuzz
