// The formula of an operator as data: what it computes, step by step. One more reading of the
// structs in ops/*-inl.h, from which exported models (ONNX, C, JavaScript) are written, so that a
// new operator can be exported without a line of its own.
#pragma once

#include <array>
#include <vector>

namespace gopnet {

enum class Op {
  kInput,     // number `of[0]` of the formula's inputs
  kConstant,  // `value`
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMin,
  kMax,
  kNeg,
  kAbs,
  kSqrt,
  kExp,
  kExpm1,  // e^a - 1
  kLog1p,  // log(1 + a)
  kSin,
  kCos,
  kSelect,  // a > b ? c : d
};

struct Formula {
  struct Step {
    Op op = Op::kConstant;
    std::array<int, 4> of = {};  // arguments: steps before this one
    double value = 0;
    bool operator==(const Step&) const = default;
  };
  std::vector<Step> steps;  // the last one is the result; the result needs all of them

  int operations() const;  // steps that are neither inputs nor constants
};
int Arguments(Op op);  // how many of `of` are steps

Formula NodalFormula(int nodal);       // psi of input 0, y, and input 1, w
Formula NodalInputFormula(int nodal);  // q of input 0, y; psi = w q if the operator is separable
Formula ActivationFormula(int activation);  // f of input 0, x

}  // namespace gopnet
