// Column roles, tasks, labels, weights, categories, and reading files like the training file.
#include "gopnet/dataset.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/check.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

using Texts = std::vector<std::string>;

class DatasetTest : public testing::Test {
 protected:
  Dataset Read(const std::string& content, const ReadOptions& options = {}) {
    return ReadDataset(folder_.Write("a.csv", content), options);
  }
  TempFolder folder_;
  ReadOptions options_;
};

std::string Repeat(const std::string& lines, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += lines;
  return text;
}

TEST_F(DatasetTest, TargetByNameIndexOrList) {
  const std::string text = "y,a,z\n0.5,2,1.5\n1.25,4,2.5\n";
  options_.target = "y";
  EXPECT_EQ(Read(text, options_).targets(1, 0), 1.25f);
  EXPECT_EQ(Read(text, options_).schema.FeatureNames(), (Texts{"a", "z"}));
  options_.target = "1";
  EXPECT_EQ(Read(text, options_).schema.targets, Texts{"a"});
  options_.target = "z, y";
  const Dataset two = Read(text, options_);
  EXPECT_EQ(two.task, Task::kRegression);
  EXPECT_EQ(two.schema.targets, (Texts{"z", "y"}));
  EXPECT_EQ(two.targets(0, 0), 1.5f);
  EXPECT_EQ(two.targets(0, 1), 0.5f);
}

TEST_F(DatasetTest, TargetErrors) {
  options_.target = "prise";
  EXPECT_ERROR("a.csv: no target column 'prise' (did you mean 'price'?)",
               Read("area,price\n1,2\n", options_));
  EXPECT_ERROR("no header ... 0 to 1", Read("1,2\n", options_));
  options_.target = "a,a";
  EXPECT_ERROR("'a' ... twice", Read("a,b\n1,2\n", options_));
  options_.target = "a,b";
  EXPECT_ERROR("has 2 columns ... feature", Read("a,b\n1,2\n", options_));
  options_.task = Task::kClassification;
  EXPECT_ERROR("2 target columns ... classification", Read("a,b,c\n1,2,3\n", options_));
  options_.labels_path = "labels.csv";
  EXPECT_ERROR("target column ... labels.csv", Read("a,b,c\n1,2,3\n", options_));
}

TEST_F(DatasetTest, FewDistinctIntegersAreClasses) {
  const Dataset classes = Read("a,k\n" + Repeat("1,10\n1,9.0\n", 5));  // 2 values in 10 rows
  EXPECT_EQ(classes.task, Task::kClassification);
  EXPECT_EQ(classes.classes, (Texts{"9", "10"}));
  EXPECT_TRUE(classes.integer_classes);
  EXPECT_EQ(Read("a,k\n" + Repeat("1,5\n1,7\n", 4)).task, Task::kRegression);  // 2 in 8
  for (const char* pair : {"1,0\n1,1\n", "1,-1\n1,1.0\n", "1,2\n1,1\n"})       // yes/no targets
    EXPECT_EQ(Read("a,k\n" + Repeat(pair, 2)).task, Task::kClassification) << pair;
  EXPECT_EQ(Read("a,k\n" + Repeat("1,0\n1,0.5\n", 50)).task, Task::kRegression);
}

TEST_F(DatasetTest, ForcedTaskWins) {
  options_.task = Task::kClassification;
  EXPECT_EQ(Read("a,k\n1,1.0\n1,-2\n", options_).classes, (Texts{"-2", "1"}));
  EXPECT_ERROR("line 3, column 'k' ... 1.5", Read("a,k\n1,1.0\n1,1.5\n", options_));
  options_.task = Task::kRegression;
  EXPECT_EQ(Read("a,k\n" + Repeat("1,1\n", 50), options_).targets(0, 0), 1.0f);
  EXPECT_ERROR("a.csv: line 3, column 'k' ... number ... 'cat'",
               Read("a,k\n1,1\n1,cat\n", options_));
}

TEST_F(DatasetTest, LargeIntegerLabelsStayDistinct) {
  options_.task = Task::kClassification;
  EXPECT_EQ(Read("a,k\n1,9007199254740993\n1,9007199254740992\n", options_).classes,
            (Texts{"9007199254740992", "9007199254740993"}));
}

TEST_F(DatasetTest, MissingTargetsAreErrors) {
  options_.missing = ReadOptions::Missing::kMean;
  EXPECT_ERROR("a.csv: line 3, column 'k' ... missing ... 1 other row",
               Read("a,k\n1,x\n1,\n1,NA\n", options_));
  EXPECT_ERROR("the target is infinite", Read("a,k\n1,1\n1,inf\n", options_));
}

