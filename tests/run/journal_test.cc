#include "run/journal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

std::string Text(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += SealLine({{"event", "candidate"}, {"number", i}});
  return text;
}

TEST(Journal, KeepsAllDigitsOfNumbers) {
  const double loss = 0.1 + 0.2;
  const JournalText journal = ReadJournal(SealLine({{"event", "x"}, {"val", {{"loss", loss}}}}));
  ASSERT_EQ(journal.lines.size(), 1u);
  EXPECT_EQ(journal.lines[0]["val"]["loss"].get<double>(), loss);
}

TEST(Journal, SkipsATornLastLine) {
  const std::string two = Text(2), three = Text(3);
  for (size_t n = two.size(); n < three.size(); ++n) {
    const JournalText journal = ReadJournal(three.substr(0, n));
    EXPECT_EQ(journal.lines.size(), 2u);
    EXPECT_EQ(journal.whole_bytes, two.size());
    EXPECT_TRUE(journal.damaged.empty());
  }
}

TEST(Journal, ZerosAtTheEndAreATornLine) {  // as after a power failure
  const JournalText journal = ReadJournal(Text(2) + std::string(4096, '\0') + "\n");
  EXPECT_EQ(journal.lines.size(), 2u);
  EXPECT_EQ(journal.whole_bytes, Text(2).size());
}

TEST(Journal, ReportsADamagedLineAndKeepsTheOthers) {
  std::string text = Text(3);
  text[Text(1).size() + 20] ^= 1;
  const JournalText journal = ReadJournal(text);
  EXPECT_EQ(journal.damaged, std::vector<int>{2});
  ASSERT_EQ(journal.lines.size(), 2u);
  EXPECT_EQ(journal.lines[1]["number"], 2);
}

TEST(Journal, DetectsAnyChangedByte) {
  const std::string line = Text(1);
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    for (const char to : {'0', '9', ' ', '"', '}', 'x'}) {
      std::string changed = line;
      if (changed[i] == to) continue;
      changed[i] = to;
      EXPECT_TRUE(ReadJournal(changed).lines.empty()) << changed;
    }
  }
}

TEST(Journal, RejectsDeepNesting) {
  std::string deep = "{\"a\":" + std::string(200'000, '[');
  deep += ",\"sum\":\"" + Checksum(deep) + "\"}\n";
  EXPECT_TRUE(ReadJournal(deep).lines.empty());
}

RC_GTEST_PROP(Journal, ReadsAnyBytesSafely, (std::string bytes)) {
  const JournalText journal = ReadJournal(Text(1) + bytes + "\n" + Text(1));
  RC_ASSERT(journal.lines.size() == 2u);
  RC_ASSERT(OpenState(bytes, "0123456789abcdef").empty());
}

// Found by fuzzing: 4e46 does not fit into an integer.
TEST(Journal, SkipsCandidatesWithInvalidNumbers) {
  const Json good{{"event", "candidate"},
                  {"run", "r"},
                  {"variant", 0},
                  {"layer", 1},
                  {"block", 0},
                  {"attempt", 0},
                  {"candidate", 3},
                  {"rung", 9},
                  {"epochs", 9},
                  {"diverged", false},
                  {"val", {{"accuracy", 1}, {"loss", 0.5}}},
                  {"seconds", 0.1},
                  {"state", {{"offset", 0}, {"size", 4}, {"sum", "x"}}}};
  EXPECT_EQ(ReadCandidates(ReadJournal(SealLine(good)), "r", "accuracy").size(), 1u);
  for (const char* name : {"variant", "layer", "rung", "epochs", "val", "seconds", "state"}) {
    Json bad = good;
    bad[name] = name[0] == 's' ? Json("x") : Json(4e46);
    EXPECT_EQ(ReadCandidates(ReadJournal(SealLine(bad)), "r", "accuracy").size(), 0u) << name;
  }
  EXPECT_EQ(ReadCandidates(ReadJournal(SealLine(good)), "another", "accuracy").size(), 0u);
  Json far = good;
  far["state"]["offset"] = 4e46;
  EXPECT_EQ(ReadCandidates(ReadJournal(SealLine(far)), "r", "accuracy").size(), 0u);
}

TEST(State, ChecksMagicRunAndChecksum) {
  const std::string run = "0123456789abcdef", other = "fedcba9876543210";
  const std::string file = SealState("numbers", run);
  EXPECT_EQ(OpenState(file, run), "numbers");
  EXPECT_EQ(OpenState(file, other).data(), nullptr);
  for (size_t i = 0; i < file.size(); ++i) {
    std::string changed = file;
    changed[i] ^= 4;
    EXPECT_EQ(OpenState(changed, run).data(), nullptr) << i;
    EXPECT_EQ(OpenState(file.substr(0, i), run).data(), nullptr);
  }
  EXPECT_NE(OpenState(SealState("", run), run).data(), nullptr);
}

}  // namespace
}  // namespace gopnet
