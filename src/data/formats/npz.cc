// One array of a .npz archive: "file.npz:key"; the key may be left out if there is only one array.
#include <algorithm>

#include "base/check.h"
#include "base/names.h"
#include "data/field.h"
#include "data/formats/inflate.h"
#include "data/formats/zip.h"
#include "data/table.h"

namespace gopnet {
namespace {

constexpr size_t kMostKeys = 20;  // that a message lists

struct NpzPath {
  std::string file;
  std::string key;
};

NpzPath SplitPath(const std::string& path) {
  const std::string file = FilePart(path);
  return {file, file == path ? "" : path.substr(file.size() + 1)};
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
        " arrays, name one of them: ", path.file, ":",
        JoinSome(keys, kMostKeys, ", " + path.file + ":"));
  Fail(path.file, ": holds no array '", path.key, "'", DidYouMean(path.key, keys),
       ", its arrays are ", JoinSome(keys, kMostKeys, ", "));
}

}  // namespace

std::unique_ptr<Table> OpenNpz(const FileBytes& file, const Hints&) {
  const NpzPath place = SplitPath(file.path);
  const ZipEntry entry = Choose(ReadZip(file.bytes, place.file), place);
  FileBytes npy{file.path, entry.data, file.owner};
  if (entry.deflated) {
    const auto inflated =
        std::make_shared<std::string>(InflateRaw(entry.data, entry.size, place.file));
    npy.bytes = *inflated;
    npy.owner = inflated;
  }
  CheckCrc(entry, npy.bytes, place.file);
  npy.path = Join(place.file, ":", Shown(Key(entry)));
  return OpenNpy(npy, {});
}

}  // namespace gopnet
