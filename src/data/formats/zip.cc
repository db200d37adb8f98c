#include "data/formats/zip.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/file_map.h"
#include "data/field.h"
#include "data/formats/byte_reader.h"

namespace gopnet {
namespace {

constexpr uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50;
constexpr uint32_t kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr size_t kEndSize = 22, kLocatorSize = 20;
constexpr uint32_t kIn64 = 0xffffffff;  // the true value is in the zip64 extra field

// Reads the central directory at the end of the archive (PKWARE APPNOTE 4.3), then each local
// header.
class Zip {
 public:
  Zip(std::string_view archive, const std::string& source)
      : archive_(archive), source_(source), damaged_(source + ": is not a complete .npz archive") {}

  std::vector<ZipEntry> Entries() const {
    ByteReader directory = Directory();
    std::vector<ZipEntry> entries;
    while (directory.rest().size() >= 4) {
      if (directory.Get<uint32_t>() != kCentral) break;
      entries.push_back(Entry(&directory));
    }
    return entries;
  }

 private:
  ByteReader At(uint64_t offset) const {
    Check(offset <= archive_.size(), damaged_);
    return {archive_.substr(offset), damaged_};
  }

  size_t EndRecord() const {
    Check(archive_.size() >= kEndSize, damaged_);
    const size_t at = archive_.rfind("PK\5\6");
    Check(at != std::string_view::npos, damaged_);
    return at;
  }

  ByteReader Directory() const {
    const size_t end = EndRecord();
    ByteReader record = At(end);
    record.Take(12);
    uint64_t size = record.Get<uint32_t>();
    uint64_t offset = record.Get<uint32_t>();
    if (size == kIn64 || offset == kIn64) Directory64(end, &size, &offset);
    Check(offset <= archive_.size() && size <= archive_.size() - offset, damaged_);
    return {archive_.substr(offset, size), damaged_};
  }

  void Directory64(size_t end, uint64_t* size, uint64_t* offset) const {
    Check(end >= kLocatorSize, damaged_);
    ByteReader locator = At(end - kLocatorSize);
    Check(locator.Get<uint32_t>() == kLocator64, damaged_);
    locator.Take(4);
    ByteReader record = At(locator.Get<uint64_t>());
    Check(record.Get<uint32_t>() == kEnd64, damaged_);
    record.Take(36);
    *size = record.Get<uint64_t>();
    *offset = record.Get<uint64_t>();
  }

  // One central record, after its signature.
  ZipEntry Entry(ByteReader* in) const {
    in->Take(4);
    const auto flags = in->Get<uint16_t>();
    const auto method = in->Get<uint16_t>();
    in->Take(4);
    ZipEntry entry;
    entry.crc = in->Get<uint32_t>();
    uint64_t stored = in->Get<uint32_t>();
    uint64_t size = in->Get<uint32_t>();
    const auto name_length = in->Get<uint16_t>();
    const auto extra_length = in->Get<uint16_t>();
    const auto comment_length = in->Get<uint16_t>();
    in->Take(8);
    uint64_t offset = in->Get<uint32_t>();
    entry.name = in->Take(name_length);
    Extra64(in->Take(extra_length), {&size, &stored, &offset});
    in->Take(comment_length);
    Check((flags & 1) == 0, source_, ": entry '", Shown(entry.name),
          "' is encrypted, which gopnet does not support");
    Check(method == 0 || method == 8, source_, ": entry '", Shown(entry.name),
          "' has compression method ", method, "; expected 0 (stored) or 8 (deflated)");
    Check(method == 8 || size == stored, damaged_);
    entry.deflated = method == 8;
    entry.size = size;
    entry.data = Data(offset, stored);
    return entry;
  }

  // The zip64 field (id 1) holds, in this order, those of the values that did not fit 32 bits.
  void Extra64(std::string_view extra, std::initializer_list<uint64_t*> values) const {
    ByteReader fields(extra, damaged_);
    while (fields.rest().size() >= 4) {
      const auto id = fields.Get<uint16_t>();
      ByteReader field(fields.Take(fields.Get<uint16_t>()), damaged_);
      if (id != 1) continue;
      for (uint64_t* value : values) {
        if (*value == kIn64) *value = field.Get<uint64_t>();
      }
    }
  }

