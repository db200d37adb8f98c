// Warnings about features that leak the target or encode missing values as -999.
#include "run/warn_of_rows.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gopnet {
namespace {

class Listener : public Observer {
 public:
  void OnWarning(const std::string& text) override { warnings.push_back(text); }
  std::vector<std::string> warnings;
};

// Expects exactly one warning, which mentions all `facts`.
void ExpectOne(const std::vector<std::string>& warnings, const std::vector<std::string>& facts) {
  ASSERT_EQ(warnings.size(), 1u);
  for (const std::string& fact : facts)
    EXPECT_NE(warnings[0].find(fact), std::string::npos) << warnings[0];
}

// Returns the warnings for rows with two features; the second one is feature(n).
template <class Feature>
std::vector<std::string> Warnings(Task task, const Feature& feature, size_t rows = 40) {
  Matrix x(rows, 2), targets(rows, 1);
  std::vector<int64_t> labels;
  for (size_t n = 0; n < rows; ++n) {
    x(n, 0) = std::sin(static_cast<float>(n));
    x(n, 1) = feature(n);
    targets(n, 0) = 100 + static_cast<float>(n);
    labels.push_back(static_cast<int64_t>(n % 3));
  }
  const Dataset data =
      task == Task::kClassification ? MakeDataset(x, labels) : MakeDataset(x, targets);
  Runtime rt;
  Listener listener;
  rt.observer = &listener;
  WarnOfLeakage(data, AllRows(rows), "rows", rt);
  WarnOfCodes(data, AllRows(rows), "rows", rt);
  return listener.warnings;
}

const auto number_of_class = [](size_t n) { return static_cast<float>(n % 3); };
const auto one_class = [](size_t n) { return n % 3 == 1 ? 1.0f : 0.0f; };
const auto nan_of_one_class = [](size_t n) { return n % 3 == 1 ? std::nanf("") : 0.0f; };
const auto nearly = [](size_t n) { return n == 37 ? 5.0f : static_cast<float>(n % 3); };
const auto constant = [](size_t) { return 7.0f; };
const auto target = [](size_t n) { return 100 + static_cast<float>(n); };
const auto twice = [](size_t n) { return 200 + 2 * static_cast<float>(n); };

TEST(WarnOfLeakage, NamesAFeatureThatIsConstantWithinAClass) {
  ExpectOne(Warnings(Task::kClassification, number_of_class), {"rows: ", "'x1'", "leakage"});
  ExpectOne(Warnings(Task::kClassification, one_class), {"rows: ", "'x1'", "leakage"});
  ExpectOne(Warnings(Task::kClassification, nan_of_one_class), {"rows: ", "'x1'", "leakage"});
}

TEST(WarnOfLeakage, NamesAFeatureThatEqualsTheTarget) {
  ExpectOne(Warnings(Task::kRegression, target), {"rows: ", "'x1'", "target", "leakage"});
}

TEST(WarnOfLeakage, FindsACopyOfATargetWithAnOffset) {
  TypedColumn column{"x"};
  for (size_t n = 0; n < 40; ++n) column.numbers.push_back(1.6e9 + std::floor(100 * std::sin(n)));
  TypedColumn copy = column;
  copy.name = "y";
  ReadOptions options;
  options.target = "y";
  options.task = Task::kRegression;
  const Dataset data = MakeDataset({column, copy}, options);
  Runtime rt;
  Listener listener;
  rt.observer = &listener;
  WarnOfLeakage(data, AllRows(40), "rows", rt);
  EXPECT_EQ(listener.warnings.size(), 1u);
}

TEST(WarnOfLeakage, IgnoresOtherFeatures) {
  EXPECT_TRUE(Warnings(Task::kClassification, nearly).empty());
  EXPECT_TRUE(Warnings(Task::kClassification, constant).empty());
  EXPECT_TRUE(Warnings(Task::kRegression, twice).empty());
  EXPECT_TRUE(Warnings(Task::kClassification, number_of_class, 15).empty());  // may be chance
  EXPECT_TRUE(Warnings(Task::kClassification, one_class, 28).empty());        // same for nine rows
}

TEST(WarnOfCodes, NamesAFeatureWithNinesFarFromItsOtherValues) {
  const auto warnings = [](float code, float scale) {
    return Warnings(Task::kRegression, [=](size_t n) {
      return n % 20 == 7 ? code : scale * std::cos(static_cast<float>(n));
    });
  };
  ExpectOne(warnings(-999, 100), {"rows: ", "'x1' is -999 in 2 rows"});
  EXPECT_EQ(warnings(99, 10).size(), 1u);
  EXPECT_TRUE(warnings(-999, 800).empty());  // may be a real value
  EXPECT_TRUE(warnings(-998, 100).empty());
}

}  // namespace
}  // namespace gopnet
