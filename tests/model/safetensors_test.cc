#include "model/safetensors.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <cstring>

#include "gopnet/error.h"

namespace gopnet {
namespace {

TensorFile Example() {
  TensorFile file;
  file.metadata = {{"format", "gopnet"}, {"classes", "[\"a\"]"}};
  file.tensors["w"] = {"F32", {2, 3}, {1, 2, 3, 4, 5, 6}, {}};
  file.tensors["b"] = {"F64", {1}, {}, {0.1}};
  file.tensors["none"] = {"F32", {0, 5}, {}, {}};
  file.tensors["scalar"] = {"F32", {}, {7}, {}};
  return file;
}

std::string WithHeader(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::string ErrorOf(const std::string& bytes) {
  try {
    Parse(bytes, "m.safetensors");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void ExpectError(const std::string& bytes, const std::string& text) {
  const std::string message = ErrorOf(bytes);
  EXPECT_EQ(message.find("m.safetensors: not a gopnet model"), 0u) << message;
  EXPECT_NE(message.find(text), std::string::npos) << message;
}

TEST(Safetensors, ComesBackWholeWithTheSameBytes) {
  const std::string bytes = Serialize(Example());
  EXPECT_EQ(Parse(bytes, "m"), Example());
  EXPECT_EQ(Serialize(Parse(bytes, "m")), bytes);
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
}

TEST(Safetensors, ReadsFilesWithoutChecksum) {
  const std::string one(4, '\0');
  const TensorFile file =
      Parse(WithHeader(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", one), "m");
  EXPECT_EQ(file.tensors.at("w").f32, std::vector<float>{0});
}

TEST(Safetensors, EveryFlippedBitIsAnErrorOrHarmless) {
  const std::string good = Serialize(Example());
  for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    try {
      EXPECT_EQ(Parse(bad, "m"), Example());  // a blank
    } catch (const Error&) {
    }
  }
  std::string data = good, text = good;
  data.back() = static_cast<char>(data.back() ^ 1);
  ExpectError(data, "checksum");
  text[text.find("[\\\"a") + 3] = 'b';
  ExpectError(text, "checksum");
}

TEST(Safetensors, EveryCutIsAnError) {
  const std::string good = Serialize(Example());
  for (size_t size = 0; size < good.size(); ++size) EXPECT_NE(ErrorOf(good.substr(0, size)), "");
  ExpectError(good + "x", "1 bytes");
}

TEST(Safetensors, SaysWhatIsWrong) {
  const std::string data(8, '\0');
  const auto tensor = [&](const std::string& text) {
    return WithHeader("{\"w\":" + text + "}", data);
  };
  ExpectError("", "it has 0 bytes");
  ExpectError(std::string(8, '\xff'), "safetensors");
  ExpectError(std::string("\x09\0\0\0\0\0\0\0", 8), "header of 9 bytes");
  ExpectError(WithHeader("{", data), "header");
  ExpectError(WithHeader("[1]", data), "safetensors");
  ExpectError(WithHeader("{\"a\":" + std::string(100000, '['), data), "nested");
  ExpectError(WithHeader("{}", data), "8 bytes");
  ExpectError(tensor("3"), "header");
  ExpectError(tensor(R"({"dtype":"I8","shape":[8],"data_offsets":[0,8]})"), "'I8'");
  ExpectError(tensor(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})"), "wrong size");
  ExpectError(tensor(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"), "-2");
  ExpectError(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,1e1]})"), "10.0");
  ExpectError(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0]})"), "two offsets");
  ExpectError(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[8,16]})"),
              "outside of the file");
  ExpectError(tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})"),
              "overlap or leave a gap");
  ExpectError(tensor(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})"),
              "wrong size");
  ExpectError(WithHeader(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                         R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                         data),
              "overlap or leave a gap");
}

// Changing a name or a shape does not change the bytes or the metadata.
TEST(Safetensors, NamesShapesAndOffsetsAreUnderTheChecksum) {
  TensorFile file;
  file.tensors["a"] = {"F32", {2, 3}, {1, 2, 3, 4, 5, 6}, {}};
  const std::string good = Serialize(file);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    return bad.replace(bad.find(from), from.size(), to);
  };
  ExpectError(with("\"a\":", "\"b\":"), "names and shapes");
  ExpectError(with("[2,3]", "[3,2]"), "names and shapes");
}

TEST(Safetensors, AModelOfAnOlderVersionIsRead) {
  const std::string data(8, '\0');
  const std::map<std::string, std::string> metadata{{"format", "gopnet-2"}};
  const std::string header = R"({"__metadata__":{"format":"gopnet-2","checksum":")" +
                             Checksum(metadata, data) +
                             R"("},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_EQ(Parse(WithHeader(header, data), "m").tensors.size(), 1u);
}

TEST(Safetensors, ANameThatComesTwiceIsRefused) {
  const std::string data(8, '\0');
  const std::string w = R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  ExpectError(WithHeader("{\"w\":" + w + ",\"w\":" + w + "}", data), "two members");
  ExpectError(
      WithHeader(R"({"w":{"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[0,8]}})", data),
      "two members");
}

TEST(Safetensors, TextMustBeUtf8) {
  TensorFile file;
  file.metadata["classes"] = "caf\xe9";
  EXPECT_THROW(Serialize(file), Error);
}

RC_GTEST_PROP(Safetensors, AnyContentComesBack,
              (std::map<std::string, std::vector<float>> tensors,
               std::map<std::string, int> metadata)) {
  TensorFile file;
  for (const auto& [key, value] : metadata)
    file.metadata[std::to_string(value)] = std::to_string(key.size());
  for (const auto& [key, values] : tensors) {
    file.tensors["t" + std::to_string(values.size())] = {"F32", {values.size()}, values, {}};
  }
  RC_ASSERT(Parse(Serialize(file), "m") == file);
}

RC_GTEST_PROP(Safetensors, DamagedFilesGiveErrorsOnly,
              (std::vector<std::pair<size_t, char>> changes)) {
  std::string bytes = Serialize(Example());
  for (const auto& [at, byte] : changes) bytes[at % bytes.size()] = byte;
  ErrorOf(bytes);
}

}  // namespace
}  // namespace gopnet
