// Intact files with invalid models: each throws an Error that names the file. fuzz/model or code
// review found them.
#include <gtest/gtest.h>

#include <cstdint>

#include "model/model_file.h"
#include "model/safetensors.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

// Two features, a layer of one neuron, two classes.
TensorFile Small() {
  TensorFile file;
  file.metadata = {
      {"format", "gopnet-2"},
      {"algorithm", "pop"},
      {"parameters", "{}"},
      {"task", "classification"},
      {"classes", R"(["1","2"])"},
      {"class_kind", "integer"},
      {"schema", R"({"columns":[{"name":"a","categories":[]},{"name":"b","categories":[]}],)"
                 R"("targets":["y"],"named":true,"fill_missing":false})"},
      {"layers", R"([{"blocks":[{"units":1,"operator_set":["multiplication","sum","tanh"],)"
                 R"("norm":"batch"}],"memory":null,"keeps_input":false}])"},
      {"output", "null"}};
  file.tensors["features.mean"] = {"F64", {2}, {}, {0, 0}};
  file.tensors["features.scale"] = {"F64", {2}, {}, {1, 1}};
  file.tensors["layers.0.blocks.0.weight"] = {"F32", {2, 1}, {1, 1}, {}};
  for (const char* name : {"bias", "gamma", "beta", "mean", "variance"})
    file.tensors[std::string("layers.0.blocks.0.") + name] = {"F32", {1}, {1}, {}};
  file.tensors["output.weight"] = {"F32", {1, 2}, {1, 1}, {}};
  file.tensors["output.bias"] = {"F32", {2}, {0, 0}, {}};
  file.tensors["output.temperature"] = {"F64", {1}, {}, {1}};
  return file;
}

std::string MessageOf(const TensorFile& file) {
  return ErrorOf([&] { ParseModel(Serialize(file), "m.safetensors"); });
}

void ExpectError(const TensorFile& file, const std::string& text) {
  const std::string message = MessageOf(file);
  EXPECT_EQ(message.find("m.safetensors: "), 0u) << message;
  EXPECT_NE(message.find(text), std::string::npos) << message;
  EXPECT_LT(message.size(), 300u);
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

void ExpectBadText(const std::string& key, const std::string& value, const std::string& text) {
  TensorFile file = Small();
  file.metadata[key] = value;
  ExpectError(file, text);
}

TEST(HostileModel, TheSmallModelIsValid) { EXPECT_EQ(MessageOf(Small()), ""); }

TEST(HostileModel, MetadataAreJsonOfSomeDepth) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const char* key : {"parameters", "classes", "schema", "layers", "output"}) {
    ExpectBadText(key, deep, "is not JSON");
    ExpectBadText(key, "{", "is not JSON");
    ExpectBadText(key, "7", "damaged model metadata");
  }
}

// With duplicate names, columns cannot be found by name.
TEST(HostileModel, NamesThatColumnsShareAreNotUsedToFindThem) {
  TensorFile file = Small();
  file.metadata["schema"] =
      R"({"columns":[{"name":"a","categories":[]},{"name":"a","categories":[]}],)"
      R"("targets":["y"],"named":true,"fill_missing":false})";
  const Schema twice = ParseModel(Serialize(file), "m").schema;
  EXPECT_FALSE(twice.named);
  EXPECT_EQ(twice.columns[1].name, "a");
  EXPECT_EQ(twice.targets, std::vector<std::string>{"y"});
  file.metadata["schema"] =
      R"({"columns":[{"name":"a","categories":[]},{"name":"y","categories":[]}],)"
      R"("targets":["y"],"named":true,"fill_missing":false})";
  const Schema target = ParseModel(Serialize(file), "m").schema;
  EXPECT_TRUE(target.named);
  EXPECT_TRUE(target.targets.empty());
}

TEST(HostileModel, TargetsHaveAnOutputEach) {
  ExpectBadText("schema",
                R"({"columns":[{"name":"a","categories":["u","v"]}],)"
                R"("targets":["x","y","z"],"named":true,"fill_missing":false})",
                "3 target names for 2 outputs");
}

TEST(HostileModel, WholeNumbersAreWhole) {
  ExpectBadText("classes", R"(["1","two"])", "class 'two'");
  ExpectBadText("classes", R"(["1","99999999999999999999"])", "class '99999999999999999999'");
  ExpectBadText("classes", R"(["1",""])", "class ''");
  ExpectBadText("classes", R"(["1","1"])", "two classes are named '1'");
}

