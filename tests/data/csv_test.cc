// Reading CSV files: fields, header, delimiter and error messages.
#include "data/formats/csv.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <cmath>
#include <random>

#include "base/check.h"
#include "gopnet/dataset.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

using Texts = std::vector<std::string>;

Dataset Read(const std::string& content, const ReadOptions& options = {},
             const std::string& name = "a.csv") {
  const TempFolder folder;
  return ReadDataset(folder.Write(name, content), options);
}

ReadOptions Classes() {
  ReadOptions options;
  options.task = Task::kClassification;
  return options;
}

TEST(Csv, HeaderNumbersAndTextLabels) {
  const Dataset data = Read("a,b,kind\n1,2.5,cat\n-3e2,4,dog\n5,6,cat\n");
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.features(), 2u);
  EXPECT_EQ(data.x.Row(1)[0], -300.0f);
  EXPECT_EQ(data.schema.FeatureNames(), (Texts{"a", "b"}));
  EXPECT_EQ(data.schema.targets, Texts{"kind"});
  EXPECT_TRUE(data.schema.named);
  EXPECT_EQ(data.classes, (Texts{"cat", "dog"}));
  EXPECT_EQ(data.labels, (std::vector<int32_t>{0, 1, 0}));
  EXPECT_FALSE(data.integer_classes);
}

TEST(Csv, NoHeaderIfTheFirstLineHoldsFeatures) {
  const Dataset data = Read("5.1,3.5,setosa\n4.9,3.0,setosa\n6.0,2.0,virginica\n");
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_FALSE(data.schema.named);
  EXPECT_TRUE(data.schema.targets.empty());
  EXPECT_EQ(data.schema.FeatureNames(), (Texts{"x0", "x1"}));
}

TEST(Csv, NumbersAboveAWordAreNotAHeader) {  // a class may look like a number
  const Dataset data = Read("5.1,3.5,A\n4.9,3.0,1\n6.0,2.0,A\n");
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.classes, (Texts{"1", "A"}));
}

TEST(Csv, HeaderAboveTextOnly) {
  ReadOptions options;
  options.categorical = true;
  TableReport report;
  options.report = &report;
  std::string rows;
  for (int i = 0; i < 12; ++i) rows += i % 2 ? "red,round,A\n" : "blue,flat,B\n";
  EXPECT_EQ(Read("color,shape,kind\n" + rows, options).rows(), 12u);
  EXPECT_EQ(report.warnings.size(), 1u);  // there are few rows
  // When in doubt, keep the first line: a lost row is worse than an extra one.
  EXPECT_EQ(Read("color,shape,kind\nred,round,A\nblue,flat,B\n", options).rows(), 3u);
  EXPECT_NE(report.warnings[1].find("(color,shape,kind)"), std::string::npos);
  EXPECT_EQ(Read("red,round,A\nblue,flat,B\nred,flat,A\n", options).rows(), 3u);
}

TEST(Csv, AllNumbersHaveNoHeader) { EXPECT_EQ(Read("1,2\n3,4\n").rows(), 2u); }

// 200 rows without a header; `draw` returns the value of each of the `columns` fields.
template <class Draw>
std::string Unnamed(size_t columns, const Draw& draw) {
  std::string text;
  for (size_t i = 0; i < 200; ++i) {
    for (size_t c = 0; c < columns; ++c) text += (c > 0 ? "," : "") + std::to_string(draw());
    text += '\n';
  }
  return text;
}

TEST(Csv, OutliersAreNotColumnNames) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const char* outlier : {"57.125", "-999", "1e6"}) {
    const std::string text = Unnamed(4, [&] { return normal(random); });
    EXPECT_EQ(Read(outlier + text.substr(text.find(','))).rows(), 200u) << outlier;
  }
  for (int file = 0; file < 6; ++file) {
    const auto heavy = [&] { return std::exp(2 * normal(random)); };
    EXPECT_EQ(Read(Unnamed(60, heavy)).rows(), 200u) << file;
  }
}

