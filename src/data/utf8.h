// UTF-8, the one encoding of text in data and model files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

// For a message: "; convert it with iconv -f cp1252 -t UTF-8 table.csv > utf8.csv".
std::string HowToConvert(const std::string& encoding, const std::string& path);

bool IsUtf8(std::string_view text);
void AppendUtf8(char32_t code, std::string* text);
std::vector<char32_t> DecodeUtf8(std::string_view text);  // U+FFFD for a byte that is not UTF-8

}  // namespace gopnet
