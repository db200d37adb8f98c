// Regression on arrays in memory: two targets, the score of each, values in their own units.
#include <cmath>
#include <cstdio>
#include <exception>

#include "gopnet/gopnet.h"

int main() try {
  // 400 rows with 3 features and 2 targets.
  gopnet::Matrix x(400, 3), y(400, 2);
  for (size_t n = 0; n < x.rows(); ++n) {
    for (size_t j = 0; j < x.cols(); ++j) x(n, j) = std::sin(static_cast<float>(n * (j + 2)));
    y(n, 0) = 100 + 20 * x(n, 0) * x(n, 1);
    y(n, 1) = x(n, 2) - x(n, 0);
  }
  gopnet::TrainData data{.train = gopnet::MakeDataset(x, y), .val = {}, .test = {}};
  data.train.schema.targets = {"load", "drift"};

  gopnet::Params params;
  params.Set("ensemble", 1).Set("topology", "20").Set("epochs", 60).Set("test_split", 0.25);
  const auto [model, history] = gopnet::Train("popmem-o", data, params);
  for (const gopnet::TargetMetrics& target : history.targets.at("test"))
    std::printf("%s: r2 %.3f, rmse %.3f\n", target.name.c_str(), target.metrics.at("r2"),
                target.metrics.at("rmse"));

  const gopnet::Matrix values = model.Predict(x);  // in the units of y
  std::printf("first row: %.2f (is %.2f), %.2f (is %.2f)\n", values(0, 0), y(0, 0), values(0, 1),
              y(0, 1));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
