// Many short texts, end to end in one piece: a label of one digit takes nine bytes, where a string
// takes thirty-two.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

class Texts {
 public:
  void Reserve(size_t count) { ends_.reserve(count); }
  void Add(std::string_view text) {
    letters_ += text;
    ends_.push_back(letters_.size());
  }
  size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  // Valid until the next Add.
  std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(letters_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string letters_;
  std::vector<size_t> ends_;
};

}  // namespace gopnet
