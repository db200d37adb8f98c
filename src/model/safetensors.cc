#include "model/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/checksum.h"
#include "base/parse_json.h"
#include "data/field.h"

namespace gopnet {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "numbers are written in the byte order of memory");

constexpr uint64_t kMostHeader = 100'000'000;  // bytes, as in the reference implementation
constexpr size_t kMostTensors = 100'000;
constexpr int kMostDepth = 3;  // file, tensor, shape
constexpr size_t kMostDimensions = 8;
constexpr uint64_t kMostNumbers = uint64_t{1} << 48;

template <class T>
std::string_view AsBytes(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

std::string_view Bytes(const Tensor& tensor) {
  return tensor.dtype == "F32" ? AsBytes(tensor.f32) : AsBytes(tensor.f64);
}

json Header(const TensorFile& file, std::string_view data) {
  json header = json::object();
  size_t begin = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const size_t end = begin + Bytes(tensor).size();
    header[name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::map<std::string, std::string> metadata = file.metadata;
  metadata.erase(kChecksum);
  metadata[kTensorsChecksum] = Checksum(JsonText(header));  // and is itself part of the other one
  metadata[kChecksum] = Checksum(metadata, data);
  header[kMetadata] = metadata;
  return header;
}

// Reads a file from untrusted bytes.
class Parser {
 public:
  Parser(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  TensorFile Run() {
    json header = ReadHeader();
    for (const auto& [name, entry] : header.items()) {
      if (name == kMetadata) {
        file_.metadata = entry.get<std::map<std::string, std::string>>();
      } else {
        ReadTensor(name, entry);
      }
    }
    CheckCover();
    header.erase(kMetadata);
    CheckChecksum(header);
    return std::move(file_);
  }

 private:
  struct Span {
    uint64_t begin, end;
    auto operator<=>(const Span&) const = default;
  };

  template <class... Parts>
  void Require(bool condition, const Parts&... parts) const {
    Check(condition, source_, ": not a gopnet model, or damaged: ", parts...);
  }

  json ReadHeader() {
    uint64_t length = 0;
    Require(bytes_.size() >= sizeof length, "it has ", bytes_.size(), " bytes");
    std::memcpy(&length, bytes_.data(), sizeof length);
    const auto next = bytes_.substr(sizeof length, 1);
    Require(length <= kMostHeader && (next.empty() || next == "{"),
            "it does not start like a safetensors file");
    Require(length <= bytes_.size() - sizeof length, "its header of ", length,
            " bytes is longer than the file");
    data_ = bytes_.substr(sizeof length + length);
    const std::string_view text = bytes_.substr(sizeof length, length);
    Require(!NestedDeeper(text, kMostDepth), "its header is too deeply nested");
    json header = json::parse(text);
    Require(header.is_object(), "its header is not a JSON object");
    Require(!HasTwins(header, text), "its header has two members of the same name");
    Require(header.size() <= kMostTensors, "it has too many tensors");
    return header;
  }

  void ReadTensor(const std::string& name, const json& entry) {
    Tensor tensor;
    tensor.dtype = entry.at("dtype").get<std::string>();
    Require(tensor.dtype == "F32" || tensor.dtype == "F64", "tensor '", Shown(name),
            "' has the unsupported type '", Shown(tensor.dtype), "'");
    const json& offsets = entry.at("data_offsets");
    Require(offsets.size() == 2, "tensor '", Shown(name), "' must have two offsets");
    const Span span{Whole(offsets[0]), Whole(offsets[1])};
    Require(span.begin <= span.end && span.end <= data_.size(), "tensor '", Shown(name),
            "' lies outside of the file");
    const std::string_view bytes = data_.substr(span.begin, span.end - span.begin);
    const uint64_t count = ReadShape(name, entry.at("shape"), &tensor.shape);
    const bool filled =
        tensor.dtype == "F32" ? Fill(bytes, count, &tensor.f32) : Fill(bytes, count, &tensor.f64);
    Require(filled, "tensor '", Shown(name), "' has the wrong size");
    spans_.push_back(span);
    file_.tensors.emplace(name, std::move(tensor));
  }

  uint64_t Whole(const json& number) const {
    Require(number.is_number_unsigned(), "a size or offset must be an integer >= 0; got ",
            Shown(JsonText(number)));
    return number.get<uint64_t>();
  }

  // Returns the product, which does not overflow.
  uint64_t ReadShape(const std::string& name, const json& shape, std::vector<size_t>* out) const {
    Require(shape.is_array() && shape.size() <= kMostDimensions, "tensor '", Shown(name),
            "' has an invalid shape");
    uint64_t count = 1;
    for (const json& dimension : shape) {
      const uint64_t n = Whole(dimension);
      Require(n == 0 || count <= kMostNumbers / n, "tensor '", Shown(name), "' has the wrong size");
      out->push_back(n);
      count *= n;
    }
    return count;
  }

  // Returns whether the bytes are as many numbers as the shape wants.
  template <class T>
  static bool Fill(std::string_view bytes, uint64_t count, std::vector<T>* numbers) {
    if (count * sizeof(T) != bytes.size()) return false;
    numbers->resize(count);
    if (count > 0) std::memcpy(numbers->data(), bytes.data(), bytes.size());
    return true;
  }

  // Neither holes nor overlaps, from the first byte to the last.
  void CheckCover() {
    std::sort(spans_.begin(), spans_.end());
    uint64_t at = 0;
    for (const Span& span : spans_) {
      Require(span.begin == at, "its tensors overlap or leave a gap");
      at = span.end;
    }
    Require(at == data_.size(), "it is ", data_.size() - at, " bytes too long");
  }

  void CheckChecksum(const json& tensors) {
    const auto stored = file_.metadata.extract(kChecksum);
    const auto names = file_.metadata.find(kTensorsChecksum);
    Require(!stored.empty() || names == file_.metadata.end(), "one of its checksums is missing");
    if (stored.empty()) return;  // written by another program
    Require(stored.mapped() == Checksum(file_.metadata, data_), "its checksum is wrong");
    if (names == file_.metadata.end()) return;  // written by an older version
    Require(names->second == Checksum(JsonText(tensors)),
            "the checksum of its names and shapes is wrong");
    file_.metadata.erase(names);
  }

  std::string_view bytes_;
  std::string_view data_;  // after the header
  const std::string& source_;
  std::vector<Span> spans_;
  TensorFile file_;
};

}  // namespace

std::string Checksum(const std::map<std::string, std::string>& metadata, std::string_view data) {
  return Checksum(data, Hash(JsonText(json(metadata))));
}

std::string Serialize(const TensorFile& file) try {
  std::string data;
  for (const auto& [name, tensor] : file.tensors) data += Bytes(tensor);
  std::string header = JsonText(Header(file, data));
  header.append((8 - header.size() % 8) % 8, ' ');  // aligns the tensors
  const uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes.append(header).append(data);
} catch (const json::exception& error) {
  Fail("model file: ", error.what());  // text that is not UTF-8
}

TensorFile Parse(std::string_view bytes, const std::string& source) try {
  return Parser(bytes, source).Run();
} catch (const json::exception&) {
  Fail(source, ": not a gopnet model, or damaged: its header is malformed");
}

}  // namespace gopnet
