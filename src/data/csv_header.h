// Whether the first line of a CSV file names the columns, and what separates them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace gopnet {

// What separates the fields: tab in .tsv; else a comma, or ';' or tab if the first line has no
// comma.
char FindDelimiter(std::string_view text, const std::string& path);

// The rule of docs/data.md. `first` holds the fields of the first line.
bool HasHeader(std::string_view text, char delimiter, const std::vector<std::string>& first,
               const std::string& source, const Hints& hints);

}  // namespace gopnet
