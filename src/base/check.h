// Check(condition, parts...) throws Error with the parts joined: what was given, what is wanted.
#pragma once

#include <sstream>
#include <string>

#include "gopnet/error.h"

namespace gopnet {

template <class... Parts>
std::string Join(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

template <class... Parts>
[[noreturn]] void Fail(const Parts&... parts) {
  throw Error(Join(parts...));
}

template <class... Parts>
void Check(bool condition, const Parts&... parts) {
  if (!condition) Fail(parts...);
}

}  // namespace gopnet