TEST(HostileModel, MessagesShortenText) {
  const std::string text = "line\n" + std::string(10'000, 'x');
  ExpectBadText("task", text, "unknown task 'line xxx");
  ExpectBadText("format", "gopnet-" + text, "format gopnet-line");
  ExpectBadText("output", "[\"a\\n" + std::string(10'000, 'x') + "\",\"sum\",\"tanh\"]",
                "unknown nodal operator 'a xxx");
}

TEST(HostileModel, NumbersMakeSense) {
  TensorFile file = Small();
  file.tensors["layers.0.blocks.0.variance"].f32 = {-1};
  ExpectError(file, "a variance is negative");
  file = Small();
  file.tensors["features.scale"].f64 = {1, 0};
  ExpectError(file, "scale 0");
}

TEST(HostileModel, BoundsOfARegressionFitIt) {
  TensorFile file = Small();
  file.metadata["task"] = "regression";
  for (const char* name : {"targets.mean", "targets.scale", "targets.low"})
    file.tensors[name] = {"F64", {2}, {}, {1, 2}};
  ExpectError(file, "tensor targets.high is missing");
  file.tensors["targets.high"] = {"F64", {2}, {}, {1, 3}};
  EXPECT_EQ(MessageOf(file), "");
  file.tensors["targets.high"].f64 = {1, 1.5};
  ExpectError(file, "target 2 ");
}

TEST(HostileModel, CurvesOfFeaturesFitTogether) {
  const auto curves = [](std::vector<double> columns, std::vector<double> sizes,
                         std::vector<double> knots, std::vector<double> values) {
    TensorFile file = Small();
    const auto tensor = [](const std::vector<double>& v) {
      return Tensor{"F64", {v.size()}, {}, v};
    };
    file.tensors["features.curves.columns"] = tensor(columns);
    file.tensors["features.curves.sizes"] = tensor(sizes);
    file.tensors["features.curves.knots"] = tensor(knots);
    file.tensors["features.curves.values"] = tensor(values);
    return file;
  };
  EXPECT_EQ(MessageOf(curves({0, 1}, {2, 1}, {0, 1, 0}, {0, 1, 0})), "");
  for (const double column : {-1.0, 2.0, 0.5, 1e30})
    ExpectError(curves({column}, {2}, {0, 1}, {0, 1}), "curves of the features");
  for (const double size : {0.0, 1.0, 3.0, 1.5, -2.0, 1e30})
    ExpectError(curves({0}, {size}, {0, 1}, {0, 1}), "curves of the features");
  ExpectError(curves({1, 0}, {1, 1}, {0, 1}, {0, 1}), "curves of the features");
  ExpectError(curves({0}, {2}, {1, 0}, {0, 1}), "ascend");
  ExpectError(curves({0}, {2}, {0, 1}, {0, 11}), "scaled to 11");
  ExpectError(curves({0}, {2}, {0, 1}, {0}), "features.curves.values");
  ExpectError(curves({0}, {}, {0, 1}, {0, 1}), "features.curves.sizes");
}

// Neurons without inputs take no bytes in the file, so a small file could have millions of them.
TEST(HostileModel, EveryBlockHasNeurons) {
  TensorFile file = Small();
  file.tensors["layers.0.blocks.0.weight"] = {"F32", {2, 0}, {}, {}};
  ExpectError(file, "shapes");
  file.tensors["layers.0.blocks.0.weight"] = {"F32", {0, size_t{1} << 47}, {}, {}};
  ExpectError(file, "shapes");
}

// These bytes identify the rows of a run. If they changed, runs of earlier builds could not resume.
TEST(HostileModel, OneThatIsNotTrainedHasEmptyOutputs) {
  ModelData model;
  model.features = {{0, 0}, {1, 1}};
  const TensorFile file = Parse(SerializeModel(model), "m");
  EXPECT_EQ(file.metadata.at("layers"), "[]");
  EXPECT_EQ(file.metadata.at("output"), "null");
  EXPECT_EQ(file.tensors.at("output.weight").shape, (std::vector<size_t>{0, 0}));
  EXPECT_EQ(file.tensors.at("output.bias").shape, std::vector<size_t>{0});
  EXPECT_EQ(file.tensors.size(), 5u);
}

// This took minutes when the parser rescanned all tensors after each one.
TEST(HostileModel, ManyTensorsAreParsedQuickly) {
  std::string header = "{";
  for (int i = 0; i < 90'000; ++i) header += "\"" + std::to_string(i) + "\":{},";
  header.back() = '}';
  const uint64_t length = header.size();
  const std::string bytes = std::string(reinterpret_cast<const char*>(&length), 8) + header;
  EXPECT_ERROR("header", Parse(bytes, "m.safetensors"));
}

}  // namespace
}  // namespace gopnet
