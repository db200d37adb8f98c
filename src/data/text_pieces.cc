#include "data/text_pieces.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/pipes.h"
#include "data/field.h"

namespace gopnet {
namespace {

constexpr size_t kPiece = size_t{4} << 20;
constexpr size_t kMostPiece = kMostLine;  // if rows are long
constexpr size_t kLongField = size_t{1} << 20;
constexpr ptrdiff_t kFirstLines = 32;  // of the first piece, to detect the format

constexpr char kBlank[] = " \r\n";

// Whether text is inside of quotes, if it is cut at this separator (a blank: at blanks and tabs). A
// quote opens a field only where that begins.
class Quotes {
 public:
  explicit Quotes(char separator) : separator_(separator) {}

  void Step(char c) {
    if (quoted_) {
      ++length_;
      quoted_ = c != '"';
      begin_ = !quoted_;  // two quotes stand for one
    } else if (c == '"' && begin_) {
      quoted_ = true;
      length_ = 0;
    } else {
      begin_ =
          c == separator_ || c == '\n' || (separator_ == ' ' && c == '\t') || (begin_ && c == ' ');
    }
  }
  bool quoted() const { return quoted_; }
  bool lost() const { return quoted_ && length_ > kLongField; }

 private:
  char separator_;
  size_t length_ = 0;  // of the quoted field
  bool quoted_ = false, begin_ = true;
};

// The position after the last newline that is outside of quotes for every separator. A separator
// that leads to a very long field is ruled out if another one does not.
size_t LastRowEnd(std::string_view text, std::string_view separators) {
  if (text.find('"') == std::string_view::npos) return text.rfind('\n') + 1;
  std::vector<Quotes> all;
  for (const char separator : separators) all.emplace_back(separator);
  size_t end = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    for (Quotes& quotes : all) quotes.Step(text[i]);
    if (text[i] != '\n') continue;
    const auto quoted = static_cast<size_t>(std::ranges::count_if(all, &Quotes::quoted));
    if (quoted == 0) end = i + 1;
    if (quoted < all.size()) std::erase_if(all, [](const Quotes& q) { return q.lost(); });
  }
  return end;
}

// The size of the whole rows. Blank lines after them wait, as they may end the file.
size_t WholeRows(std::string_view text, std::string_view separators) {
  const size_t last = text.substr(0, LastRowEnd(text, separators)).find_last_not_of(kBlank);
  return last == std::string_view::npos ? 0 : text.find('\n', last) + 1;
}

// The size of a byte order mark and comments above a table. Quotes in comments mean nothing.
size_t SizeAbove(std::string_view text) {
  size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  while (IsComment(text.substr(at)) && text.find('\n', at) != std::string_view::npos)
    at = text.find('\n', at) + 1;
  return at;
}

}  // namespace

TextPieces::TextPieces(const std::string& path, char separator)
    : source_(path == "-" ? "standard input" : path),
      separators_(separator != 0 ? std::string(1, separator) : ",;\t| "),
      map_(path == "-" ? nullptr : std::make_unique<FileMap>(path, kMostLine)) {
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
    AwaitInput(STDIN_FILENO);
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

void TextPieces::Cut() {
  const std::string_view text = Window();
  size_ = text.size();
  if (!more_) return;
  const size_t above = line_ == 1 ? SizeAbove(text) : 0;
  const size_t rows = WholeRows(text.substr(above), separators_);
  size_ = rows > 0 ? above + rows : 0;
}

bool TextPieces::SetSeparator(char separator) {
  const size_t before = size_;
  separators_ = separator;
  Cut();
  return size_ != before;
}

bool TextPieces::Next() {
  const bool first = line_ == 1 && size_ == 0;
  Drop();
  for (more_ = true; more_;) {
    more_ = Grow();
    const std::string_view text = Window();
    Cut();
    const std::string_view rows = piece();
    const bool enough = size_ > 0 && (!first || text.size() >= kMostPiece ||
                                      std::count(rows.begin(), rows.end(), '\n') >= kFirstLines);
    if (enough) break;
    Check(!more_ || text.size() < kMostPiece, source_, ": line ", line_,
          ": the row is longer than 64 MB; rows must be shorter and end in LF");
  }
  return first || piece().find_first_not_of(kBlank) != std::string_view::npos;
}

}  // namespace gopnet
