#include "base/archive.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/temp_file.h"

namespace gopnet {
namespace {

struct Part {
  int number = 0;
  std::optional<std::string> text;
};
template <class A>
decltype(auto) Fields(A& a, Part& p) {
  return a(p.number, p.text);
}

struct Whole {
  Mat m;
  std::vector<Part> parts;
  std::map<std::string, double> values;
  bool flag = false;
};
template <class A>
decltype(auto) Fields(A& a, Whole& w) {
  return a(w.m, w.parts, w.values, w.flag);
}

Whole Example() {
  Whole w{Mat(3, 5), {{7, "seven"}, {-1, std::nullopt}}, {{"loss", 0.1}, {"r2", -3}}, true};
  for (size_t i = 0; i < 3 * w.m.stride(); ++i) w.m.data()[i] = static_cast<float>(i) / 7;
  return w;
}

std::string Bytes(const Whole& w) {
  ArchiveWriter write;
  write(w);
  return write.Take();
}

Whole Read(std::string_view bytes) {
  Whole w;
  ArchiveReader read(bytes, "x.bin");
  read(w);
  read.End();
  return w;
}

TEST(Archive, GivesBackWhatWasWrittenPaddingIncluded) {
  const Whole w = Example(), back = Read(Bytes(w));
  EXPECT_EQ(Bytes(back), Bytes(w));
  EXPECT_EQ(back.m.cols(), 5u);
  EXPECT_EQ(back.parts[0].text, "seven");
  EXPECT_EQ(back.parts[1].text, std::nullopt);
  EXPECT_EQ(back.values, w.values);
}

TEST(Archive, RefusesEveryPrefixAndWhatComesAfterTheEnd) {
  const std::string bytes = Bytes(Example());
  for (size_t n = 0; n < bytes.size(); ++n) EXPECT_ERROR("x.bin: ", Read(bytes.substr(0, n)));
  EXPECT_ERROR("x.bin: ", Read(bytes + "!"));
}

TEST(Archive, SizesThatTheBytesCannotHoldCostNoMemory) {
  const std::string huge(8, '\xff');
  EXPECT_ERROR("damaged", {
    Mat m;
    ArchiveReader(huge + huge + huge, "x").operator()(m);
  });
  EXPECT_ERROR("damaged", {
    std::vector<int> v;
    ArchiveReader(huge, "x").operator()(v);
  });
  ArchiveWriter write;
  write(uint64_t{1} << 60, uint64_t{0}, uint64_t{0});  // rows of nothing
  const std::string rows = write.Take();
  EXPECT_ERROR("damaged", {
    Mat m;
    ArchiveReader(rows, "x").operator()(m);
  });
}

TEST(Archive, InPlaceOnlyTheSameShapeFits) {
  const std::string bytes = Bytes(Example());
  Whole same = Example();
  std::fill_n(same.m.data(), 3 * same.m.stride(), 0.0f);
  const float* memory = same.m.data();
  ArchiveReader(bytes, "x").Same(same);
  EXPECT_EQ(same.m.data(), memory);
  EXPECT_EQ(Bytes(same), bytes);

  Whole wider = Example();
  wider.m = Mat(3, 6);
  EXPECT_ERROR("damaged", ArchiveReader(bytes, "x").Same(wider));
  Whole longer = Example();
  longer.parts.emplace_back();
  EXPECT_ERROR("damaged", ArchiveReader(bytes, "x").Same(longer));
}

RC_GTEST_PROP(Archive, ChangedBytesAreReadOrRefused,
              (std::vector<std::pair<size_t, char>> changes)) {
  std::string bytes = Bytes(Example());
  for (const auto& [at, to] : changes) bytes[at % bytes.size()] = to;
  try {
    Read(bytes);
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace gopnet
