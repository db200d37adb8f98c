// One array of a .npz archive: "file.npz:key"; the key may be left out if there is only one array.
#include <algorithm>

#include "base/check.h"
#include "base/files.h"
#include "base/names.h"
#include "data/field.h"
#include "data/inflate.h"
#include "data/npy.h"
#include "data/zip.h"

namespace gopnet {
namespace {

struct NpzPath {
  std::string file;
  std::string key;
};

NpzPath SplitPath(const std::string& path) {
  size_t colon = path.rfind(".npz:");
  if (colon == std::string::npos) colon = path.rfind(".NPZ:");
  if (colon == std::string::npos) return {path, ""};
  return {path.substr(0, colon + 4), path.substr(colon + 5)};
}

std::string Key(const ZipEntry& entry) { return entry.name.substr(0, entry.name.rfind(".npy")); }

const ZipEntry* Find(const std::vector<ZipEntry>& entries, const std::string& key) {
  const auto found = std::ranges::find(entries, key + ".npy", &ZipEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

ZipEntry Choose(std::vector<ZipEntry> entries, const NpzPath& path) {
  std::erase_if(entries, [](const ZipEntry& entry) { return !entry.name.ends_with(".npy"); });
  if (!path.key.empty()) {
    if (const ZipEntry* entry = Find(entries, path.key)) return *entry;
  } else if (entries.size() == 1) {
    return entries[0];
  }
  std::vector<std::string> keys;
  for (const ZipEntry& entry : entries) keys.push_back(Shown(Key(entry)));
  Check(!keys.empty(), path.file, ": holds no arrays");
  Check(!path.key.empty(), path.file, ": holds ", keys.size(),
        " arrays, name one of them: ", path.file, ":", JoinList(keys, ", " + path.file + ":"));
  Fail(path.file, ": holds no array '", path.key, "'", DidYouMean(path.key, keys),
       ", its arrays are ", JoinList(keys, ", "));
}

}  // namespace

std::unique_ptr<Table> OpenNpz(const std::string& path, const Hints&) {
  const NpzPath place = SplitPath(path);
  auto map = std::make_shared<FileMap>(place.file);
  const ZipEntry entry = Choose(ReadZip(map->bytes(), place.file), place);
  std::shared_ptr<const void> owner = map;
  std::string_view bytes = entry.data;
  if (entry.deflated) {
    auto inflated = std::make_shared<std::string>(InflateRaw(entry.data, entry.size, place.file));
    bytes = *inflated;
    owner = std::move(inflated);
  }
  CheckCrc(entry, bytes, place.file);
  return std::make_unique<NpyTable>(bytes, std::move(owner),
                                    Join(place.file, ":", Shown(Key(entry))));
}

}  // namespace gopnet
