// NumPy arrays and archives: memory mapping, conversion and error messages.
#include "data/formats/npy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <cmath>
#include <limits>

#include "gopnet/dataset.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

using Texts = std::vector<std::string>;

template <class T>
std::string Raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A .npy file as NumPy writes it.
std::string Npy(const std::string& type, const std::string& shape, const std::string& data,
                int version = 1, bool fortran = false) {
  std::string dict = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': " + shape + ", }";
  const size_t before = version == 1 ? 10 : 12;
  dict.append(63 - (before + dict.size()) % 64, ' ').push_back('\n');
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (size_t i = 0; i < before - 8; ++i) bytes += static_cast<char>(dict.size() >> (8 * i));
  return bytes + dict + data;
}

Dataset Read(const std::string& bytes, ReadOptions options = {},
             const std::string& name = "a.npy") {
  const TempFolder folder;
  return ReadDataset(folder.Write(name, bytes), options);
}

ReadOptions NoTargets() {
  ReadOptions options;
  options.need_targets = false;
  return options;
}

ReadOptions Refusing() {
  ReadOptions options = NoTargets();
  options.missing = ReadOptions::Missing::kError;
  return options;
}

std::vector<float> Values(const Dataset& data) {
  std::vector<float> values;
  for (size_t i = 0; i < data.rows(); ++i) {
    values.insert(values.end(), data.x.Row(i), data.x.Row(i) + data.features());
  }
  return values;
}

const std::vector<float> kSix = {1, 2, 3, 4, 5, 6};

TEST(Npy, ConvertsEveryNumberType) {
  const auto read = [](const std::string& type, const std::string& data) {
    return Values(Read(Npy(type, "(2, 3)", data), NoTargets()));
  };
  EXPECT_EQ(read("<f4", Raw(kSix)), kSix);
  EXPECT_EQ(read("<f8", Raw<double>({1, 2, 3, 4, 5, 6})), kSix);
  EXPECT_EQ(read("|i1", Raw<int8_t>({-1, 2, 3, 4, 5, 6}))[0], -1.0f);
  EXPECT_EQ(read("|u1", Raw<uint8_t>({255, 2, 3, 4, 5, 6}))[0], 255.0f);
  EXPECT_EQ(read("<i2", Raw<int16_t>({-300, 2, 3, 4, 5, 6}))[0], -300.0f);
  EXPECT_EQ(read("<u2", Raw<uint16_t>({65535, 2, 3, 4, 5, 6}))[0], 65535.0f);
  EXPECT_EQ(read("<i4", Raw<int32_t>({1, 2, 3, 4, 5, 6})), kSix);
  EXPECT_EQ(read("<u4", Raw<uint32_t>({1, 2, 3, 4, 5, 6})), kSix);
  EXPECT_EQ(read("<i8", Raw<int64_t>({1, 2, 3, 4, 5, 6})), kSix);
  EXPECT_EQ(read("<u8", Raw<uint64_t>({1, 2, 3, 4, 5, 6})), kSix);
  EXPECT_EQ(read("|b1", Raw<uint8_t>({0, 1, 1, 0, 1, 0})), (std::vector<float>{0, 1, 1, 0, 1, 0}));
  EXPECT_EQ(read("<f2", Raw<uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff, 0x8000, 0x3555})),
            (std::vector<float>{1, -2, 0x1p-24f, 65504, -0.0f, 0.33325195f}));
}

