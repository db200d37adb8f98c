#include "base/check.h"

#include <sstream>

namespace gopnet {

std::string JoinParts(std::initializer_list<Part> parts) {
  std::ostringstream joined;
  for (const Part& part : parts) {
    switch (part.kind_) {
      case Part::Kind::kText:
        joined << part.text_;
        break;
      case Part::Kind::kSigned:
        joined << part.signed_;
        break;
      case Part::Kind::kUnsigned:
        joined << part.unsigned_;
        break;
      case Part::Kind::kReal:
        joined << part.real_;
        break;
    }
  }
  return joined.str();
}

void FailWith(std::initializer_list<Part> parts) { throw Error(JoinParts(parts)); }

}  // namespace gopnet
