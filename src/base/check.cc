#include "base/check.h"

#include <sstream>

namespace gopnet {

std::string JoinParts(std::initializer_list<Part> parts) {
  std::ostringstream joined;
  for (const Part& part : parts)
    std::visit([&](const auto& value) { joined << value; }, part.value_);
  return joined.str();
}

void FailWith(std::initializer_list<Part> parts) { throw Error(JoinParts(parts)); }

}  // namespace gopnet