TEST(Csv, TwoNumbersAreNotASequence) {
  std::string text = "city,0.95,239.59\n";
  for (int i = 0; i < 200; ++i)
    text += Join("city", i % 10, ",", i * 7 % 20, ".5,", i * 37 % 900, ".25\n");
  EXPECT_EQ(Read(text).rows(), 201u);
}

TEST(Csv, WarnsWhenANumericHeaderIsAGuess) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const std::string rows = Unnamed(4, [&] { return normal(random); });
  TableReport report;
  ReadOptions options;
  options.report = &report;
  EXPECT_EQ(Read("17,3,99,40\n" + rows, options).rows(), 200u);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("(17,3,99,40)"), std::string::npos);
  const Dataset unnamed = Read(rows);
  options.like = &unnamed.schema;
  EXPECT_EQ(Read("17,3,99,40\n" + rows, options).rows(), 201u);  // a guess drops no new rows
  EXPECT_EQ(Read("0,1,2,3\n" + rows, options).rows(), 201u);     // nor because they look like names
}

TEST(Csv, RejectsUnnamedRowsWithAnExtraId) {
  std::string text = "id,a,b,y\n", rows;
  for (int i = 0; i < 40; ++i) {
    text += Join(1000 + i * 37 % 41, ",", i, ".5,", i % 7, ",", i % 2 ? "p" : "q", "\n");
    rows += Join(i, ",", i, ".5,", i % 7, "\n");
  }
  const Dataset named = Read(text);
  ASSERT_EQ(named.features(), 2u);
  ReadOptions options;
  options.like = &named.schema;
  options.need_targets = false;
  EXPECT_ERROR("has 3 columns ... 2 features ... header", Read(rows, options));
}

TEST(Csv, NewRowsMayEndWithASeparator) {
  const std::string rows = "1,2,x,\n3,4,y,\n5,7,x,\n";
  const Dataset trained = Read(rows);
  ASSERT_EQ(trained.features(), 2u);
  ReadOptions options;
  options.like = &trained.schema;
  EXPECT_EQ(Read(rows, options).labels, trained.labels);
  options.need_targets = false;
  EXPECT_EQ(Read(rows, options).features(), 2u);
  EXPECT_EQ(Read("1,2,x,\n", options).rows(), 1u);
  EXPECT_EQ(Read("1,2,\n3,4,\n", options).x.Row(1)[1], 4.0f);  // empty target
  const Dataset named = Read("a,b,kind,\n" + rows);
  TableReport report;
  options.like = &named.schema;
  options.report = &report;
  EXPECT_EQ(Read("b,a,\n1,2,\n3,4,\n", options).x.Row(0)[0], 2.0f);
  EXPECT_EQ(Read("1,2,\n3,4,\n", options).rows(), 2u);
  EXPECT_TRUE(report.warnings.empty());
}

TEST(Csv, QuotesWithinFieldsDoNotHideTrailingSeparators) {
  for (const char* end : {"", " ", "\"\""}) {
    std::string text = "a,b,c,kind,\n";
    for (const char* b : {"5\" pipe", "\"two, \nlines,\n\"", "round", "5\" pipe"})
      text += Join(text.size() % 7, ",", b, ",2,x,", end, "\n");
    EXPECT_EQ(Read(text, Classes()).rows(), 4u) << end;
  }
}

TEST(Csv, IntegerLabelsMayUseDecimalCommas) {
  const Dataset data = Read("a;y\n0,5;1,0\n1,5;0,0\n2,5;1,0\n", Classes());
  EXPECT_EQ(data.classes, (Texts{"0", "1"}));
  EXPECT_TRUE(data.integer_classes);
}

