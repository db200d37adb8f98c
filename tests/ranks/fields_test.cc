// Round trips of every type with Fields through bytes and JSON, with distinct values. A list that
// lacks a member does not compile.
#include <gtest/gtest.h>

#include <set>

#include "base/json_fields.h"
#include "data/dataset_fields.h"
#include "grow/find_once.h"
#include "ranks/leader.h"
#include "run/journal.h"
#include "train/config.h"

namespace gopnet {
namespace {

struct Short {
  int listed = 0, forgotten = 0;
};
decltype(auto) Fields(auto& a, Short& s) { return a(s.listed); }
static_assert(!ListsAll<Short>());

struct Grouped {
  std::optional<std::string> text;
  std::vector<double> numbers;
  int candidates = 0, epochs = 0;
};
decltype(auto) Fields(auto& a, Grouped& g) {
  return a(g.text, Local(g.numbers), Group("search", Named("candidates", g.candidates), g.epochs));
}
static_assert(ListsAll<Grouped>() && CountMembers<Grouped>() == 4);
static_assert(CountMembers<OperatorSet>() == 3, "its archive and Names list three");

// Sets every part to a different value and records the addresses of the parts.
class Filler {
 public:
  template <class... P>
  void operator()(P&&... parts) {
    (Part(parts), ...);
  }
  std::multiset<const void*> places;  // of numbers and texts
  size_t named = 0;                   // parts of the outermost type that JSON has

 private:
  template <class T>
  void Part(T& part) {
    ++depth_;
    Fill(part);
    --depth_;
  }
  template <class T, PartKind kKind>
  void Part(NamedPart<T, kKind>& part) {
    if (depth_ == 0) ++named;
    Part(part.value);
  }
  template <class... P>
  void Part(PartGroup<P...>& group) {
    if (depth_ == 0) ++named;
    ++depth_;
    std::apply(*this, group.parts);
    --depth_;
  }
  template <class T>
  void Part(LocalPart<T>&) {}

  template <class T>
  void Fill(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(++number_);
      places.insert(&value);
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(ChoiceNames(value).size() - 1);
    } else {
      Fields(*this, value);
    }
  }
  void Fill(std::string& text) {
    text = "text " + std::to_string(++number_);
    places.insert(&text);
  }
  template <class T>
  void Fill(std::vector<T>& values) {
    values = std::vector<T>(2);
    for (T& value : values) Fill(value);
  }
  template <class T>
  void Fill(std::map<std::string, T>& values) {
    for (const char* name : {"a", "b"}) Fill(values[name]);
  }
  template <class T>
  void Fill(std::optional<T>& value) {
    Fill(value.emplace());
  }
  void Fill(Mat& m) {
    m = Mat(2, 3);
    for (size_t i = 0; i < 6; ++i) Fill(m(i / 3, i % 3));
  }
  void Fill(Matrix& m) {
    m = Matrix(3, 2);
    for (size_t i = 0; i < 6; ++i) Fill(m(i / 2, i % 2));
  }
  void Fill(MatrixView& x) { x = MatrixView(nullptr, 7, 5); }
  void Fill(OperatorSet& phi) { phi = {1, 2, 3}; }

