#include "base/stop_check.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "base/threads.h"

namespace gopnet {
namespace {

struct End {};

TEST(StopCheck, EndsWhatAsksOnEveryThread) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<int> asked{0};
    const StopCheck check([&] {
      if (++asked > 10) throw End();
    });
    const auto endless = [](size_t, int) {
      for (;;) StopCheck::Ask();
    };
    EXPECT_THROW(ParallelFor(8, threads, endless), End);
  }
}

TEST(StopCheck, HoldsWhileItLives) {
  StopCheck::Ask();
  {
    const StopCheck outer([] { throw End(); });
    EXPECT_THROW(StopCheck::Ask(), End);
    {
      const StopCheck none;
      StopCheck::Ask();
    }
    EXPECT_THROW(StopCheck::Ask(), End);
  }
  StopCheck::Ask();
}

}  // namespace
}  // namespace gopnet
