#include "data/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace gopnet {
namespace {

constexpr int kGzip = 15 + 16;  // zlib's window bits: 32 KB window, gzip frame
constexpr int kRaw = -15;       // no frame

class Inflater {
 public:
  Inflater(std::string_view bytes, int window_bits, const std::string& source)
      : rest_(bytes), source_(source) {
    Check(inflateInit2(&stream_, window_bits) == Z_OK, source, ": zlib cannot start");
  }
  ~Inflater() { inflateEnd(&stream_); }

  // Inflates one stream, appending to `output` at most up to `limit` bytes in all.
  void Run(size_t limit, std::string* output) {
    inflateReset(&stream_);
    for (int status = Z_OK; status != Z_STREAM_END;) {
      Feed();
      const size_t before = output->size();
      output->resize(before + std::max<size_t>(1 << 16, before / 2));
      stream_.next_out = reinterpret_cast<Bytef*>(output->data() + before);
      const size_t room = std::min<size_t>(output->size() - before, 1 << 30);
      stream_.avail_out = static_cast<uInt>(room);
      status = inflate(&stream_, Z_NO_FLUSH);
      output->resize(before + room - stream_.avail_out);
      rest_.remove_prefix(fed_ - stream_.avail_in);
      Check(status == Z_OK || status == Z_STREAM_END, source_,
            ": is damaged or cut short (deflate)");
      Check(output->size() <= limit, source_, ": is damaged (deflated data of the wrong size)");
    }
  }
  bool done() const { return rest_.empty(); }

 private:
  void Feed() {
    fed_ = std::min<size_t>(rest_.size(), 1 << 30);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(fed_);
  }

  std::string_view rest_;
  const std::string& source_;
  z_stream stream_{};
  size_t fed_ = 0;
};

}  // namespace

std::string Gunzip(std::string_view bytes, const std::string& source) {
  Check(!bytes.empty(), source, ": is empty");
  std::string output;
  Inflater inflater(bytes, kGzip, source);
  while (!inflater.done()) inflater.Run(std::numeric_limits<size_t>::max(), &output);
  return output;
}

std::string InflateRaw(std::string_view bytes, size_t size, const std::string& source) {
  std::string output;
  Inflater(bytes, kRaw, source).Run(size, &output);
  Check(output.size() == size, source, ": is damaged (deflated data of the wrong size)");
  return output;
}

}  // namespace gopnet
