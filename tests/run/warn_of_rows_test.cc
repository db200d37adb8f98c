// Features that tell the target are told of, others are not.
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

// What is said of 40 rows, of which the second of two features is made by `feature(n)`.
template <class Feature>
std::vector<std::string> Told(Task task, const Feature& feature, size_t rows = 40) {
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
  WarnOfGivenAway(data, AllRows(rows), "rows", rt);
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

TEST(WarnOfGivenAway, NamesAFeatureThatIsTheSameInAllRowsOfAClass) {
  const std::vector<std::string> told = {
      "rows: feature 'x1' gives the class away: it is the same in all rows of a class; if new rows "
      "will not have it, leave it out"};
  EXPECT_EQ(Told(Task::kClassification, number_of_class), told);
  EXPECT_EQ(Told(Task::kClassification, one_class), told);
  EXPECT_EQ(Told(Task::kClassification, nan_of_one_class), told);
}

TEST(WarnOfGivenAway, NamesAFeatureThatIsTheTarget) {
  EXPECT_EQ(
      Told(Task::kRegression, target),
      std::vector<std::string>{
          "rows: feature 'x1' is the target itself; if new rows will not have it, leave it out"});
}

TEST(WarnOfGivenAway, NamesACopyOfATargetWhoseOffsetIsKeptApart) {
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
  WarnOfGivenAway(data, AllRows(40), "rows", rt);
  EXPECT_EQ(listener.warnings.size(), 1u);
}

TEST(WarnOfGivenAway, SaysNothingOfOthers) {
  EXPECT_TRUE(Told(Task::kClassification, nearly).empty());
  EXPECT_TRUE(Told(Task::kClassification, constant).empty());
  EXPECT_TRUE(Told(Task::kRegression, twice).empty());
  EXPECT_TRUE(Told(Task::kClassification, number_of_class, 15).empty());  // may be chance
  EXPECT_TRUE(Told(Task::kClassification, one_class, 28).empty());        // in nine rows, too
}

TEST(WarnOfCodes, NamesAFeatureThatIsNinesInSomeRowsFarFromTheOthers) {
  const auto told = [](float code, float scale) {
    return Told(Task::kRegression, [=](size_t n) {
      return n % 20 == 7 ? code : scale * std::cos(static_cast<float>(n));
    });
  };
  EXPECT_EQ(told(-999, 100), std::vector<std::string>{
                                 "rows: feature 'x1' is -999 in 2 rows, far from all others; if "
                                 "that stands for a blank, leave it empty (or NaN)"});
  EXPECT_EQ(told(99, 10).size(), 1u);
  EXPECT_TRUE(told(-999, 800).empty());  // may well be a value
  EXPECT_TRUE(told(-998, 100).empty());
}

}  // namespace
}  // namespace gopnet
