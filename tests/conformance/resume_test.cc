// Every algorithm can resume a run that was stopped anywhere and yields the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "gopnet/gopnet.h"
#include "support/small_params.h"
#include "support/temp_file.h"
#include "support/toy_data.h"

namespace gopnet {
namespace {

using testing::Arrays;
using testing::Data;
using testing::MakeArrays;
using testing::SmallFor;

// Stops after a given number of calls.
class Impatient : public Observer {
 public:
  explicit Impatient(int patience) : left_(patience) {}
  bool Continue() override { return left_.fetch_sub(1) > 0; }

 private:
  std::atomic<int> left_;
};

struct Case {
  std::string name, algorithm;
  std::map<std::string, std::string> settings;
  Task task = Task::kClassification;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const AlgorithmInfo& a : Algorithms()) {
    const auto has = [&](const char* name) { return Resolve(a.name, {}).count(name) != 0; };
    cases.push_back({a.name, a.name, {}});
    cases.push_back({a.name + "_regression", a.name, {}, Task::kRegression});
    if (has("search"))
      cases.push_back({a.name + "_exhaustive", a.name, {{"search", "exhaustive"}}});
    if (has("ema")) cases.push_back({a.name + "_ema", a.name, {{"ema", "0.9"}}});
    if (has("memory")) cases.push_back({a.name + "_lda", a.name, {{"memory", "lda"}}});
    if (has("grid")) cases.push_back({a.name + "_grid", a.name, {{"grid", "paper"}}});
    if (has("ensemble")) {
      cases.push_back({a.name + "_ensemble",
                       a.name,
                       {{"ensemble", "3"}, {"search_epochs", "4"}, {"schedule", "cosine"}}});
    }
    cases.push_back({a.name + "_folds", a.name, {{"folds", "3"}}});
    if (has("regulariser"))
      cases.push_back({a.name + "_best_of_two", a.name, {{"regulariser", "best_of_two"}}});
    cases.push_back({a.name + "_without_val", a.name, {{"val_split", "0"}}});
  }
  for (Case& c : cases) std::replace(c.name.begin(), c.name.end(), '-', '_');
  return cases;
}

// Counts how often each candidate appears in a journal.
std::map<std::string, int> Candidates(const std::string& folder) {
  std::map<std::string, int> counts;
  std::ifstream file(folder + "/journal.jsonl");
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    if (json.at("event") != "candidate") continue;
    std::string key;
    for (const char* part : {"variant", "layer", "block", "attempt", "candidate", "rung"})
      key += json.at(part).dump() + " ";
    ++counts[key];
  }
  return counts;
}

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class EveryRun : public ::testing::TestWithParam<Case> {};

TEST_P(EveryRun, GoesOnToTheSameBytesWhereverItWasStopped) {
  const Case& c = GetParam();
  const Arrays a = MakeArrays(110, 1);
  const TempFolder folder;
  Params params = SmallFor(c.algorithm);
  for (const auto& [name, value] : c.settings) params.Set(name, value);
  Train(c.algorithm, Data(a, c.task), params.Set("threads", 2), {folder.Path("whole")});
  const std::string whole = ReadBytes(folder.Path("whole/model.safetensors"));

  int stops = 0, threads = 1;
  TrainOptions options{folder.Path("run")};
  options.checkpoint_seconds = 0;  // fine-tuning saves every epoch
  for (double patience = 1;; patience = 1.3 * patience + 1) {
    Impatient observer(static_cast<int>(patience));
    options.observer = &observer;
    threads = threads % 4 + 1;
    try {
      Train(c.algorithm, Data(a, c.task), params.Set("threads", threads), options);
      break;
    } catch (const Stopped&) {
      ++stops;
      options.resume = std::filesystem::exists(folder.Path("run/config.json"));
      ASSERT_FALSE(std::filesystem::exists(folder.Path("run/model.safetensors")));
    }
  }
  EXPECT_GE(stops, 1);
  EXPECT_EQ(ReadBytes(folder.Path("run/model.safetensors")), whole);
  EXPECT_EQ(ReadBytes(folder.Path("run/report.json")), ReadBytes(folder.Path("whole/report.json")));
  EXPECT_FALSE(std::filesystem::exists(folder.Path("run/state")));
  for (const auto& [key, count] : Candidates(folder.Path("run"))) EXPECT_EQ(count, 1) << key;
  EXPECT_EQ(Candidates(folder.Path("run")), Candidates(folder.Path("whole")));
}

INSTANTIATE_TEST_SUITE_P(Runs, EveryRun, ::testing::ValuesIn(Cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace gopnet
