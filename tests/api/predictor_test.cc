// Predictor predicts single rows with the same bits as in a batch, without allocating memory.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gopnet/gopnet.h"
#include "support/count_allocations.h"
#include "support/temp_file.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

Matrix Spirals(size_t rows) {
  Matrix x(rows, 6);
  for (size_t n = 0; n < rows; ++n) {
    for (size_t j = 0; j < 6; ++j)
      x(n, j) = static_cast<float>(std::sin(0.3 * static_cast<double>(n * (j + 2))));
  }
  return x;
}

TEST(Predictor, AllocatesNothingAndAgreesWithTheBatch) {
  const Matrix x = Spirals(70);
  std::vector<std::string> labels;
  for (size_t n = 0; n < 70; ++n) labels.push_back(x(n, 0) > 0 ? "a" : x(n, 1) > 0 ? "b" : "c");
  TrainData data;
  data.train = MakeDataset(x, labels);
  for (const char* nodal : {"multiplication", "harmonic", "gaussian", "dog"}) {
    for (const char* pool : {"sum", "correlation1", "maximum"}) {
      Params p;
      p.Set("ensemble", 1)
          .Set("topology", "5,4,3")
          .Set("epochs", 2)
          .Set("finetune_epochs", 0)
          .Set("threads", 1);
      p.Set("nodal", nodal).Set("pool", pool).Set("layer_threshold", 0.0).Set("patience", 3);
      const Model model = Train("popmem-o", data, p).model;
      const Matrix batch = model.Predict(x);
      Predictor predictor(model);
      std::vector<float> out(model.outputs());
      for (size_t n = 0; n < x.rows(); ++n) {
        const long before = testing::allocations;
        predictor.Predict(x.Row(n), out.data());
        EXPECT_EQ(testing::allocations, before) << nodal << " " << pool;
        for (size_t j = 0; j < out.size(); ++j) EXPECT_EQ(out[j], batch(n, j));
      }
    }
  }
}

TEST(Predictor, AllocatesNothingForEveryAlgorithm) {
  const testing::Arrays a = testing::MakeArrays(80, 1);
  for (const AlgorithmInfo& algorithm : Algorithms()) {
    Params p;
    for (const ParameterInfo& info : algorithm.parameters) {
      if (info.name == "epochs" || info.name == "finetune_epochs") p.Set(info.name, 1);
      if (info.name == "topology") p.Set(info.name, "5,4");
      if (info.name == "block_size") p.Set(info.name, 6);
      if (info.name == "max_blocks" || info.name == "max_layers") p.Set(info.name, 3);
    }
    const Model model = Train(algorithm.name, testing::Data(a), p).model;
    const Matrix batch = model.Predict(a.x);
    Predictor predictor(model);
    std::vector<float> out(model.outputs());
    const long before = testing::allocations;
    for (size_t n = 0; n < 10; ++n) {
      predictor.Predict(a.x.Row(n), out.data());
      for (size_t j = 0; j < out.size(); ++j) EXPECT_EQ(out[j], batch(n, j)) << algorithm.name;
    }
    EXPECT_EQ(testing::allocations, before) << algorithm.name;
  }
}

TEST(Predictor, RejectsInfinityAndReplacesNan) {
  const Matrix x = Spirals(30);
  std::vector<std::string> labels;
  for (size_t n = 0; n < 30; ++n) labels.push_back(n % 2 ? "a" : "b");
  TrainData data;
  data.train = MakeDataset(x, labels);
  const Model model = Train("popfast", data,
                            Params()
                                .Set("ensemble", 1)
                                .Set("topology", "3")
                                .Set("epochs", 1)
                                .Set("finetune_epochs", 0))
                          .model;
  Predictor predictor(model);
  std::vector<float> row(6, 0.5f), out(2);
  row[4] = std::numeric_limits<float>::infinity();
  EXPECT_ERROR("column 5", predictor.Predict(row.data(), out.data()));
  row[4] = std::nanf("");  // a missing value is replaced by the mean
  predictor.Predict(row.data(), out.data());
  EXPECT_NEAR(out[0] + out[1], 1, 1e-6);
}

}  // namespace
}  // namespace gopnet
