#include "data/formats/prediction_file.h"

#include <gtest/gtest.h>

#include "data/formats/npy.h"
#include "gopnet/dataset.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

Matrix Two(float a, float b, float c, float d) {
  Matrix m(2, 2);
  m(0, 0) = a, m(0, 1) = b, m(1, 0) = c, m(1, 1) = d;
  return m;
}

PredictionFormat Classes(bool integers, bool proba) {
  PredictionFormat format;
  format.classes = integers ? std::vector<std::string>{"9", "10"}
                            : std::vector<std::string>{"cat, old", "\xc3\xa9"};
  format.integer_classes = integers;
  format.proba = proba;
  return format;
}

TEST(PredictionsCsv, LabelsThenProbabilities) {
  const Matrix p = Two(0.25f, 0.75f, 0.5f, 0.5f);  // in a tie, the first class wins
  EXPECT_EQ(PredictionsAsCsv(Classes(true, false), p), "label\n10\n9\n");
  EXPECT_EQ(PredictionsAsCsv(Classes(false, true), p),
            "label,\"cat, old\",\xc3\xa9\n\xc3\xa9,0.25,0.75\n\"cat, old\",0.5,0.5\n");
}

TEST(PredictionsCsv, ValuesUnderTargetNames) {
  PredictionFormat format;
  format.task = Task::kRegression;
  EXPECT_EQ(PredictionsAsCsv(format, Two(0.1f, 2, 1e-10f, -3)),
            "prediction_1,prediction_2\n0.1,2\n1e-10,-3\n");
  format.targets = {"a", "b"};
  EXPECT_EQ(PredictionsAsCsv(format, Two(1, 2, 3, 4)), "a,b\n1,2\n3,4\n");
  format.targets.clear();
  EXPECT_EQ(PredictionsAsCsv(format, Matrix(1, 1)), "prediction\n0\n");
}

TEST(PredictionsCsv, EscapesFormulas) {
  PredictionFormat format = Classes(true, false);
  format.classes = {"=1+1", "-7"};
  format.id_name = "@who";
  format.ids = {"+A1", "+1.5"};
  format.spreadsheet = true;
  EXPECT_EQ(PredictionsAsCsv(format, Two(1, 0, 0, 1)), "'@who,label\n'+A1,'=1+1\n+1.5,-7\n");
  format.header = false;
  format.ids = {"-inf", "\ta"};
  EXPECT_EQ(PredictionsAsCsv(format, Two(0, 1, 0, 1)), "'-inf,-7\n'\ta,-7\n");
}

TEST(PredictionsNpy, TypeAndShape) {
  const Matrix p = Two(0.25f, 0.75f, 0.5f, 0.5f);
  const auto parse = [](const std::string& bytes) { return ParseNpy(bytes, "p.npy"); };
  const std::string integers = PredictionsAsNpy(Classes(true, false), p);
  EXPECT_EQ(parse(integers).kind, 'i');
  EXPECT_EQ(ShapeText(parse(integers).shape), "(2,)");
  EXPECT_EQ(*parse(integers).At(0, 0), 10);
  const std::string texts = PredictionsAsNpy(Classes(false, false), p);
  EXPECT_EQ(parse(texts).kind, 'U');
  EXPECT_EQ(parse(texts).width, 32u);  // 8 code points
  EXPECT_EQ(ShapeText(parse(PredictionsAsNpy(Classes(true, true), p)).shape), "(2, 2)");
  PredictionFormat values;
  values.task = Task::kRegression;
  EXPECT_EQ(ShapeText(parse(PredictionsAsNpy(values, p)).shape), "(2, 2)");
  EXPECT_EQ(ShapeText(parse(PredictionsAsNpy(values, Matrix(3, 1))).shape), "(3,)");
}

TEST(PredictionsNpy, TextLabelsReadBack) {
  const TempFolder folder;
  ReadOptions options;
  options.labels_path =
      folder.Write("y.npy", PredictionsAsNpy(Classes(false, false), Two(0, 1, 1, 0)));
  const Dataset data = ReadDataset(folder.Write("x.csv", "1\n2\n"), options);
  EXPECT_EQ(data.classes, (std::vector<std::string>{"cat, old", "\xc3\xa9"}));
}

}  // namespace
}  // namespace gopnet
