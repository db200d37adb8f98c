// Paths on the command line: checked before anything slow begins.
#pragma once

#include <string>
#include <vector>

namespace gopnet::cli {

// Throws Error unless `path` ("x.csv", "x.npz:key") can be opened for reading.
void CheckReadable(const std::string& path);

// runs/<algorithm>-<YYYYMMDD>-<n>, the first that does not exist.
std::string NewRunFolder(const std::string& algorithm);

// Throws Error unless `path` ends in .csv or .npy and can be created; `force` lets it exist.
void CheckNewFile(const std::string& path, bool force);
// The same for any ending.
void CheckCanWrite(const std::string& path, bool force);

// Throws Error if `path` is one of the files that are read: --force is not meant for these.
void CheckNoInput(const std::string& path, const std::vector<std::string>& inputs);

// The model file meant by `path`: itself, or the model of a run folder. Throws Error if there is
// none.
std::string ModelFile(const std::string& path);

std::string InFolder(const std::string& folder, const std::string& name);

// Throws Error if the file exists, unless `force`, or cannot be made. It is there whole or not at
// all.
void WriteNewFile(const std::string& path, const std::string& text, bool force = false);

std::string ReadText(const std::string& path);  // throws Error
// The text of a JSON file, which may be anybody's. Reading JSON does not recurse, but to write or
// copy what was read does: so this throws Error for what is nested deeper than people nest.
std::string ReadFlatText(const std::string& path);

}  // namespace gopnet::cli
