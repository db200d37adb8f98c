#include "data/formats/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "base/check.h"

namespace gopnet {
namespace {

constexpr int kGzip = 15 + 16;  // zlib's window bits: 32 KB window, gzip frame
constexpr int kRaw = -15;       // no frame

constexpr size_t kSmall = 1'000'000;
constexpr size_t kMostOfSmall = 25'000'000;
constexpr size_t kMostRatio = 100;

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
    }
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  const std::string& source_;
  z_stream stream_{};
  std::array<char, 1 << 16> piece_;
};

}  // namespace

std::string Gunzip(std::string_view bytes, const std::string& source) {
  Check(!bytes.empty(), source, ": is empty");
  const size_t limit = MostBytes(bytes.size());
  std::string output;
  Inflater inflater(bytes, kGzip, source);
  while (!inflater.done()) {
    Check(inflater.Run(limit, &output), source, ": unpacks to more than ", limit, " bytes from ",
          bytes.size(), "; if that is right, unpack it yourself (gunzip) and give the plain file");
  }
  return output;
}

std::string InflateRaw(std::string_view bytes, size_t size, const std::string& source) {
  const size_t limit = MostBytes(bytes.size());
  Check(size <= limit, source, ": an array of ", bytes.size(), " bytes would unpack to ", size,
        ", at most ", limit, " are wanted; if that is right, save it unpacked (numpy.savez)");
  std::string output;
  const bool fits = Inflater(bytes, kRaw, source).Run(size, &output);
  Check(fits && output.size() == size, source, ": is damaged (deflated data of the wrong size)");
  return output;
}

}  // namespace gopnet
