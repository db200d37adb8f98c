// Parsing of numbers and dates in CSV fields, and tables in memory.
#include <gtest/gtest.h>

#include <cmath>

#include "data/dataset_fields.h"
#include "data/dates.h"
#include "data/field.h"
#include "data/known_texts.h"
#include "gopnet/dataset.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

using Texts = std::vector<std::string>;

double Number(const std::string& field, NumberStyle style = {}) {
  double value;
  const FieldKind kind = ParseNumberField(field, style, &value);
  return kind == FieldKind::kNumber ? value : kind == FieldKind::kMissing ? -1e9 : -2e9;
}

TEST(NumberField, AcceptsCommonNotations) {
  EXPECT_EQ(Number("1,234.5"), 1234.5);
  EXPECT_EQ(Number("-1,234,567"), -1234567);
  EXPECT_EQ(Number("1 234"), 1234);
  EXPECT_EQ(Number("$1,000"), 1000);
  EXPECT_EQ(Number("-$5"), -5);
  EXPECT_EQ(Number("5.5 \u20ac"), 5.5);
  EXPECT_EQ(Number("1,5", {','}), 1.5);
  EXPECT_EQ(Number("1.234,5", {','}), 1234.5);
  EXPECT_EQ(Number("12%", {'.', "%"}), 12);
  EXPECT_EQ(Number("1,250 kg", {'.', "kg"}), 1250);
  EXPECT_EQ(Number("(1,234.5)"), -1234.5);
  EXPECT_EQ(Number("($5)"), -5);
  EXPECT_EQ(Number("\u22122.5"), -2.5);
  EXPECT_EQ(Number("\u22121.234,5", {','}), -1234.5);
  for (const char* blank : {"", "n.a.", "NULL", "-", "?", "#N/A", "None", "nan", "<NA>"})
    EXPECT_EQ(Number(blank), -1e9) << blank;
  for (const char* text : {"12%", "1,5", "1,23,456", "red", "1,2345", "0x1F", "1.2.3", "12 34",
                           "5 kg", "(-5)", "()", "(5", "--5"})
    EXPECT_EQ(Number(text), -2e9) << text;
  EXPECT_EQ(Number("0.5", {','}), -2e9);  // decimal point in a column with decimal commas
}

TEST(Fields, TimesAreConvertedToHours) {
  EXPECT_EQ(Number("10:30", {'.', "h:mm"}), 10.5);
  EXPECT_EQ(Number("12:30 am", {'.', "h:mm"}), 0.5);
  EXPECT_EQ(Number("36:15:00", {'.', "h:mm:ss"}), 36.25);
  EXPECT_EQ(UnitOf("9:15"), "h:mm");
  EXPECT_EQ(UnitOf("09:15:30.5"), "h:mm:ss");
  for (const char* text : {"10:30:00", "10:60", "1:5", "a:15", "10:30x", "-1:30"})
    EXPECT_EQ(Number(text, {'.', "h:mm"}), -2e9) << text;
  EXPECT_EQ(Number("10:30"), -2e9);  // not a column of times
}

TEST(Fields, CurrencyCodesMapToSigns) {
  for (const char* text : {"$5", "5 USD", "-$5", "($5)", "USD 5"}) EXPECT_EQ(CurrencyOf(text), "$");
  EXPECT_EQ(CurrencyOf("5\u20ac"), CurrencyOf("EUR 5"));
  EXPECT_EQ(CurrencyOf("5 kg"), "");
}

TEST(KnownTexts, FindsNumbersByValue) {
  const std::vector<std::string> texts = {"01", "1.5", "2", "2.0", "x"};
  const KnownTexts known(texts);
  EXPECT_EQ(known.Find("1"), 0u);
  EXPECT_EQ(known.Find("1.0"), 0u);
  EXPECT_EQ(known.Find("1,50", ','), 1u);
  EXPECT_EQ(known.Find("2.0"), 3u);  // an exact match comes first
  EXPECT_EQ(known.Find("02"), 2u);
  for (const char* other : {"3", "y", "", "nan", "x "})
    EXPECT_EQ(known.Find(other), KnownTexts::kNone);
}

TEST(Dates, ParsesOrdersAndTimesAndRejectsInvalidDays) {
  Moment m;
  ASSERT_TRUE(ParseDate("2020-02-29", "ymd", &m));
  EXPECT_EQ(m.days, 18321);  // `date -d 2020-02-29 +%s` / 86400
  EXPECT_EQ(m.weekday, 6);
  EXPECT_FALSE(m.has_time);
  ASSERT_TRUE(ParseDate("31.12.1999 18:30", "dmy", &m));
  EXPECT_EQ(m.days, 10956 + 18.5 / 24);
  EXPECT_EQ(m.month, 12);
  EXPECT_EQ(m.hour, 18.5);
  EXPECT_TRUE(ParseDate("12/31/1999", "mdy", &m));
  EXPECT_TRUE(ParseDate("2020-01-31T10:00:00.25+01:00", "ymd", &m));
  EXPECT_TRUE(ParseDate("20200131", "ymd", &m));
  EXPECT_FALSE(LooksLikeDate("20200131"));
  for (const char* bad :
       {"2021-02-29", "2020-13-01", "2020-", "2020-01-01x", "2020-01/01", "2020-01-01 25:00",
        "20-01-01", "1.2.3", "", "2020-13", "2020 01 01", "2545-03"})
    EXPECT_FALSE(ParseDate(bad, "ymd", &m)) << bad;
}

