// A test that runs once for every SIMD target of this CPU.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/simd.h"

namespace gopnet::testing {

class EverySimd : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    before_ = CurrentSimd();
    PinSimd(GetParam());
  }
  void TearDown() override { PinSimd(before_); }

 private:
  std::string before_;
};

}  // namespace gopnet::testing
