#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gopnet/error.h"
#include "gopnet/params.h"
#include "gopnet/report_page.h"
#include "report/parts.h"
#include "run/journal.h"
#include "run/json_values.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

class Report : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Write(const char* name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

std::string Candidate(int layer, int block, const char* nodal, int epochs, double accuracy) {
  return SealLine({{"event", "candidate"},
                   {"variant", 0},
                   {"layer", layer},
                   {"block", block},
                   {"epochs", epochs},
                   {"diverged", false},
                   {"val", {{"accuracy", accuracy}, {"loss", 1 - accuracy}}},
                   {"seconds", 0.5},
                   {"operator_set", {nodal, "sum", "tanh"}},
                   {"at", 1.5}});
}

TEST_F(Report, AnOperatorSetHasAPointPerRungOfItsBestBlock) {
  const auto told = ReadSearches(Write(
      "journal.jsonl", Candidate(1, 1, "dog", 2, 0.5) + Candidate(1, 1, "dog", 6, 0.75) +
                           Candidate(1, 2, "dog", 6, 0.875) + Candidate(2, 1, "harmonic", 6, 0.5) +
                           Candidate(0, 0, "harmonic", 0, 0.9)));
  EXPECT_EQ(told["networks"], 1);  // layer 0 belongs to the ensemble
  EXPECT_EQ(told["metric"], "accuracy");
  EXPECT_EQ(told["direction"], 1);
  EXPECT_EQ(told["seconds"], 1.5);
  ASSERT_EQ(told["searches"].size(), 2u);
  const Json& first = told["searches"][0];
  EXPECT_EQ(first["blocks"], 2);
  ASSERT_EQ(first["candidates"].size(), 1u);
  EXPECT_EQ(first["candidates"][0]["points"], Json::parse("[[6, 0.875, 0.125]]"));
}

TEST_F(Report, ReadsTheIntactLinesOfADamagedOrMissingJournal) {
  const std::string good = Candidate(1, 0, "dog", 2, 0.5);
  const auto told = ReadSearches(Write("journal.jsonl", "{\"torn\n" + good + good.substr(0, 40)));
  EXPECT_EQ(told["searches"].size(), 1u);
  EXPECT_TRUE(ReadSearches((folder_ / "none").string())["searches"].empty());
}

TEST_F(Report, TheCommandReproducesTheParametersOfTheRun) {
  Params params;
  params.Set("preset", "fast").Set("epochs", 17).Set("weight_decay", 0.001).Set("lr", "0.1,0.01");
  const auto wanted = Resolve("popmem-o", params);
  const Json config{{"algorithm", "popmem-o"},
                    {"parameters", ValuesJson("popmem-o", wanted)},
                    {"source", {{"train", "my rows.csv"}}},
                    {"simd", "sse4"}};
  const std::string command = CommandOf(config);
  EXPECT_TRUE(command.starts_with("gopnet train --algorithm popmem-o --train 'my rows.csv'"));
  EXPECT_NE(command.find(" --preset fast"), command.npos) << command;
  EXPECT_NE(command.find(" --epochs 17"), command.npos) << command;
  EXPECT_NE(command.find(" --weight-decay 0.001"), command.npos)
      << command << wanted.at("weight_decay");
  EXPECT_EQ(command.find("max-norm"), command.npos) << command;  // excluded by weight decay
  EXPECT_EQ(command.find("simd"), command.npos) << command;      // has no effect on the model
  EXPECT_EQ(CommandOf(Json::object()), "");
}

TEST_F(Report, EscapesDataInThePage) {
  Write("config.json", R"({"algorithm": "popfast", "source": {"train": "</script><b>"}})");
  const std::string page = ReportPage(folder_.string());
  EXPECT_EQ(page.find("<b>"), page.npos);
  EXPECT_NE(page.find("\\u003c/script>\\u003cb>"), page.npos);
  EXPECT_NE(page.find("connect-src 'none'"), page.npos);
  EXPECT_NE(ReportPage(folder_.string(), true).find("connect-src 'self'"), page.npos);
  EXPECT_EQ(page.find("{{"), page.npos);  // every placeholder is filled
}

TEST_F(Report, AFolderWithoutARunIsAnError) {
  EXPECT_THROW(ReportData(folder_.string()), Error);
  EXPECT_THROW(ReportData(""), Error);
  Write("config.json", "[");
  EXPECT_THROW(ReportData(folder_.string()), Error);
}

}  // namespace
}  // namespace gopnet
