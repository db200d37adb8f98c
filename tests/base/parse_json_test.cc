#include "base/parse_json.h"

#include <gtest/gtest.h>

namespace gopnet {
namespace {

TEST(JsonInScript, EndsNeitherTheElementNorALine) {
  EXPECT_EQ(JsonInScript("{\"a\":\"</script>\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xA6\xE2\x80\"}"),
            "{\"a\":\"\\u003c/script>\\u2028\\u2029\xE2\x80\xA6\xE2\x80\"}");
}

TEST(HasTwins, FindsANameTwiceInAnyObjectAndCountsNoColonsOfTexts) {
  const auto twins = [](const std::string& text) {
    return HasTwins(ParseJson<nlohmann::ordered_json>(text), text);
  };
  EXPECT_FALSE(twins(R"({"a": {"b": 1}, "b": [{"b": "x:\"y\": z"}, {"b:": 2}]})"));
  EXPECT_TRUE(twins(R"({"a": 1, "a": 1})"));
  EXPECT_TRUE(twins(R"({"a": [{"b": 1, "c": 2, "b": 3}]})"));
}

}  // namespace
}  // namespace gopnet
