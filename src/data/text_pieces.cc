#include "data/text_pieces.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace gopnet {
namespace {

constexpr size_t kPiece = size_t{4} << 20;
constexpr size_t kMostPiece = size_t{64} << 20;  // if rows are long
constexpr ptrdiff_t kFirstLines = 32;            // of the first piece, which tells the format

constexpr char kBlank[] = " \r\n";

// Behind the last newline that is outside of quotes. A quote opens a field only where that begins.
size_t LastRowEnd(std::string_view text) {
  if (text.find('"') == std::string_view::npos) return text.rfind('\n') + 1;
  size_t end = 0;
  bool quoted = false, begin = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      quoted = c != '"';
      begin = !quoted;  // two quotes stand for one
    } else if (c == '"' && begin) {
      quoted = true;
    } else if (c == '\n') {
      end = i + 1;
      begin = true;
    } else {
      begin = c == ',' || c == ';' || c == '\t' || c == '|' || (begin && c == ' ');
    }
  }
  return end;
}

// As many bytes as are whole rows. Blank lines at their end wait: they may be the end of the file.
size_t WholeRows(std::string_view text) {
  const size_t last = text.substr(0, LastRowEnd(text)).find_last_not_of(kBlank);
  return last == std::string_view::npos ? 0 : text.find('\n', last) + 1;
}

}  // namespace

TextPieces::TextPieces(const std::string& path)
    : source_(path == "-" ? "standard input" : path),
      map_(path == "-" ? nullptr : std::make_unique<FileMap>(path)) {
  if (map_) rest_ = map_->bytes();
  bytes_ = rest_.size();
}

std::string_view TextPieces::Window() const {
  return map_ ? rest_.substr(0, window_) : std::string_view(input_);
}

bool TextPieces::Grow() {
  if (map_) {
    window_ = std::min(window_ + kPiece, rest_.size());
    return window_ < rest_.size();
  }
  const size_t before = input_.size();
  input_.resize(before + kPiece);
  size_t count = before;
  while (count < input_.size()) {
    const ssize_t n = ::read(STDIN_FILENO, input_.data() + count, input_.size() - count);
    if (n < 0 && errno == EINTR) continue;
    Check(n >= 0, source_, ": cannot read: ", std::strerror(errno));
    if (n == 0) break;
    count += static_cast<size_t>(n);
  }
  const bool more = count == input_.size();
  input_.resize(count);
  return more;
}

void TextPieces::Drop() {
  const std::string_view old = piece();
  line_ += static_cast<size_t>(std::count(old.begin(), old.end(), '\n'));
  if (map_) {
    if (size_ > 0) ForgetPages(rest_.data());
    rest_.remove_prefix(size_);
    window_ -= size_;
  } else {
    input_.erase(0, size_);
  }
  size_ = 0;
}

bool TextPieces::Next() {
  const bool first = line_ == 1 && size_ == 0;
  Drop();
  for (bool more = true; more;) {
    more = Grow();
    const std::string_view text = Window();
    size_ = more ? WholeRows(text) : text.size();
    const bool enough = size_ > 0 && (!first || text.size() >= kMostPiece ||
                                      std::count(text.begin(), text.end(), '\n') >= kFirstLines);
    if (enough) break;
    Check(!more || text.size() < kMostPiece, source_, ": line ", line_,
          ": a row of more than 64 MB, shorter ones, ended by LF, are wanted");
  }
  return first || piece().find_first_not_of(kBlank) != std::string_view::npos;
}

}  // namespace gopnet
