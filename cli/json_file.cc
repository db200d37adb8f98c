#include "cli/json_file.h"

#include "cli/files.h"
#include "gopnet/error.h"

namespace gopnet::cli {

std::string ReadFlatText(const std::string& path) {
  constexpr int kMostDepth = 32;
  std::string json = ReadText(path);
  int depth = 0;
  bool text = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') text = !text;
    if (text) {
      i += c == '\\' ? 1 : 0;  // and what it escapes
    } else if (c == '[' || c == '{') {
      if (++depth > kMostDepth) throw Error(path + ": its JSON is nested too deep");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return json;
}

}  // namespace gopnet::cli