TEST(Csv, WarnsOfNewRowsInAnotherUnit) {
  const Dataset trained = Read("w,kind\n12 kg,x\n13 kg,y\n15 kg,x\n");
  EXPECT_EQ(trained.schema.columns[0].unit, "kg");
  TableReport report;
  ReadOptions options;
  options.like = &trained.schema;
  options.need_targets = false;
  options.report = &report;
  EXPECT_EQ(Read("w\n5 kg\n7\n", options).x.Row(0)[0], 5.0f);
  EXPECT_EQ(Read("w\n5\n7\n", options).x.Row(1)[0], 7.0f);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(Read("w\n12000 g\n13000 g\n", options).x.Row(0)[0], 12000.0f);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(Mentions(report.warnings[0], "column 'w' is in g ... kg"));
  options.strict = true;
  EXPECT_ERROR("column 'w' is in g ... kg ... --strict", Read("w\n12000 g\n13000 g\n", options));
  const Dataset texts = Read("w,kind\n12 kg,x\n13 kg,y\n12 kg,x\n", {.categories = {"w"}});
  options.like = &texts.schema;
  EXPECT_EQ(Read("w\n12 kg\n13 kg\n", options).features(), 2u);
  const Dataset plain = Read("w,kind\n12,x\n13,y\n15,x\n");
  options.like = &plain.schema;
  EXPECT_ERROR("column 'w' is in %", Read("w\n5%\n", options));
}

TEST(Csv, AmbiguousNewRowsUseTheDecimalSignOfTraining) {
  const Dataset trained = Read("a;kind\n1.234,50;1\n2.345,75;2\n3,25;1\n");
  TableReport report;
  ReadOptions options;
  options.like = &trained.schema;
  options.report = &report;
  EXPECT_EQ(Read("a;kind\n1,234;1\n2,5;2\n", options).x.Row(0)[0], 1.234f);
  EXPECT_EQ(Read("a;kind\n1,234;1\n2,345;2\n", options).x.Row(0)[0], 1.234f);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(Read("a;kind\n1.5;1\n2.25;2\n", options).x.Row(0)[0], 1.5f);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(Mentions(report.warnings[0], "'2.25' ... --decimal"));
  report.warnings.clear();
  EXPECT_EQ(Read("a;kind\n1.234;1\n2.345;2\n", options).x.Row(0)[0], 1234.0f);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(Mentions(report.warnings[0], "thousands separator ... --decimal"));
}

TEST(Csv, QuotesCrlfSpacesByteOrderMarkAndBlankEnd) {
  const Dataset data = Read(
      "\xef\xbb\xbf\"a, b\" , \"say \"\"hi\"\"\",k\r\n 1 ,\"2\",\"x\ny\"\r\n+3,\t4\t,z\r\n\r\n\n");
  EXPECT_EQ(data.schema.FeatureNames(), (Texts{"a, b", "say \"hi\""}));
  EXPECT_EQ(data.classes, (Texts{"x\ny", "z"}));
  EXPECT_EQ(data.x.Row(1)[0], 3.0f);
  EXPECT_EQ(data.x.Row(1)[1], 4.0f);
}

TEST(Csv, FindsTheDelimiter) {
  EXPECT_EQ(Read("a;b;c\n1;2;x\n").features(), 2u);
  EXPECT_EQ(Read("a\tb\tc\n1\t2\tx\n").features(), 2u);
  EXPECT_EQ(Read("a\tb,c\td\n1\t2\tx\n", {}, "a.tsv").schema.FeatureNames(), (Texts{"a", "b,c"}));
}

TEST(Csv, ReadsGzipOfSeveralMembers) {
  const TempFolder folder;
  for (const char* part : {"a,b,k\n1,2,x\n", "3,4,y\n"}) {
    gzFile file = gzopen(folder.Path("a.csv.gz").c_str(), "ab");
    gzputs(file, part);
    gzclose(file);
  }
  EXPECT_EQ(ReadDataset(folder.Path("a.csv.gz")).rows(), 2u);
  std::filesystem::resize_file(folder.Path("a.csv.gz"), 30);
  EXPECT_ERROR("a.csv.gz: is damaged or cut short", ReadDataset(folder.Path("a.csv.gz")));
}

TEST(Csv, TinyNumbersBecomeZeroHugeOnesAreErrors) {
  EXPECT_EQ(Read("a,b,k\n1e-60,1e-400,x\n").x.Row(0)[0], 0.0f);
  EXPECT_ERROR("a.csv: 1 value is infinite, the first at line 2, column 'b' ('1e39')",
               Read("a,b,k\n1,1e39,x\n"));
  EXPECT_ERROR("('-inf') ... finite ... float32", Read("a,b,k\n1,-inf,x\n"));
}