TEST_F(DatasetTest, LabelsFromASeparateFile) {
  options_.labels_path = folder_.Write("labels.csv", "kind\ncat\ndog\n");
  EXPECT_EQ(Read("1,2\n3,4\n", options_).classes, (Texts{"cat", "dog"}));
  EXPECT_TRUE(Read("1,2\n3,4\n", options_).schema.targets.empty());
  EXPECT_EQ(Read("1,2\n3,4\n5,6\n", options_).classes.size(), 3u);  // no header: "kind" is a label
  EXPECT_ERROR("labels.csv: has 3 rows, ", Read("1,2\n3,4\n5,6\n7,8\n", options_));
  EXPECT_ERROR("a.csv has 4", Read("1,2\n3,4\n5,6\n7,8\n", options_));
  options_.labels_path = folder_.Write("values.csv", "0.5,1\n1.5,2\n");
  EXPECT_EQ(Read("1,2\n3,4\n", options_).targets.cols(), 2u);
}

TEST_F(DatasetTest, WeightsByColumnOrFile) {
  options_.weight_column = "w";
  const Dataset data = Read("a,k,w\n1,x,0.5\n2,y,0\n", options_);
  EXPECT_EQ(data.weights, (std::vector<float>{0.5f, 0.0f}));
  EXPECT_EQ(data.schema.targets, Texts{"k"});  // the last column other than the weights
  EXPECT_ERROR("line 2, column 'w' ... weight ... -1", Read("a,k,w\n1,x,-1\n", options_));
  EXPECT_ERROR("a.csv: column 'w': all weights are 0", Read("a,k,w\n1,x,0\n", options_));
  EXPECT_ERROR("the weight is missing", Read("a,k,w\n1,x,\n", options_));
  EXPECT_ERROR("line 2, column 'w' ... number ... 'q'", Read("a,k,w\n1,x,q\n", options_));
  EXPECT_ERROR("no weight column 'w'", Read("a,k\n1,x\n", options_));
  options_.weight_column.clear();
  options_.weights_path = folder_.Write("w.csv", "1\n2\n");
  EXPECT_EQ(Read("a,k\n1,x\n2,y\n", options_).weights[1], 2.0f);
  EXPECT_ERROR("w.csv: has 2 rows", Read("a,k\n1,x\n", options_));
}

TEST_F(DatasetTest, CategoriesExpandInPlace) {
  options_.categorical = true;
  const Dataset data = Read("a,city,b,k\n1,Oslo,2,x\n3,Bergen,4,y\n5,Oslo,6,x\n", options_);
  EXPECT_EQ(data.schema.FeatureNames(), (Texts{"a", "city=Bergen", "city=Oslo", "b"}));
  EXPECT_EQ(std::vector<float>(data.x.Row(1), data.x.Row(1) + 4), (std::vector<float>{3, 1, 0, 4}));
  ReadOptions next;
  next.like = &data.schema;
  const Dataset more = Read("a,city,b,k\n1,Rome,2,x\n", next);
  EXPECT_EQ(std::vector<float>(more.x.Row(0), more.x.Row(0) + 4), (std::vector<float>{1, 0, 0, 2}));
  EXPECT_ERROR("column 'b' ... number ... 'q'", Read("a,city,b,k\n1,Rome,q,x\n", next));
}

TEST_F(DatasetTest, NewRowsMayHoldWordsWhereTrainingHadThem) {
  std::string text = "a,day,k\n";
  for (int i = 0; i < 60; ++i)
    text += Join(i == 7 ? "k.A." : std::to_string(i),
                 i == 9 ? ",tbd," : Join(",2020-01-", i % 20 + 10, ","), i % 2 ? "x\n" : "y\n");
  const Dataset data = Read(text, options_);
  ASSERT_EQ(data.schema.columns[0].categories.size(), 0u);
  TableReport report;
  ReadOptions next;
  next.like = &data.schema;
  next.report = &report;
  const Dataset more = Read(text, next);
  EXPECT_TRUE(std::isnan(more.x.Row(7)[0]) && std::isnan(more.x.Row(9)[1]));
  EXPECT_EQ(more.x.Row(8)[0], 8.0f);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(Mentions(report.warnings[0], "'k.A.' ... 1 other"));
  next.strict = true;
  EXPECT_ERROR("'k.A.'", Read(text, next));
  EXPECT_ERROR("date ... 'tbd'", Read("a,day,k\n1,tbd,x\n2,tba,y\n", next));
}

