// Malicious data files that try to exhaust memory or time, or to access memory out of bounds. Each
// must throw an Error that names the file. All were found by fuzz/ or by code review.
#include <gtest/gtest.h>

#include "data/formats/npy.h"
#include "data/formats/zip.h"
#include "data/table.h"
#include "gopnet/dataset.h"
#include "support/deflate.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

Dataset Read(const std::string& name, const std::string& bytes, const ReadOptions& options = {}) {
  return ReadTable(*OpenTable({name, bytes, nullptr}, {options.like, std::nullopt}), options);
}

ReadOptions With(bool categorical) {
  ReadOptions options;
  options.categorical = categorical;
  return options;
}

std::string Gzip(const std::string& text) {
  return testing::Deflate(text, testing::kGzip, /*level=*/1);
}

std::string Repeated(const std::string& text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string Numbered(const std::string& before, size_t count, const std::string& after) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += before + std::to_string(i) + after;
  return all;
}

TEST(Gzip, UnpackedSizeIsLimited) {
  const std::string fits = Gzip(Repeated("1,2\n", 1000));
  EXPECT_EQ(Read("a.csv.gz", fits).rows(), 1000u);
  const std::string bomb = Gzip(std::string(26'000'000, '1'));
  EXPECT_LT(bomb.size(), 200'000u);
  EXPECT_ERROR("a.csv.gz ... more than 25000000 bytes", Read("a.csv.gz", bomb));
  EXPECT_ERROR("gunzip", Read("a.csv.gz", bomb));
}

TEST(Gzip, EmptyMembersCostNothing) {  // each used to cost time proportional to the data before it
  const std::string text(20'000'000, '1');
  const std::string bytes = Gzip(text) + Repeated(Gzip(""), 40'000);
  EXPECT_EQ(Gunzip(bytes, "a.csv.gz").size(), text.size());
}

TEST(Npz, UnpackedSizeIsLimited) {
  EXPECT_ERROR("1152921504606846976 ... at most 25000000",
               InflateRaw("x", size_t{1} << 60, "a.npz"));
  EXPECT_ERROR("numpy.savez", InflateRaw("x", 26'000'000, "a.npz"));
}

std::string Npy(const std::string& shape, uint32_t length, const std::string& data = "") {
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}";
  dict.resize(length, ' ');
  std::string bytes("\x93NUMPY\x02\x00", 8);
  bytes.append(reinterpret_cast<const char*>(&length), 4);
  return bytes + dict + data;
}

TEST(Npy, ShapesAreCheckedBeforeUse) {
  for (const char* shape : {"(4611686018427387904, 4)", "(2, 9223372036854775808)",
                            "(4294967296, 4294967296)", "(18446744073709551615,)"}) {
    EXPECT_ERROR("a.npy ... holds", ParseNpy(Npy(shape, 200), "a.npy")) << shape;
  }
  EXPECT_ERROR("a.npy: has no rows", ParseNpy(Npy("(0, 1152921504606846976)", 200), "a.npy"));
  EXPECT_ERROR("a.npy: has no columns", ParseNpy(Npy("(1152921504606846976, 0)", 200), "a.npy"));
  EXPECT_ERROR("a.npy ... 18446744073709551616",
               ParseNpy(Npy("(18446744073709551616, 1)", 200), "a.npy"));
}

TEST(Npy, HeaderSizeIsLimited) {
  const std::string dimensions = "(" + Repeated("1,", 30'000) + ")";
  EXPECT_ERROR("at most 65536", ParseNpy(Npy(dimensions, 65537), "a.npy"));
  const std::string message = ErrorOf([&] { ParseNpy(Npy(dimensions, 65536), "a.npy"); });
  EXPECT_NE(message.find("one or two dimensions"), std::string::npos) << message;
  EXPECT_LT(message.size(), 200u);
}

TEST(Csv, OneHotEncodedSizeIsLimited) {
  std::string table;
  for (int i = 0; i < 1600; ++i) table += Repeated("a" + std::to_string(i / 2) + ",", 40) + "1\n";
  EXPECT_LT(table.size(), 1'000'000u);  // 32,000 features for 1600 rows
  EXPECT_ERROR("bad.csv: 1600 rows", Read("bad.csv", table, With(true)));
}

TEST(Csv, ModelsCannotRequestMoreMemoryThanAllowed) {
  Schema schema;
  schema.columns = {{"c", {}}};
  for (int i = 0; i < 40'000; ++i) schema.columns[0].categories.push_back("a" + std::to_string(i));
  ReadOptions options;
  options.like = &schema;
  options.need_targets = false;
  EXPECT_ERROR("new.csv: 1000 rows", Read("new.csv", Repeated("a1\n", 1000), options));
}

TEST(Csv, NumbersOfColumnsAndLabelsAreLimited) {
  const std::string wide(1'000'000, ',');
  EXPECT_ERROR("bad.csv: has more than 1000000 columns", Read("bad.csv", wide + "1\n"));
  ReadOptions options;
  options.task = Task::kClassification;
  EXPECT_ERROR("bad.csv: the target has 65537 different labels",
               Read("bad.csv", Numbered("1,", 65537, "\n"), options));
}

TEST(Csv, SecondLineMayBeLongerThanTheFirst) {
  const std::string text = "a,b\n" + Repeated("1,", 300'000) + "1\n";
  EXPECT_ERROR("bad.csv: line 2 has 300001 fields ... 2", Read("bad.csv", text));
}

// A column with two roles used to leave its memory uninitialised.
TEST(Csv, AColumnHasOneRole) {
  Schema schema;
  schema.named = true;
  schema.columns = {{"a", {"x", "y"}}, {"a", {"x", "y"}}};
  schema.targets = {"t"};
  ReadOptions options;
  options.like = &schema;
  options.need_targets = false;
  EXPECT_ERROR("'a' is a feature of the model", Read("new.csv", "a,t\nx,1\n", options));
  schema.columns = {{"a", {}}, {"w", {}}};
  options.weight_column = "w";
  EXPECT_ERROR("'w' is a feature of the model", Read("new.csv", "a,w\n1,2\n", options));
}

TEST(Csv, MessagesAreOneLine) {
  ReadOptions options;
  options.target = "kinnd";
  const auto read = [&] { Read("bad.csv", "a,\"kin\nd\"\n1,2\n", options); };
  EXPECT_ERROR("bad.csv ... 'kinnd' ... 'kin d' ... a, kin d ... 0 to 1", read());
  EXPECT_EQ(ErrorOf(read).find('\n'), std::string::npos);
}

TEST(Csv, ManyBadFieldsAreCountedNotListed) {
  const std::string blanks = "1,2,3\n" + Repeated(",,1\n", 200'000);
  ReadOptions refuse;
  refuse.missing = ReadOptions::Missing::kError;
  EXPECT_ERROR("bad.csv: 400000 values are missing", Read("bad.csv", blanks, refuse));
  const std::string infinite = Repeated("inf,inf,1\n", 90'000);
  EXPECT_ERROR("bad.csv: 180000 values are infinite", Read("bad.csv", infinite));
}

TEST(Csv, TabsAloneAreNotATable) {  // used to read out of bounds
  for (const char* text : {"\t", "\t\t\t", "\t\n\t\n", " \t \n\t"})
    EXPECT_NE(ErrorOf([&] { Read("bad.csv", text); }), "") << text;
}

TEST(Libsvm, IndexesHaveALimit) {  // the largest used to overflow
  for (const char* text : {"1 4294967297:1\n", "1 18446744073709551615:1\n", "1 -1:1\n",
                           "1 18446744073709551617:1\n", "1 1000001:1\n"})
    EXPECT_ERROR("bad.libsvm: line 1 ... '", Read("bad.libsvm", text)) << text;
}

}  // namespace
}  // namespace gopnet