TEST(Csv, ErrorsNameLineAndColumn) {
  EXPECT_ERROR("nowhere.csv: cannot open", ReadDataset("nowhere.csv"));
  EXPECT_ERROR("a.csv: is empty", Read(" \n\n"));
  EXPECT_ERROR("a.csv: is empty", Read(""));
  EXPECT_ERROR("a.csv: has a header but no rows", Read("a,b,k\n"));
  EXPECT_ERROR("a.csv: line 3 has 2 fields ... 3 as in line 1", Read("a,b,k\n1,2,x\n1,2\n"));
  EXPECT_ERROR("a.csv: line 2 has 5 fields ... 3", Read("a,b,k\n1,2,x,4,5\n"));
  EXPECT_ERROR("a.csv: line 3 has 1 field ... 3", Read("a,b,k\n1,2,x\n\n1,2,y\n"));
  ReadOptions refuse;
  refuse.missing = ReadOptions::Missing::kError;
  EXPECT_ERROR("a.csv: 2 values ... missing ... line 2, column 'b' ... --missing error",
               Read("a,b,k\n1,,x\nNA,3,x\n", refuse));
  EXPECT_ERROR("line 3: a quote (\") is never closed", Read("a,b,k\n1,2,x\n1,2,\"x\n\n"));
  EXPECT_ERROR("line 2 ... closing quote", Read("a,b,k\n1,\"2\"3,x\n"));
  EXPECT_ERROR("two columns are named 'a'", Read("a,a,k\n1,2,x\n"));
  EXPECT_ERROR("UTF-16", Read(std::string("\xff\xfe") + "a"));
  EXPECT_ERROR("label 'caf\xef\xbf\xbd' is not UTF-8", Read("a,k\n1,caf\xe9\n2,b\n"));
  EXPECT_ERROR("a.json ... .csv.gz", Read("", {}, "a.json"));
  EXPECT_ERROR("a.parquet ... Parquet ... .csv", Read("", {}, "a.parquet"));
}

TEST(Csv, LineNumbersIncludeLinesWithinQuotes) {
  EXPECT_ERROR("line 4, column 'a' ('inf')", Read("a,k\n1,\"x\ny\"\ninf,z\n"));
}

TEST(Csv, MissingWordsBecomeNaN) {
  ReadOptions options;
  options.missing = ReadOptions::Missing::kMean;
  const Dataset data = Read("a,b,c,d,k\n,NA,?,nan,x\n1,2,3,4,y\n", options);
  for (size_t j = 0; j < 4; ++j) EXPECT_TRUE(std::isnan(data.x.Row(0)[j]));
  EXPECT_TRUE(data.schema.fill_missing);
}

TEST(Csv, BlankLinesUseNoMemory) {  // a wide first line and many short ones
  std::string text;
  for (int c = 0; c < 100000; ++c) text += "1,";
  EXPECT_ERROR("line 2 has 1 field", Read(text + std::string(1000000, '\n') + "1"));
}

RC_GTEST_PROP(Csv, AnyFloatsComeBack, (std::vector<float> values)) {
  std::string text = "a,b,k\n";
  for (float& value : values) {
    if (!std::isfinite(value)) value = 0;
    char line[64];
    std::snprintf(line, sizeof line, "%.9g,%.9g,x\n", value, -value);
    text += line;
  }
  if (values.empty()) return;
  const Dataset data = Read(text, Classes());
  const double offset = data.schema.columns[0].offset;  // for numbers far from 0
  for (size_t i = 0; i < values.size(); ++i)
    RC_ASSERT(static_cast<float>(data.x.Row(i)[0] + offset) == values[i]);
}

RC_GTEST_PROP(Csv, AnyQuotedTextComesBack, (const std::vector<std::string>& values)) {
  std::string text;
  for (const std::string& value : values) {
    text += '"';
    for (const char c : value) text.append(c == '"' ? 2 : 1, c);
    text += "\"\r\n";
  }
  const std::string source;
  CsvCursor cursor(text, ',', source);
  for (const std::string& value : values) {
    RC_ASSERT(cursor.Take() == value);
    RC_ASSERT(cursor.EndField());
  }
  RC_ASSERT(cursor.done());
}

}  // namespace
}  // namespace gopnet
