#include "run/seal.h"

#include "base/checksum.h"
#include "base/parse_json.h"

namespace gopnet {
namespace {
using Json = nlohmann::ordered_json;
}

Json Fixed(Json object) {
  object.erase("source");  // rows may have moved to another place
  object.erase("checksum");
  if (object.contains("parameters") && object["parameters"].is_object()) {  // a config
    object["parameters"].erase("threads");
    for (const char* told : {"cv", "cv_folds", "save_split"})
      object.erase(told);  // no part of the training
  }
  return object;
}

std::string SumOf(const Json& object) {
  return Checksum(JsonText(Fixed(object), -1, Json::error_handler_t::replace));
}

Json Sealed(Json object) {
  object.erase("checksum");
  object["checksum"] = SumOf(object);
  return object;
}

std::string SealProblem(const Json& object) {
  if (!object.is_object()) return "no JSON object";
  const auto sum = object.find("checksum");
  if (sum == object.end() || *sum == SumOf(object)) return "";
  return "its checksum is wrong: it was changed, or damaged";
}

}  // namespace gopnet