TEST(Dates, ParsesMonthNamesShortYearsAndAmPm) {
  const auto days = [](const char* field, const char* order) {
    Moment m;
    return ParseDate(field, order, &m) ? m.days : -1e9;
  };
  for (const char* field :
       {"01-Jan-2020", "1 january 2020", "01/jan/20", "01.01.20", "1/1/20", "01JAN2020", "1jan20"})
    EXPECT_EQ(days(field, "dmy"), 18262) << field;
  for (const char* field : {"Jan 1, 2020", "JAN-01-2020", "01/01/20", "01/01/2020 12:00 AM"})
    EXPECT_EQ(days(field, "mdy"), 18262) << field;
  EXPECT_EQ(days("2020-01", "ymd"), 18262);
  EXPECT_EQ(days("2020-Jan-01", "ymd"), 18262);
  EXPECT_EQ(days("01/01/2020 12:00 PM", "mdy"), 18262.5);
  EXPECT_EQ(days("01/01/2020 6:00:00pm", "mdy"), 18262.75);
  EXPECT_EQ(days("28.01.69", "dmy"), days("28.01.1969", "dmy"));
  for (const char* bad : {"1.2.10", "01-Jan", "Jan 2020", "01-Foo-2020", "01 01 2020", "1.1.1",
                          "01/01/2020 13:00 PM", "01/01/2020 0:30 AM", "31-Feb-2020"})
    EXPECT_EQ(days(bad, "dmy"), -1e9) << bad;
  EXPECT_EQ(days("01-Jan-2020", "mdy"), -1e9);
  Moment m;
  EXPECT_TRUE(ParseNewDate("2020-01-31", "dmy", &m));
  EXPECT_FALSE(ParseNewDate("20200131", "dmy", &m));
}

std::vector<float> Values(const Dataset& data) {
  std::vector<float> values;
  for (size_t i = 0; i < data.rows(); ++i)
    values.insert(values.end(), data.x.Row(i), data.x.Row(i) + data.features());
  return values;
}

TEST(TypedColumns, MatchTheSameCsvByteForByte) {
  const double nan = std::nan("");
  std::vector<TypedColumn> columns = {{"a"}, {"city"}, {"day"}, {"t"}, {"kind"}};
  std::string csv = "a,city,day,t,kind\n";
  for (int i = 0; i < 40; ++i) {
    const std::string city = i % 3 == 0 ? "Oslo" : "Rome", kind = i % 2 == 0 ? "x" : "y";
    const std::string day = "2020-01-" + std::to_string(10 + i % 20);
    const bool blank = i % 5 == 0;
    const double t = 1.6e9 + i % 7 * 0.25;
    columns[0].numbers.push_back(blank ? nan : i * 0.125);
    columns[1].texts.push_back(city);
    columns[2].texts.push_back(day);
    columns[3].numbers.push_back(t);
    columns[4].texts.push_back(kind);
    csv += (blank ? "" : std::to_string(i * 0.125)) + "," + city + "," + day + "," +
           std::to_string(t) + "," + kind + "\n";
  }
  const TempFolder folder;
  const Dataset file = ReadDataset(folder.Write("a.csv", csv));
  const Dataset memory = MakeDataset(columns, ReadOptions{});
  EXPECT_EQ(memory.schema.FeatureNames(),
            (Texts{"a", "a missing", "city=Oslo", "city=Rome", "day year", "day month",
                   "day weekday", "day days", "t"}));
  EXPECT_EQ(memory.schema.FeatureNames(), file.schema.FeatureNames());
  const std::vector<float> x = Values(memory), y = Values(file);
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_TRUE(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]))) << i;
  EXPECT_EQ(memory.schema.columns[3].offset, 1.6e9);
  EXPECT_EQ(x[8], 0.0f);
  EXPECT_EQ(x[9 + 8], 0.25f);
  EXPECT_EQ(memory.labels, file.labels);

  ReadOptions like;
  like.like = &memory.schema;
  like.need_targets = false;
  EXPECT_EQ(Values(MakeDataset(columns, like)).size(), x.size());
}

TEST(TypedColumns, TextsMayHoldFormattedNumbers) {
  std::vector<TypedColumn> columns = {{"a"}, {"b"}, {"y"}};
  for (int i = 0; i < 40; ++i) {
    columns[0].texts.push_back(std::to_string(i % 9) + "," + std::to_string(i % 7));
    columns[1].texts.push_back(std::to_string(i) + " kg");
    columns[2].numbers.push_back(i % 2);
  }
  const Dataset data = MakeDataset(columns, ReadOptions{});
  EXPECT_EQ(data.schema.FeatureNames(), (Texts{"a", "b"}));
  EXPECT_EQ(data.x.Row(8)[0], 8.1f);
  EXPECT_EQ(data.x.Row(8)[1], 8.0f);
  columns[1].texts.assign(40, "1.5");  // ambiguous: decimal point or thousands separator?
  EXPECT_NE(MakeDataset(columns, ReadOptions{}).schema.FeatureNames(), (Texts{"a", "b"}));
}

TEST(Dataset, SurvivesSerialization) {
  Dataset data;
  data.schema.columns = {{"a", {"x"}, true, "", false, 0, true}, {"d", {}, false, "dmy", true, 7}};
  data.schema.left_out = {{"id", "index"}};
  data.target_offset = {1e9};
  ArchiveWriter writer;
  writer(data);
  const std::string bytes = writer.Take();
  Dataset copy;
  ArchiveReader reader(bytes, "bytes");
  reader(copy);
  EXPECT_EQ(copy.schema.FeatureNames(), data.schema.FeatureNames());
  EXPECT_EQ(copy.schema.features(), 3u + 5u);
  EXPECT_EQ(copy.schema.columns[1].offset, 7);
  EXPECT_EQ(copy.schema.left_out[0].reason, "index");
  EXPECT_EQ(copy.target_offset, data.target_offset);
}

}  // namespace
}  // namespace gopnet