  std::string_view Data(uint64_t offset, uint64_t stored) const {
    ByteReader local = At(offset);
    Check(local.Get<uint32_t>() == kLocal, damaged_);
    local.Take(22);
    const auto name_length = local.Get<uint16_t>();
    const auto extra_length = local.Get<uint16_t>();
    local.Take(size_t{name_length} + extra_length);
    return local.Take(stored);
  }

  std::string_view archive_;
  const std::string& source_;
  std::string damaged_;
};

constexpr int kGzip = 15 + 16;  // zlib's window bits: 32 KB window, gzip frame
constexpr int kRaw = -15;       // no frame

constexpr size_t kSmall = 1'000'000;
constexpr size_t kMostOfSmall = 25'000'000;
constexpr size_t kMostRatio = 100;

constexpr size_t kForget = size_t{8} << 20;  // a mapped file need not stay in memory

size_t MostBytes(size_t packed) { return packed < kSmall ? kMostOfSmall : kMostRatio * packed; }

class Inflater {
 public:
  Inflater(std::string_view bytes, int window_bits, const std::string& source)
      : rest_(bytes), source_(source) {
    Check(inflateInit2(&stream_, window_bits) == Z_OK, source, ": zlib cannot start");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends one stream to `output`, which may get `limit` bytes in all. False: it would get more.
  bool Run(size_t limit, std::string* output) {
    inflateReset(&stream_);
    for (int status = Z_OK; status != Z_STREAM_END;) {
      const size_t fed = std::min<size_t>(rest_.size(), 1 << 30);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
      stream_.avail_in = static_cast<uInt>(fed);
      stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
      stream_.avail_out = static_cast<uInt>(piece_.size());
      status = inflate(&stream_, Z_NO_FLUSH);
      rest_.remove_prefix(fed - stream_.avail_in);
      Check(status == Z_OK || status == Z_STREAM_END, source_,
            ": is damaged or cut short (deflate)");
      const size_t made = piece_.size() - stream_.avail_out;
      if (made > limit - output->size()) return false;
      output->append(piece_.data(), made);
      if ((forget_ += made) < kForget) continue;
      ForgetPages(rest_.data());
      forget_ = 0;
    }
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  const std::string& source_;
  z_stream stream_{};
  size_t forget_ = 0;  // made since the last time
  std::array<char, 1 << 16> piece_;
};

}  // namespace

std::vector<ZipEntry> ReadZip(std::string_view archive, const std::string& source) {
  return Zip(archive, source).Entries();
}

void CheckCrc(const ZipEntry& entry, std::string_view bytes, const std::string& source) {
  uLong crc = 0;
  for (size_t at = 0; at < bytes.size(); at += kForget) {
    const std::string_view part = bytes.substr(at, kForget);
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
    ForgetPages(bytes.data());
  }
  Check(crc == entry.crc, source, ": entry '", Shown(entry.name), "' is damaged (wrong checksum)");
}

std::string Gunzip(std::string_view bytes, const std::string& source) {
  Check(!bytes.empty(), source, ": is empty");
  const size_t limit = MostBytes(bytes.size());
  std::string output;
  Inflater inflater(bytes, kGzip, source);
  while (!inflater.done()) {
    Check(inflater.Run(limit, &output), source, ": unpacks from ", bytes.size(), " to more than ",
          limit, " bytes; if the file is right, unpack it first with gunzip");
  }
  return output;
}

std::string InflateRaw(std::string_view bytes, size_t size, const std::string& source) {
  const size_t limit = MostBytes(bytes.size());
  Check(size <= limit, source, ": an array of ", bytes.size(), " bytes would unpack to ", size,
        ", but at most ", limit, " are allowed; if the file is right, save it with numpy.savez");
  std::string output;
  output.reserve(size);  // which is taken as it fills
  const bool fits = Inflater(bytes, kRaw, source).Run(size, &output);
  Check(fits && output.size() == size, source, ": is damaged (deflated data of the wrong size)");
  return output;
}

}  // namespace gopnet
