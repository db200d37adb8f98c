// One array of a .npz archive: "file.npz:key"; the key may be left out if there is only one array.
#include <algorithm>

#include "base/check.h"
#include "base/names.h"
#include "data/field.h"
#include "data/formats/zip.h"
#include "data/table.h"

namespace gopnet {
namespace {

constexpr size_t kMostKeys = 20;  // that a message lists

std::string Key(const ZipEntry& entry) { return entry.name.substr(0, entry.name.rfind(".npy")); }

// The array of that name; without one, the only array.
ZipEntry Choose(std::vector<ZipEntry> entries, const std::string& path, const std::string& key) {
  std::erase_if(entries, [](const ZipEntry& entry) { return !entry.name.ends_with(".npy"); });
  const auto found = std::ranges::find(entries, key + ".npy", &ZipEntry::name);
  if (!key.empty() && found != entries.end()) return *found;
  if (key.empty() && entries.size() == 1) return entries[0];
  std::vector<std::string> keys;
  for (const ZipEntry& entry : entries) keys.push_back(Shown(Key(entry)));
  Check(!keys.empty(), path, ": holds no arrays");
  Check(!key.empty(), path, ": holds ", keys.size(), " arrays; choose one of them: ", path, ":",
        JoinSome(keys, kMostKeys, ", " + path + ":"));
  Fail(path, ": holds no array '", key, "'", DidYouMean(key, keys), "; its arrays are ",
       JoinSome(keys, kMostKeys, ", "));
}

}  // namespace

std::unique_ptr<Table> OpenNpz(const FileBytes& file, const Hints&) {
  const std::string path = FilePart(file.path);
  const std::string key = path == file.path ? "" : file.path.substr(path.size() + 1);
  const ZipEntry entry = Choose(ReadZip(file.bytes, path), path, key);
  FileBytes npy{file.path, entry.data, file.owner};
  if (entry.deflated) {
    const auto inflated = std::make_shared<std::string>(InflateRaw(entry.data, entry.size, path));
    npy.bytes = *inflated;
    npy.owner = inflated;
  }
  CheckCrc(entry, npy.bytes, path);
  npy.path = Join(path, ":", Shown(Key(entry)));
  return OpenNpy(npy, {});
}

}  // namespace gopnet
