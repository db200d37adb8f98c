#include "ops/formula.h"

#include <algorithm>
#include <cassert>

#include "ops/activation-inl.h"
#include "ops/nodal-inl.h"

namespace gopnet {

int Arguments(Op op) {
  if (op <= Op::kConstant) return 0;
  if (op == Op::kSelect) return 4;
  return op <= Op::kMax ? 2 : 1;
}

int Formula::operations() const {
  return static_cast<int>(
      std::count_if(steps.begin(), steps.end(), [](const Step& s) { return Arguments(s.op) > 0; }));
}

namespace {

// The steps of the formula that is being read. What was computed before is not computed again.
thread_local std::vector<Formula::Step> tape;

int Record(const Formula::Step& step) {
  const auto known = std::find(tape.begin(), tape.end(), step);
  if (known != tape.end()) return static_cast<int>(known - tape.begin());
  tape.push_back(step);
  return static_cast<int>(tape.size()) - 1;
}

// Numbers the steps that `result` needs, in their order, and leaves the others out.
Formula Needed(const std::vector<Formula::Step>& all, int result) {
  std::vector<int> place(all.size(), -1);
  place[static_cast<size_t>(result)] = 0;
  for (size_t i = all.size(); i-- > 0;) {
    for (int k = 0; place[i] == 0 && k < Arguments(all[i].op); ++k)
      place[static_cast<size_t>(all[i].of[static_cast<size_t>(k)])] = 0;
  }
  Formula formula;
  for (size_t i = 0; i <= static_cast<size_t>(result); ++i) {
    if (place[i] < 0) continue;
    Formula::Step step = all[i];
    for (int k = 0; k < Arguments(step.op); ++k) {
      int& of = step.of[static_cast<size_t>(k)];
      of = place[static_cast<size_t>(of)];
    }
    place[i] = static_cast<int>(formula.steps.size());
    formula.steps.push_back(step);
  }
  return formula;
}

}  // namespace
}  // namespace gopnet

// Formulas are inlined only into code for the instruction set they are compiled for.
HWY_BEFORE_NAMESPACE();
namespace gopnet {
namespace {

struct Traced {
  int step;
  explicit Traced(double constant) : step(Record({Op::kConstant, {}, constant})) {}
  explicit Traced(const Formula::Step& s) : step(Record(s)) {}
};

Traced Input(int number) { return Traced(Formula::Step{Op::kInput, {number}, 0}); }
Traced Step(Op op, Traced a) { return Traced(Formula::Step{op, {a.step}, 0}); }
Traced Step(Op op, Traced a, Traced b) { return Traced(Formula::Step{op, {a.step, b.step}, 0}); }

// All that formulas may use, whether or not one does today.
[[maybe_unused]] Traced operator+(Traced a, Traced b) { return Step(Op::kAdd, a, b); }
[[maybe_unused]] Traced operator-(Traced a, Traced b) { return Step(Op::kSub, a, b); }
[[maybe_unused]] Traced operator*(Traced a, Traced b) { return Step(Op::kMul, a, b); }
[[maybe_unused]] Traced operator/(Traced a, Traced b) { return Step(Op::kDiv, a, b); }
[[maybe_unused]] Traced operator-(Traced a) { return Step(Op::kNeg, a); }
[[maybe_unused]] Traced MulAdd(Traced a, Traced b, Traced c) { return a * b + c; }
[[maybe_unused]] Traced MulSub(Traced a, Traced b, Traced c) { return a * b - c; }
[[maybe_unused]] Traced Min(Traced a, Traced b) { return Step(Op::kMin, a, b); }
[[maybe_unused]] Traced Max(Traced a, Traced b) { return Step(Op::kMax, a, b); }
[[maybe_unused]] Traced Abs(Traced a) { return Step(Op::kAbs, a); }
[[maybe_unused]] Traced NegAbs(Traced a) { return -Abs(a); }
[[maybe_unused]] Traced Sqrt(Traced a) { return Step(Op::kSqrt, a); }
[[maybe_unused]] Traced Exp(Traced a) { return Step(Op::kExp, a); }
[[maybe_unused]] Traced Expm1(Traced a) { return Step(Op::kExpm1, a); }
[[maybe_unused]] Traced Log1p(Traced a) { return Step(Op::kLog1p, a); }
[[maybe_unused]] Traced IfGreater(Traced a, Traced b, Traced yes, Traced no) {
  return Traced(Formula::Step{Op::kSelect, {a.step, b.step, yes.step, no.step}, 0});
}
[[maybe_unused]] Traced IfPositive(Traced x, Traced yes, Traced no) {
  return IfGreater(x, Traced(0.0), yes, no);
}

using namespace HWY_NAMESPACE;  // NOLINT: the formulas

template <bool kGuarded>
Traced Exp2(Traced w, Traced q) {
  return Exp(w * q * Traced(kLn2));
}
template <bool kGuarded>
Traced Exp2m1(Traced w, Traced q) {
  return Expm1(w * q * Traced(kLn2));
}
template <bool kGuarded>
SinCos<Traced> SinAndCosPi(Traced w, Traced q) {
  const Traced phase = w * q * Traced(3.14159265358979323846);
  return {Step(Op::kSin, phase), Step(Op::kCos, phase)};
}

// What `read` reads of the operator at this index.
template <class Operators, class Read>
Formula FormulaOf(Operators list, int index, const Read& read) {
  tape.clear();
  int result = 0;
  VisitAt(list, index, [&]<class Op>() { result = read.template operator()<Op>().step; });
  return Needed(tape, result);
}

}  // namespace

Formula NodalFormula(int nodal) {
  return FormulaOf(NodalList(), nodal, []<class Nodal>() HWY_ATTR {
    const Traced y = Input(0), w = Input(1);
    return Nodal::Value(y, w, Nodal::template Factors<true>(Nodal::Input(y), w));
  });
}
Formula NodalInputFormula(int nodal) {
  return FormulaOf(NodalList(), nodal,
                   []<class Nodal>() HWY_ATTR { return Nodal::Input(Input(0)); });
}
Formula ActivationFormula(int activation) {
  return FormulaOf(ActivationList(), activation,
                   []<class Activation>() HWY_ATTR { return Activation::Value(Input(0)); });
}

}  // namespace gopnet
HWY_AFTER_NAMESPACE();
