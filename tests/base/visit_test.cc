// Parameters that are enums: read, printed and described by the names listed beside the enum.
#include "base/visit.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace gopnet {
namespace {

enum class Colour { kRed, kDarkBlue };
std::vector<std::string> ChoiceNames(Colour) { return {"red", "dark_blue"}; }

TEST(Visit, AnEnumIsReadAndPrintedByItsNames) {
  Colour colour = Colour::kRed;
  ParseValue({.name = "colour", .doc = ""}, "dark_blue", colour);
  EXPECT_EQ(colour, Colour::kDarkBlue);
  EXPECT_EQ(FormatValue(colour), "dark_blue");
  std::vector<ParameterInfo> infos;
  DescribeFields(infos)(colour, {.name = "colour", .doc = "Of the roof."});
  EXPECT_EQ(infos[0].type, "text");
  EXPECT_EQ(infos[0].default_value, "dark_blue");
  EXPECT_EQ(infos[0].choices, (std::vector<std::string>{"red", "dark_blue"}));
}

TEST(Visit, AnEnumTakesOnlyTheNamesOffered) {
  Colour colour = Colour::kRed;
  const auto message = [&](const Field& field, const char* text) {
    try {
      ParseValue(field, text, colour);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({.name = "colour", .doc = ""}, "rad"),
            "parameter colour: must be one of red, dark_blue; got 'rad' (did you mean 'red'?)");
  EXPECT_EQ(message({.name = "colour", .choices = {"red"}, .doc = ""}, "dark_blue"),
            "parameter colour: must be red; got 'dark_blue'");
}

}  // namespace
}  // namespace gopnet
