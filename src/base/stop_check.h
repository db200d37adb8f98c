// Lets what takes long end early. Who runs it says once how to find out; loops over many rows ask
// now and then, and need not know who that is.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace gopnet {

class StopCheck {
 public:
  using Check = std::function<void()>;  // throws to end what runs; empty: nothing ends it

  // While it lives, on this thread and on those of RunTasks.
  explicit StopCheck(Check check = {}) : check_(std::move(check)), outer_(current_) {
    current_ = &check_;
  }
  ~StopCheck() { current_ = outer_; }
  StopCheck(const StopCheck&) = delete;
  StopCheck& operator=(const StopCheck&) = delete;

  static void Ask() {
    if (current_ != nullptr && *current_) (*current_)();
  }
  // For loops whose steps are short: asks at every 1024th row.
  static void AskAt(size_t row) {
    if (row % 1024 == 0) Ask();
  }
  // Of the innermost one, to hand on to another thread; it must outlive what that runs.
  static const Check* Current() { return current_; }
  static void HandOn(const Check* check) { current_ = check; }

 private:
  Check check_;
  const Check* outer_;
  static inline thread_local const Check* current_ = nullptr;
};

}  // namespace gopnet
