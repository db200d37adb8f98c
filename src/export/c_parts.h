// Functions and tables of a model in C: what a network computes, between scaled features and
// outputs.
#pragma once

#include <set>
#include <string>

#include "export/plan.h"

namespace gopnet::exporting {

// What a network costs a small machine.
struct Costs {
  size_t flash = 0;       // bytes of constants
  size_t ram = 0;         // bytes of arrays on the stack
  size_t operations = 0;  // a row; a function such as expf counts as one
};

class CParts {
 public:
  // static void NAME(const float* x, float* y), with all that it needs before it.
  std::string Network(const std::string& name, const Chain& chain);
  // static const TYPE NAME[...] = {...}; counted. Nothing for no values.
  std::string Table(const std::string& name, const Numbers& values, bool single = true);
  const Costs& costs() const { return costs_; }
  void AddRam(size_t floats) { costs_.ram += sizeof(float) * floats; }

 private:
  std::string Operators(const OperatorSet& phi);  // their functions, unless they are there already
  std::string Tables(const std::string& id, const Piece& piece);
  void Count(const Piece& piece);

  std::set<std::string> defined_;
  Costs costs_;
};

}  // namespace gopnet::exporting
