#include "data/utf8.h"

#include <algorithm>
#include <cstdint>

namespace gopnet {
namespace {

constexpr char32_t kBad = 0xfffd;
constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};  // by length; less is overlong

// Bytes of the sequence that begins with `lead`; 0 if none does.
size_t LengthOf(uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

// Takes one code point off the front; a bad byte is taken alone and gives false.
bool Next(std::string_view* text, char32_t* code) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>((*text)[i]); };
  const size_t length = LengthOf(byte(0));
  bool good = length > 0 && length <= text->size();
  char32_t value = length == 1 ? byte(0) : byte(0) & (0x7fu >> length);
  for (size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xc0) == 0x80;
    value = value << 6 | (byte(i) & 0x3f);
  }
  good =
      good && value >= kSmallest[length] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
  text->remove_prefix(good ? length : 1);
  *code = good ? value : kBad;
  return good;
}

}  // namespace

std::string HowToConvert(const std::string& encoding, const std::string& path) {
  const bool plain = path != "standard input" && !path.ends_with(".gz");
  const std::string file = plain ? " " + path + " > utf8.csv" : "";
  return "; convert it with iconv -f " + encoding + " -t UTF-8" + file;
}

bool IsUtf8(std::string_view text) {
  char32_t code;
  while (!text.empty()) {
    if (!Next(&text, &code)) return false;
  }
  return true;
}

std::vector<char32_t> DecodeUtf8(std::string_view text) {
  std::vector<char32_t> codes;
  while (!text.empty()) {
    char32_t code;
    Next(&text, &code);
    codes.push_back(code);
  }
  return codes;
}

void AppendUtf8(char32_t code, std::string* text) {
  const auto tail = [&](int shift) { *text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    *text += static_cast<char>(code);
  } else if (code < 0x800) {
    *text += static_cast<char>(0xc0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    *text += static_cast<char>(0xe0 | (code >> 12));
    tail(6), tail(0);
  } else {
    *text += static_cast<char>(0xf0 | ((code >> 18) & 7));
    tail(12), tail(6), tail(0);
  }
}

}  // namespace gopnet
