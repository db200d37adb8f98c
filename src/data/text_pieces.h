// Reads a text file or standard input in pieces of whole rows, to bound the memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/file_map.h"

namespace gopnet {

class TextPieces {
 public:
  // "-" is standard input. Separator 0 means unknown: the first piece fits every separator.
  explicit TextPieces(const std::string& path, char separator = 0);

  bool Next();  // false: only blank lines are left
  // Sets the separator that the first piece has; a blank stands for blanks and tabs. True if that
  // changes the first piece.
  bool SetSeparator(char separator);
  // Valid until the next call of Next or SetSeparator.
  std::string_view piece() const { return Window().substr(0, size_); }
  size_t line() const { return line_; }        // its first, from 1
  size_t file_size() const { return bytes_; }  // 0 if it is not known
  const std::string& source() const { return source_; }

 private:
  std::string_view Window() const;  // read, but not yet part of a piece
  bool Grow();                      // reads on; false at the end
  void Cut();                       // the piece from the window
  void Drop();                      // the last piece

  std::string source_;
  std::string separators_;        // that the rows may have
  std::unique_ptr<FileMap> map_;  // null: standard input
  std::string_view rest_;         // of the map
  size_t window_ = 0;             // bytes of `rest_`
  std::string input_;             // of standard input
  bool more_ = true;              // behind the window
  size_t size_ = 0, line_ = 1, bytes_ = 0;
};

}  // namespace gopnet
