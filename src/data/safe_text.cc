#include "gopnet/safe_text.h"

#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "data/utf8.h"

namespace gopnet {
namespace {

constexpr std::string_view kUri = "file://";

// Moves the cursor, or the direction in which text runs.
bool Steers(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E ||
         code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string Hex(const char* form, unsigned number) {
  char text[16];
  std::snprintf(text, sizeof text, form, number);
  return text;
}

int Digit(char c) {
  const auto letter = static_cast<unsigned char>(c);
  if (std::isdigit(letter)) return c - '0';
  return std::isxdigit(letter) ? std::tolower(letter) - 'a' + 10 : -1;
}

}  // namespace

std::string PathAsText(const std::string& path) {
  if (IsUtf8(path)) return path;
  std::error_code ignored;
  std::string text(kUri);
  for (const char c : std::filesystem::absolute(path, ignored).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) || std::strchr("/-._~", c) != nullptr);
    text += plain ? std::string(1, c) : Hex("%%%02X", byte);
  }
  return text;
}

std::string PathFromText(const std::string& text) {
  if (!text.starts_with(kUri)) return text;
  std::string path;
  for (size_t i = kUri.size(); i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && Digit(text[i + 1]) >= 0 && Digit(text[i + 2]) >= 0;
    path += escape ? static_cast<char>(16 * Digit(text[i + 1]) + Digit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return path;
}

std::string Printable(std::string_view text) {
  std::string shown;
  for (const char32_t code : DecodeUtf8(text)) {
    if (!Steers(code)) {
      AppendUtf8(code, &shown);
    } else {
      shown += Hex(code < 0x80 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(code));
    }
  }
  return shown;
}

bool IsText(std::string_view bytes) { return Printable(bytes) == bytes; }

}  // namespace gopnet