TEST(Npy, VersionsAndFortranOrder) {
  for (int version : {1, 2, 3}) {
    EXPECT_EQ(Values(Read(Npy("<f4", "(2, 3)", Raw(kSix), version), NoTargets())), kSix);
  }
  EXPECT_EQ(Values(Read(Npy("<f4", "(3, 2)", Raw(kSix), 1, true), NoTargets())),
            (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST(Npy, LastColumnIsTheTargetAndTheRestIsMapped) {
  const Dataset data = Read(Npy("<f4", "(2, 3)", Raw<float>({1, 2, 0.5, 4, 5, 1.5})));
  EXPECT_EQ(data.features(), 2u);
  EXPECT_EQ(data.x.stride, 3u);  // a view of the mapped file that skips the target
  EXPECT_EQ(data.targets(1, 0), 1.5f);
  EXPECT_EQ(data.x.Row(1)[1], 5.0f);
  ReadOptions middle;
  middle.target = "1";
  EXPECT_EQ(Values(Read(Npy("<f4", "(2, 3)", Raw(kSix)), middle)),
            (std::vector<float>{1, 3, 4, 6}));
}

TEST(Npy, LabelsOfEveryKind) {
  const TempFolder folder;
  const std::string x = folder.Write("x.npy", Npy("<f4", "(3, 2)", Raw(kSix)));
  const auto read = [&](const std::string& type, const std::string& shape,
                        const std::string& data) {
    ReadOptions options;
    options.labels_path = folder.Write("y.npy", Npy(type, shape, data));
    return ReadDataset(x, options);
  };
  EXPECT_EQ(read("<i8", "(3,)", Raw<int64_t>({7, -1, 7})).classes, (Texts{"-1", "7"}));
  EXPECT_TRUE(read("|u1", "(3, 1)", Raw<uint8_t>({0, 1, 2})).integer_classes);
  EXPECT_EQ(read("<f4", "(3,)", Raw<float>({0, 1, 2})).task,
            Task::kRegression);  // 3 values, 3 rows
  EXPECT_EQ(read("|S2", "(3,)", std::string("b\0ccb\0", 6)).classes, (Texts{"b", "cc"}));
  EXPECT_EQ(read("<U2", "(3,)", Raw<uint32_t>({'1', 0, 0xe9, 0x1f600, '1', 0})).classes,
            (Texts{"1", "\xc3\xa9\xf0\x9f\x98\x80"}));
  EXPECT_FALSE(read("<U1", "(3,)", Raw<uint32_t>({'1', '2', '1'})).integer_classes);
  EXPECT_EQ(read("<f8", "(3, 2)", Raw<double>({1, 2, 3, 4, 5, 6})).targets(2, 1), 6.0f);
  EXPECT_ERROR("y.npy: has 2 rows", read("<i8", "(2,)", Raw<int64_t>({7, -1})));
  EXPECT_ERROR("y.npy: row 1 (from 0), column 0 (from 0) ... missing",
               read("<f4", "(3,)", Raw<float>({0, NAN, 2})));
  EXPECT_ERROR("too large ... int64", read("<u8", "(3,)", Raw<uint64_t>({0, ~0ull, 2})));
  EXPECT_ERROR("is not UTF-8", read("|S1", "(3,)", "\xe9\xe9z"));
}

TEST(Npy, TextIsReadAsNumbersWhereNumbersAreRequired) {
  const TempFolder folder;
  const std::string x = folder.Write("x.npy", Npy("<f4", "(3, 2)", Raw(kSix)));
  const auto read = [&](const char* shape, const std::string& data,
                        std::optional<Task> task = Task::kRegression) {
    ReadOptions options;
    options.task = task;
    options.labels_path = folder.Write("y.npy", Npy("|S3", shape, data));
    return ReadDataset(x, options);
  };
  EXPECT_EQ(read("(3,)", std::string("1.57\0\0-2\0", 9)).targets(2, 0), -2.0f);
  EXPECT_EQ(read("(3, 2)", "1.52.53.54.55.56.5").targets(1, 1), 4.5f);
  EXPECT_EQ(read("(3,)", "1.53.57.5", std::nullopt).task, Task::kRegression);
  EXPECT_EQ(read("(3,)", "1.51.57.5", std::nullopt).task, Task::kClassification);
  EXPECT_EQ(read("(3,)", "0.1abc0.3", std::nullopt).task, Task::kClassification);
  EXPECT_ERROR("y.npy: row 1 (from 0), column 0 (from 0) ... number ... 'abc'",
               read("(3,)", "1.5abc3.5"));
}

TEST(Npy, ErrorsSayWhatIsWrong) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_ERROR("a.npy ... (6,) ... (rows, columns)", Read(Npy("<f4", "(6,)", Raw(kSix))));
  EXPECT_ERROR("(1, 2, 3)", Read(Npy("<f4", "(1, 2, 3)", Raw(kSix))));
  EXPECT_ERROR("shape ()", Read(Npy("<f4", "()", Raw<float>({1}))));
  EXPECT_ERROR("type '>f4' is big-endian", Read(Npy(">f4", "(2, 3)", Raw(kSix))));
  EXPECT_ERROR("type '<c8'", Read(Npy("<c8", "(1, 3)", Raw(kSix))));
  EXPECT_ERROR("type '|O8'", Read(Npy("|O8", "(1, 3)", Raw(kSix))));
  EXPECT_ERROR("holds 24 bytes of data ... (2, 4)", Read(Npy("<f4", "(2, 4)", Raw(kSix))));
  EXPECT_ERROR("cut short", Read(Npy("<f4", "(4611686018427387904, 4)", Raw(kSix))));
  EXPECT_ERROR("has no rows, its shape is (0, 3)", Read(Npy("<f4", "(0, 3)", "")));
  EXPECT_ERROR("holds text ... numbers", Read(Npy("|S1", "(2, 3)", "abcdef")));
  EXPECT_ERROR("a.npy: is not a .npy file", Read("hello"));
  EXPECT_ERROR("header is cut short", Read("\x93NUMPY\x01"));
  EXPECT_ERROR(".npy version 9", Read(Npy("<f4", "(2, 3)", Raw(kSix), 9)));
  EXPECT_ERROR("2 values are missing (blank or NaN), the first at row 0, column 1 (from 0)",
               Read(Npy("<f4", "(2, 3)", Raw<float>({1, NAN, 3, NAN, 5, 6})), Refusing()));
  EXPECT_ERROR("1 value is infinite, the first at row 1, column 2 (from 0)",
               Read(Npy("<f4", "(2, 3)", Raw<float>({1, 2, 3, 4, 5, inf})), NoTargets()));
  EXPECT_ERROR("1 value is infinite",
               Read(Npy("<f8", "(1, 2)", Raw<double>({1, 1e300})), NoTargets()));
}

TEST(Npy, LikeTakesOneMoreColumnAsTarget) {
  const Dataset train = Read(Npy("<f4", "(3, 2)", Raw(kSix)), NoTargets());
  ReadOptions options;
  options.like = &train.schema;
  EXPECT_EQ(Read(Npy("<f4", "(2, 3)", Raw(kSix)), options).targets(1, 0), 6.0f);
  EXPECT_ERROR("5 feature columns ... has 2", Read(Npy("<f4", "(1, 6)", Raw(kSix)), options));
}

// An entry of a zip archive and its record in the central directory.
struct Zip {
  std::string bytes, directory;
  template <class T>
  static void Put(T value, std::string* out) {
    out->append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void Add(const std::string& name, const std::string& data, bool deflate) {
    std::string stored = data;
    if (deflate) {
      z_stream stream{};
      deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
      stored.resize(deflateBound(&stream, data.size()));
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
      stream.avail_in = static_cast<uInt>(data.size());
      stream.next_out = reinterpret_cast<Bytef*>(stored.data());
      stream.avail_out = static_cast<uInt>(stored.size());
      ::deflate(&stream, Z_FINISH);
      stored.resize(stream.total_out);
      deflateEnd(&stream);
    }
    std::string shared;
    for (int field : {20, 0, deflate ? 8 : 0, 0, 0}) Put(static_cast<uint16_t>(field), &shared);
    Put(static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size())),
        &shared);
    Put(static_cast<uint32_t>(stored.size()), &shared);
    Put(static_cast<uint32_t>(data.size()), &shared);
    Put(static_cast<uint16_t>(name.size()), &shared);
    const auto offset = static_cast<uint32_t>(bytes.size());
    bytes += "PK\3\4" + shared + std::string(2, '\0') + name + stored;
    directory += "PK\1\2" + std::string(2, '\0') + shared + std::string(12, '\0');
    Put(offset, &directory);
    directory += name;
  }
  std::string Finish() const {
    std::string end = "PK\5\6" + std::string(8, '\0');
    Put(static_cast<uint32_t>(directory.size()), &end);
    Put(static_cast<uint32_t>(bytes.size()), &end);
    return bytes + directory + end + std::string(2, '\0');
  }
};

TEST(Npz, FindsTheArray) {
  const std::string array = Npy("<f4", "(2, 3)", Raw(kSix));
  for (bool deflate : {false, true}) {
    Zip one, two;
    one.Add("data.npy", array, deflate);
    two.Add("X.npy", array, deflate);
    two.Add("y.npy", Npy("<i8", "(2,)", Raw<int64_t>({3, 4})), deflate);
    EXPECT_EQ(Values(Read(one.Finish(), NoTargets(), "a.npz")), kSix);
    const TempFolder folder;
    const std::string path = folder.Write("a.npz", two.Finish());
    ReadOptions options;
    options.labels_path = path + ":y";
    EXPECT_EQ(ReadDataset(path + ":X", options).classes, (Texts{"3", "4"}));
    EXPECT_ERROR("holds 2 arrays", ReadDataset(path, options));
    EXPECT_EQ(Values(ReadDataset(path + ":X", NoTargets())), kSix);
    EXPECT_ERROR("a.npz: holds no array 'z' ... X, y", ReadDataset(path + ":z", NoTargets()));
  }
}

TEST(Npz, Errors) {
  Zip zip;
  zip.Add("a.npy", Npy("<f4", "(2, 3)", Raw(kSix)), false);
  zip.Add("b.npy", Npy("<f4", "(2, 3)", Raw(kSix)), false);
  EXPECT_ERROR("holds 2 arrays", Read(zip.Finish(), {}, "a.npz"));
  EXPECT_ERROR("a.npz:b", Read(zip.Finish(), {}, "a.npz"));
  EXPECT_ERROR("a.npz ... .npz archive", Read(zip.Finish().substr(0, 300), {}, "a.npz"));
  EXPECT_ERROR("a.npz: holds no arrays", Read(Zip().Finish(), {}, "a.npz"));
  Zip flipped;
  flipped.Add("a.npy", Npy("<f4", "(2, 3)", Raw(kSix)), false);
  flipped.bytes[200 - 24] ^= 1;
  EXPECT_ERROR("(wrong checksum)", Read(flipped.Finish(), {}, "a.npz"));
}

RC_GTEST_PROP(NpyWrite, FloatsComeBack, ()) {
  const auto rows = *rc::gen::inRange<size_t>(1, 20);
  const auto cols = *rc::gen::inRange<size_t>(1, 20);
  Matrix values(rows, cols);
  for (size_t i = 0; i < rows * cols; ++i)
    values.data()[i] = static_cast<float>(*rc::gen::arbitrary<int>());
  const Dataset data = Read(NpyBytes(values), NoTargets());
  RC_ASSERT(data.rows() == rows);
  RC_ASSERT(Values(data) == std::vector<float>(values.data(), values.data() + rows * cols));
}

RC_GTEST_PROP(Npy, DamagedFilesGiveErrorsOnly, (size_t at, char byte, size_t cut)) {
  Zip zip;
  zip.Add("a.npy", Npy("<f4", "(2, 3)", Raw(kSix)), cut % 2);
  for (std::string bytes : {Npy("<f4", "(2, 3)", Raw(kSix)), zip.Finish()}) {
    bytes[at % bytes.size()] = byte;
    if (cut % 3 == 0) bytes.resize(cut % bytes.size());
    ErrorOf([&] { Read(bytes, NoTargets(), "a.npy"); });
    ErrorOf([&] { Read(bytes, NoTargets(), "a.npz"); });
  }
}

}  // namespace
}  // namespace gopnet
