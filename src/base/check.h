// Check(condition, parts...) throws Error with the parts joined: what was found, what is expected.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "gopnet/error.h"

namespace gopnet {

// Text, or a number that is printed as an ostream does. One type for all parts of a message, so
// that the code that joins them compiles once and not for every message anew.
class Part {
 public:
  Part(const char* text) : value_(text) {}                            // NOLINT: a message is made
  Part(std::string_view text) : value_(text) {}                       // NOLINT: of what it names
  Part(const std::string& text) : value_(text) {}                     // NOLINT
  Part(const char& letter) : value_(std::string_view(&letter, 1)) {}  // NOLINT
  Part(double number) : value_(number) {}                             // NOLINT
  template <std::integral T>
  Part(T number) : value_(Widest<T>(number)) {  // NOLINT
    static_assert(sizeof(T) > 1, "a byte: a letter or a number?");
  }

 private:
  friend std::string JoinParts(std::initializer_list<Part> parts);
  template <class T>
  using Widest = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
  std::variant<std::string_view, long long, unsigned long long, double> value_;
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
