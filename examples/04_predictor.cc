// Predicts single rows without allocation, as a service does. Usage: 04_predictor digits.csv.gz
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

#include "gopnet/gopnet.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw gopnet::Error("usage: 04_predictor DATA.csv");
  const gopnet::TrainData data{.train = gopnet::ReadDataset(argv[1]), .val = {}, .test = {}};
  gopnet::Params params;
  params.Set("max_layers", 1);
  const gopnet::Model model = gopnet::Train("s-elm", data, params).model;

  gopnet::Predictor predictor(model);  // one per thread
  std::vector<float> probabilities(model.outputs());
  const auto start = std::chrono::steady_clock::now();
  for (size_t n = 0; n < data.train.rows(); ++n)
    predictor.Predict(data.train.x.Row(n), probabilities.data());
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;

  const auto best = std::max_element(probabilities.begin(), probabilities.end());
  std::printf("the last row is of class %s (%.3f); %.1f us a row\n",
              model.classes()[static_cast<size_t>(best - probabilities.begin())].c_str(), *best,
              spent.count() / static_cast<double>(data.train.rows()));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