  int number_ = 0, depth_ = 0;
};

template <class T>
T Filled() {
  T value;
  Filler fill;
  Fields(fill, value);
  return value;
}

template <class T>
class EveryList : public ::testing::Test {};
using Lists =
    ::testing::Types<Column, LeftOut, Schema, Dataset, TrainData, Block, OutputLayer, Projection,
                     Layer, Network, Score, MemoryRecord, BlockRecord, RankedSet, LayerRecord,
                     TargetMetrics, Confusion, MemberRecord, RankRecord, WorkKey, Finished,
                     StatePlace, LayerProposal, Found<BlockRecord>, Found<LayerRecord>, RankInfo,
                     Setup, RunPlan, RunReport, WorkQueue::Item, WorkStep>;
TYPED_TEST_SUITE(EveryList, Lists);

TYPED_TEST(EveryList, HasEveryMemberOnce) {
  static_assert(Listed<TypeParam> && ListsAll<TypeParam>());
  TypeParam value;
  Filler fill;
  Fields(fill, value);
  for (const void* place : fill.places) EXPECT_EQ(fill.places.count(place), 1u);
}

TYPED_TEST(EveryList, ComesBackFromBytes) {
  const auto value = Filled<TypeParam>();
  const std::string bytes = ToState(value);
  const auto back = FromState<TypeParam>(bytes, [](const TypeParam&) {});
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(ToState(*back), bytes);
  EXPECT_NE(bytes, ToState(TypeParam()));
}

template <class T>
class EveryJson : public ::testing::Test {};
using InJson = ::testing::Types<Column, LeftOut, Schema, MemoryRecord, BlockRecord, LayerRecord,
                                Confusion, MemberRecord, RankRecord, WorkKey, StatePlace>;
TYPED_TEST_SUITE(EveryJson, InJson);

TYPED_TEST(EveryJson, ComesBackWithAllItsNames) {
  TypeParam value;
  Filler fill;
  Fields(fill, value);
  const nlohmann::ordered_json json = value;
  EXPECT_EQ(json.size(), fill.named) << json;
  EXPECT_EQ(nlohmann::ordered_json(json.get<TypeParam>()), json);
  EXPECT_NE(nlohmann::ordered_json(TypeParam()), json);
}

TEST(Json, LeavesOutWhatIsAsUsual) {
  EXPECT_EQ(nlohmann::json(Schema{{Column{"a"}}, {}}).dump(),
            R"({"columns":[{"categories":[],"name":"a"}],"fill_missing":false,"named":false,)"
            R"("targets":[]})");
}

TEST(Candidates, ComeBackFromTheirLine) {
  const WorkKey key{1, 2, 3, 4, 5, 60};
  const CandidateLine line{{{0.25, 0.5, true}, 6, false, 7.5}, {8, 9, "sum"}};
  const auto text = SealLine(WriteCandidate(key, line, {{"note", {"x"}}}, "run", "accuracy"));
  const auto back = ReadCandidates(ReadJournal(text), "run", "accuracy");
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back.begin()->first, key);
  EXPECT_EQ(ToState(back.begin()->second.finished), ToState(line.finished));
  EXPECT_EQ(ToState(back.begin()->second.state), ToState(line.state));
}

template <class T>
size_t Visits() {
  size_t count = 0;
  T config;
  FieldVisitor visit([&](const FieldValue&, const Field&) { ++count; });
  config.Visit(visit);
  return count;
}

// Checks that Visit describes all members of a config and of its parts.
template <class T, class... Bases>
void ExpectDescribed(size_t others = 0) {
  EXPECT_EQ(Visits<T>() + others,
            CountMembers<T>() - sizeof...(Bases) + (Visits<Bases>() + ... + 0u));
}

TEST(Configs, DescribeEveryMember) {
  ExpectDescribed<CommonConfig, LossConfig>();
  ExpectDescribed<BatchConfig>();
  ExpectDescribed<TrainingConfig, BatchConfig>();
  ExpectDescribed<StopConfig>();
  ExpectDescribed<GrowthConfig, StopConfig>();
  ExpectDescribed<LibraryConfig>();
  ExpectDescribed<SearchConfig, LibraryConfig>();
  ExpectDescribed<EnsembleConfig>();
  ExpectDescribed<FinetuneConfig>();
  ExpectDescribed<BlockSizeConfig>();
  ExpectDescribed<BlocksConfig, BlockSizeConfig>();
  ExpectDescribed<PatientBlocksConfig, BlocksConfig>();
  ExpectDescribed<DepthConfig>();
  ExpectDescribed<RidgeConfig>();
  ExpectDescribed<AdmmConfig>();
  ExpectDescribed<MemoryConfig>();
}

}  // namespace
}  // namespace gopnet
