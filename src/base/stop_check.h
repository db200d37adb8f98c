// Lets long work end early, when the user or the batch system asks for it: the caller sets a check
// for its thread, and loops over many rows call it now and then without knowing who set it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace gopnet {

class StopCheck {
 public:
  using Check = std::function<void()>;  // throws to end the work; empty: never

  // The check holds while this object lives, on this thread and on those of ParallelFor.
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
  // The innermost check, for another thread to use; it must outlive what that thread runs.
  static const Check* Current() { return current_; }
  static void HandOn(const Check* check) { current_ = check; }

 private:
  Check check_;
  const Check* outer_;
  static inline thread_local const Check* current_ = nullptr;
};

// A long loop over rows: use(first, count) for at most `chunk` of them at a time, asking before
// each.
template <class Use>
void ForEachChunk(size_t rows, size_t chunk, const Use& use) {
  for (size_t first = 0; first < rows; first += chunk) {
    StopCheck::Ask();
    use(first, std::min(chunk, rows - first));
  }
}

}  // namespace gopnet
