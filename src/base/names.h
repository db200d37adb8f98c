// Text helpers for names and lists that users type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

std::vector<std::string> SplitList(std::string_view text, char separator = ',');  // trimmed items
std::string JoinList(const std::vector<std::string>& items, std::string_view separator = ",");
std::string Trim(std::string_view text);

// " (did you mean 'x'?)" for the nearest candidate, or "" if none is near.
std::string DidYouMean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace gopnet
