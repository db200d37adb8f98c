#include "base/parse_json.h"

#include <gtest/gtest.h>

namespace gopnet {
namespace {

TEST(JsonInScript, EndsNeitherTheElementNorALine) {
  EXPECT_EQ(JsonInScript("{\"a\":\"</script>\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xA6\xE2\x80\"}"),
            "{\"a\":\"\\u003c/script>\\u2028\\u2029\xE2\x80\xA6\xE2\x80\"}");
}

}  // namespace
}  // namespace gopnet
