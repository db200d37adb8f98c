// Measures the cost of a run folder: trains the network of tools/demo alternately with and without
// one.
//
// Usage: journal_cost DATA [FOLDER [REPETITIONS]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gopnet/gopnet.h"

namespace {

using Clock = std::chrono::steady_clock;

double Seconds(const gopnet::TrainData& data, const std::string& folder) {
  gopnet::Params params;
  params.Set("preset", "fast").Set("val_split", 0.2).Set("test_split", 0.2).Set("seed", 1);
  if (!folder.empty()) std::filesystem::remove_all(folder);
  const auto start = Clock::now();
  gopnet::Train("popmem-o", data, params, {folder});
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: journal_cost DATA [FOLDER [N]]\n"), 2;
  const std::string folder = argc > 2 ? argv[2] : "build/journal_cost";
  const int repetitions = argc > 3 ? std::atoi(argv[3]) : 11;
  gopnet::ReadOptions options;
  options.target = "digit";
  gopnet::TrainData data;
  data.train = gopnet::ReadDataset(argv[1], options);
  Seconds(data, "");  // warm-up
  std::vector<double> without, with;
  for (int i = 0; i < repetitions; ++i) {
    without.push_back(Seconds(data, ""));
    with.push_back(Seconds(data, folder));
  }
  std::filesystem::remove_all(folder);
  const double a = Median(without), b = Median(with);
  std::printf("%d runs each, medians: %.3f s without a run folder, %.3f s with; x%.4f\n",
              repetitions, a, b, b / a);
  std::printf("fastest: %.3f s and %.3f s; x%.4f\n",
              *std::min_element(without.begin(), without.end()),
              *std::min_element(with.begin(), with.end()),
              *std::min_element(with.begin(), with.end()) /
                  *std::min_element(without.begin(), without.end()));
}