TEST_F(DatasetTest, TextFoundLateStillMakesACategory) {
  options_.categorical = true;
  const Dataset data = Read("1,2,x\n2,2,y\nred,2,x\n", options_);
  EXPECT_EQ(data.schema.FeatureNames(), (Texts{"x0=1", "x0=2", "x0=red", "x1"}));
  // after the rows that are inspected first
  EXPECT_EQ(Read(Repeat("1,2,x\n2,2,y\n", 600) + Repeat("red,2,x\n", 100), options_)
                .schema.FeatureNames()
                .size(),
            4u);
  // numbers after words
  const Dataset numbers =
      Read(Repeat("n.a.,2,x\n", 900) + Repeat("red,2,y\n", 100) + Repeat("7,3,y\n", 9000));
  EXPECT_EQ(numbers.schema.FeatureNames(), (Texts{"x0", "x0 missing", "x1"}));
}

TEST_F(DatasetTest, MissingCategory) {
  options_.categorical = true;
  options_.missing = ReadOptions::Missing::kError;
  EXPECT_ERROR("the first at line 4, column 'city'",
               Read("a,city,k\n1,Oslo,x\n2,Rome,y\n2,,y\n", options_));
  options_.missing = ReadOptions::Missing::kMean;
  const Dataset data = Read("a,city,k\n1,Oslo,x\n2,,y\n3,Rome,y\n", options_);
  EXPECT_TRUE(std::isnan(data.x.Row(1)[1]));
}

TEST_F(DatasetTest, TooManyCategories) {
  std::string text = "name,a,k\n";
  for (int i = 0; i < 1001; ++i) text += "n" + std::to_string(i) + ",1,x\n";
  const Dataset ids = Read(text, options_);  // a different text in every row
  EXPECT_EQ(ids.schema.FeatureNames(), Texts{"a"});
  ASSERT_EQ(ids.schema.left_out.size(), 1u);
  EXPECT_EQ(ids.schema.left_out[0].reason, "id");
  text += text.substr(text.find('\n') + 1);
  EXPECT_EQ(Read(text, options_).features(), 50u + 1 + 1);  // most frequent, others, a
  options_.categorical = true;
  EXPECT_EQ(Read(text, options_).features(), 1000u + 1 + 1);
}

TEST_F(DatasetTest, LikeMatchesColumnsByName) {
  const Dataset train = Read("a,b,k\n1,2,x\n3,4,y\n");
  options_.like = &train.schema;
  const Dataset test = Read("k,b,a\ny,20,10\nz,21,11\n", options_);
  EXPECT_EQ(test.x.Row(0)[0], 10.0f);
  EXPECT_EQ(test.classes, (Texts{"y", "z"}));  // of this file; the model maps by text
  EXPECT_ERROR("a.csv ... column 'b'", Read("a,k\n1,x\n", options_));
  TableReport report;
  options_.report = &report;
  EXPECT_EQ(Read("a,b,c,d,k\n1,2,3,4,x\n", options_).features(), 2u);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(Mentions(report.warnings[0], "unknown columns 'c', 'd'"));
  options_.report = nullptr;
  options_.strict = true;
  EXPECT_ERROR("unknown columns 'c', 'd'", Read("a,b,c,d,k\n1,2,3,4,x\n", options_));
  options_.strict = false;
  EXPECT_ERROR("no target column 'k'", Read("a,b\n1,2\n", options_));
  options_.need_targets = false;
  EXPECT_EQ(Read("b,a\n20,10\n", options_).x.Row(0)[0], 10.0f);
  const Dataset dropped = Read("k,b,a\nq,20,10\n", options_);
  EXPECT_EQ(dropped.features(), 2u);
  EXPECT_FALSE(dropped.has_targets());
}

TEST_F(DatasetTest, LikeMatchesByCountWithoutNames) {
  const Dataset train = Read("1,2,x\n3,4,y\n");
  options_.like = &train.schema;
  EXPECT_EQ(Read("1,2,x\n", options_).classes, Texts{"x"});
  EXPECT_ERROR("has 3 feature columns (and 1 for targets and weights) ... has 2",
               Read("1,2,3,x\n", options_));
  options_.target = "0";
  EXPECT_EQ(Read("x,1,2\n", options_).x.Row(0)[1], 2.0f);
  options_.target.clear();
  options_.need_targets = false;
  EXPECT_EQ(Read("1,2\n", options_).rows(), 1u);
  EXPECT_EQ(Read("1,2,x\n", options_).features(), 2u);  // the training file itself
  EXPECT_ERROR("has 4 feature columns ... has 2", Read("1,2,3,4\n", options_));
}

