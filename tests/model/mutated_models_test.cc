// Models of every algorithm with random mutations, most with new checksums. Each mutated model
// either loads and predicts, or throws an Error of one line that names the file.
// GOPNET_MUTATED_MODELS sets the number (default 300).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>

#include "gopnet/gopnet.h"
#include "model/model_file.h"
#include "model/model_impl.h"
#include "model/safetensors.h"
#include "support/small_params.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string Run(const std::string& bytes) {
    if (Below(8) == 0) return Bytes(bytes, 256);
    TensorFile file = Parse(bytes, "seed");
    for (size_t n = 1 + Below(2); n > 0; --n) Below(2) == 0 ? Text(file) : Numbers(file);
    std::string whole = Serialize(file);
    return Below(8) == 0 ? Bytes(std::move(whole), 256) : whole;
  }

 private:
  size_t Below(size_t n) { return random_() % n; }
  auto& Any(auto& map) { return *std::next(map.begin(), static_cast<long>(Below(map.size()))); }

  // One to four changes: replace, delete or duplicate a byte, or cut off the rest.
  std::string Bytes(std::string text, size_t values) {
    for (size_t n = 1 + Below(4); n > 0 && !text.empty(); --n) {
      const size_t at = Below(text.size());
      switch (Below(12)) {
        case 0:
          text.resize(at);
          break;
        case 1:
          text.erase(at, 1 + Below(4));
          break;
        case 2:
          text.insert(at, text.substr(at, 1 + Below(8)));
          break;
        default:
          text[at] = static_cast<char>(Below(values));
      }
    }
    return text;
  }

  void Text(TensorFile& file) {
    auto& [key, text] = Any(file.metadata);
    if (Below(10) == 0) return void(file.metadata.erase(key));
    constexpr size_t kAscii = 128;
    text = Bytes(Below(10) == 0 ? Any(file.metadata).second : text, kAscii);
  }

  void Numbers(TensorFile& file) {
    const auto name = Any(file.tensors).first;
    Tensor& tensor = file.tensors[name];
    switch (Below(8)) {
      case 0:
        file.tensors.erase(name);
        break;
      case 1:
        file.tensors[Bytes(name, 128)] = tensor;
        break;
      case 2:
        tensor = Any(file.tensors).second;
        break;
      case 3:
        std::reverse(tensor.shape.begin(), tensor.shape.end());
        break;
      case 4:
        Resize(tensor);
        break;
      default:
        Replace(tensor);
    }
  }

  void Resize(Tensor& tensor) {
    if (tensor.shape.empty()) return;
    tensor.shape[Below(tensor.shape.size())] = Below(20);
    size_t size = 1;
    for (const size_t n : tensor.shape) size *= n;
    tensor.dtype == "F64" ? tensor.f64.resize(size) : tensor.f32.resize(size);
  }

  void Replace(Tensor& tensor) {
    using Limits = std::numeric_limits<float>;
    const float odd[] = {0.0f,
                         -0.0f,
                         -1.0f,
                         1e-45f,
                         1e20f,
                         1e30f,
                         3e38f,
                         Limits::max(),
                         Limits::infinity(),
                         Limits::quiet_NaN()};
    const float value = odd[Below(std::size(odd))];
    if (!tensor.f32.empty()) tensor.f32[Below(tensor.f32.size())] = value;
    if (!tensor.f64.empty()) tensor.f64[Below(tensor.f64.size())] = static_cast<double>(value);
  }

  std::mt19937 random_;
};

std::vector<std::string> Seeds() {
  const testing::Arrays a = testing::MakeArrays(60, 1);
  std::vector<std::string> seeds;
  for (const AlgorithmInfo& algorithm : Algorithms()) {
    for (const Task task : {Task::kClassification, Task::kRegression}) {
      Params params = testing::SmallFor(algorithm.name).Set("threads", 1);
      if (params.values().count("epochs") != 0) params.Set("epochs", 2);
      const Model model = Train(algorithm.name, testing::Data(a, task), params).model;
      seeds.push_back(SerializeModel(model.impl().data));
    }
  }
  return seeds;
}

// Uses the model as a user does. Throws Error if it is invalid.
void Use(const std::string& bytes) {
  const Model model = MakeModel(ParseModel(bytes, "m.safetensors"));
  Matrix x(3, model.inputs());
  for (size_t j = 0; j < x.cols(); ++j) x(1, j) = 1, x(2, j) = -1e30f;
  const Matrix predicted = model.Predict(x);
  EXPECT_EQ(predicted.cols(), model.outputs());
  if (model.task() == Task::kClassification) model.PredictClass(x);
  model.Json();
}

TEST(MutatedModels, AreReadOrRefusedWithOneLine) {
  const char* wanted = std::getenv("GOPNET_MUTATED_MODELS");
  const int count = wanted != nullptr ? std::atoi(wanted) : 300;
  const std::vector<std::string> seeds = Seeds();
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<unsigned>(i);
    const std::string bytes = Mutator(number).Run(seeds[number % seeds.size()]);
    try {
      Use(bytes);
    } catch (const Error& e) {
      const std::string message = e.what();
      ASSERT_TRUE(message.starts_with("m.safetensors: ")) << i << ": " << message;
      ASSERT_EQ(message.find('\n'), std::string::npos) << i << ": " << message;
      ++refused;
    }
  }
  std::printf("%d mutated models: %d refused, %d read\n", count, refused, count - refused);
  EXPECT_GT(refused, count / 2);
  EXPECT_LT(refused, count);
}

}  // namespace
}  // namespace gopnet
