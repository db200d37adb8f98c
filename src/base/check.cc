#include "base/check.h"

#include <charconv>

namespace gopnet {
namespace {

void Append(std::string_view text, std::string& joined) { joined += text; }
template <std::integral T>
void Append(T number, std::string& joined) {
  joined += std::to_string(number);
}
// As an ostream prints it: %.6g, whatever the locale.
void Append(double number, std::string& joined) {
  char text[32];
  joined.append(text,
                std::to_chars(text, text + sizeof text, number, std::chars_format::general, 6).ptr);
}

}  // namespace

std::string JoinParts(std::initializer_list<Part> parts) {
  std::string joined;
  for (const Part& part : parts)
    std::visit([&](const auto& value) { Append(value, joined); }, part.value_);
  return joined;
}

void FailWith(std::initializer_list<Part> parts) { throw Error(JoinParts(parts)); }

}  // namespace gopnet