TEST_F(DatasetTest, LikeWithoutTargetsSaysSo) {
  const Dataset train = Read("1,2,x\n3,4,y\n");
  options_.like = &train.schema;
  EXPECT_ERROR("has 2 columns ... targets ... --labels", Read("1,2\n", options_));
  options_.labels_path = folder_.Write("labels.csv", "y\n");
  EXPECT_EQ(Read("1,2\n", options_).classes, Texts{"y"});
}

TEST_F(DatasetTest, LikeIgnoresATargetColumnIfLabelsHaveAFile) {
  const Dataset train = Read("a,b,3\n1,2,x\n3,4,y\n");
  options_.like = &train.schema;
  options_.labels_path = folder_.Write("labels.csv", "q\n");
  EXPECT_EQ(Read("a,b,3\n1,2,x\n", options_).classes, Texts{"q"});
  EXPECT_EQ(Read("b,a\n1,2\n", options_).x.Row(0)[0], 2.0f);
  options_.labels_path.clear();  // "3" is a name, not an index
  EXPECT_ERROR("no target column '3'", Read("a,b,c,d\n1,2,3,4\n", options_));
}

TEST_F(DatasetTest, LikeFindsTheTargetByNameInAnyPosition) {
  options_.target = "0";
  const Dataset train = Read("k,a\nx,1\ny,2\n", options_);
  options_.like = &train.schema;
  EXPECT_EQ(Read("a,k\n3,z\n", options_).classes, Texts{"z"});
  options_.target = "other";
  EXPECT_EQ(Read("a,k,other\n3,z,q\n", options_).classes, Texts{"q"});
}

TEST_F(DatasetTest, MessagesAreOneLine) {
  options_.task = Task::kRegression;
  EXPECT_ERROR("'two lines'", Read("a,k\n1,1\n2,\"two\nlines\"\n", options_));
  EXPECT_EQ(ErrorOf([&] {
              Read("a,k\n1,2\n1," + std::string(9999, 'q') + "\n", options_);
            }).find(std::string(61, 'q')),
            std::string::npos);
}

TEST_F(DatasetTest, LikeFillsMissingValuesAsInTraining) {
  options_.missing = ReadOptions::Missing::kMean;
  const Dataset train = Read("a,b,k\n1,,x\n3,4,y\n", options_);
  ReadOptions next;
  next.like = &train.schema;
  EXPECT_TRUE(std::isnan(Read("a,b,k\n,2,x\n", next).x.Row(0)[0]));
}

TEST_F(DatasetTest, LikeRecognisesTheHeaderOfATextOnlyFile) {
  options_.categorical = true;
  const Dataset train = Read("color,k\nred,A\nblue,B\nred,B\nblue,A\nred,A\nblue,B\n", options_);
  ReadOptions next;
  next.like = &train.schema;
  next.need_targets = false;
  EXPECT_EQ(Read("color\nblue\n", next).x.Row(0)[0], 1.0f);
  EXPECT_EQ(Read("blue\n", next).rows(), 1u);
}

TEST_F(DatasetTest, SourceIsThePath) {
  EXPECT_EQ(Read("a,k\n1,x\n").source, folder_.Path("a.csv"));
}

TEST(MakeDataset, TakesArraysInMemory) {
  Matrix x(2, 3);
  const Dataset text = MakeDataset(x, Texts{"b", "a"});
  EXPECT_EQ(text.classes, (Texts{"a", "b"}));
  EXPECT_EQ(text.labels, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(text.x.data, x.data());
  EXPECT_EQ(text.schema.features(), 3u);
  const Dataset integers = MakeDataset(x, std::vector<int64_t>{10, 9});
  EXPECT_EQ(integers.classes, (Texts{"9", "10"}));
  EXPECT_TRUE(integers.integer_classes);
  EXPECT_EQ(MakeDataset(x, Matrix(2, 2)).task, Task::kRegression);
  EXPECT_FALSE(MakeDataset(x).has_targets());
  EXPECT_ERROR("2 rows of features but 1 labels", MakeDataset(x, Texts{"a"}));
}

}  // namespace
}  // namespace gopnet
