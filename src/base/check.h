// Check(condition, parts...) throws Error with the parts joined: what was given, what is wanted.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "gopnet/error.h"

namespace gopnet {

// Text, or a number that is printed as an ostream does. One type for all parts of a message, so
// that the code that joins them compiles once and not for every message anew.
class Part {
 public:
  Part(const char* text) : text_(text) {}                     // NOLINT: a message is made
  Part(std::string_view text) : text_(text) {}                // NOLINT: of what it names
  Part(const std::string& text) : text_(text) {}              // NOLINT
  Part(const char& letter) : text_(&letter, 1) {}             // NOLINT
  Part(double number) : kind_(Kind::kReal), real_(number) {}  // NOLINT
  template <std::signed_integral T>
  Part(T number) : kind_(Kind::kSigned), signed_(number) {  // NOLINT
    static_assert(sizeof(T) > 1, "a byte: a letter or a number?");
  }
  template <std::unsigned_integral T>
  Part(T number) : kind_(Kind::kUnsigned), unsigned_(number) {  // NOLINT
    static_assert(sizeof(T) > 1, "a byte: a letter or a number?");
  }

 private:
  friend std::string JoinParts(std::initializer_list<Part> parts);
  enum class Kind { kText, kSigned, kUnsigned, kReal };
  Kind kind_ = Kind::kText;
  std::string_view text_;
  union {
    long long signed_ = 0;
    unsigned long long unsigned_;
    double real_;
  };
};

std::string JoinParts(std::initializer_list<Part> parts);
[[noreturn]] void FailWith(std::initializer_list<Part> parts);

template <class... Parts>
std::string Join(const Parts&... parts) {
  return JoinParts({Part(parts)...});
}

template <class... Parts>
[[noreturn]] void Fail(const Parts&... parts) {
  FailWith({Part(parts)...});
}

template <class... Parts>
void Check(bool condition, const Parts&... parts) {
  if (!condition) FailWith({Part(parts)...});
}

}  // namespace gopnet
