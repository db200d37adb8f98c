// The description of an algorithm agrees with its parameters.
#include "algorithms/registry.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gopnet {
namespace {

bool Has(const Algorithm& algorithm, const std::string& name) {
  const std::vector<ParameterInfo> infos = algorithm.describe();
  return std::any_of(infos.begin(), infos.end(),
                     [&](const ParameterInfo& info) { return info.name == name; });
}

TEST(Registry, SearchesOperatorsIfThereAreOperatorsToChoose) {
  for (const Algorithm& a : AllAlgorithms()) {
    EXPECT_EQ(a.searches_operators, Has(a, "nodal")) << a.name;
    EXPECT_EQ(a.Searches(ResolveValues(a, {})), a.searches_operators) << a.name;
  }
}

TEST(Registry, AGridTriesParametersOfItsAlgorithm) {
  for (const Algorithm& a : AllAlgorithms()) {
    EXPECT_EQ(a.grid.empty(), !Has(a, "grid")) << a.name;
    for (const std::string& axis : a.grid) EXPECT_TRUE(Has(a, axis)) << a.name << " " << axis;
    if (!a.grid.empty()) {
      EXPECT_TRUE(a.Searches(ResolveValues(a, {{"grid", "paper"}}))) << a.name;
    }
  }
}

}  // namespace
}  // namespace gopnet
