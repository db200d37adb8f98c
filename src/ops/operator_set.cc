#include "ops/operator_set.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/names.h"
#include "ops/activation-inl.h"
#include "ops/nodal-inl.h"
#include "ops/pool-inl.h"

namespace gopnet {
namespace {

template <class... Ops>
std::vector<std::string> NamesOf(TypeList<Ops...>) {
  return {Ops::kName...};
}
int IndexOf(const std::vector<std::string>& known, const std::string& name,
            const std::string& where, const char* kind) {
  const auto it = std::find(known.begin(), known.end(), name);
  if (it == known.end()) {
    Fail(where, ": unknown ", kind, " operator '", name, "'", DidYouMean(name, known),
         "; use one of ", JoinList(known, ", "));
  }
  return static_cast<int>(it - known.begin());
}

}  // namespace

using namespace HWY_NAMESPACE;  // NOLINT: the lists are the same for every target

const std::vector<std::string>& NodalNames() {
  static const auto names = NamesOf(NodalList());
  return names;
}
const std::vector<std::string>& PoolNames() {
  static const auto names = NamesOf(PoolList());
  return names;
}
const std::vector<std::string>& ActivationNames() {
  static const auto names = NamesOf(ActivationList());
  return names;
}

const std::vector<OperatorInfo>& AllOperators() {
  static const auto all = [] {
    std::vector<OperatorInfo> infos = Describe("nodal", NodalList());
    for (const auto& more :
         {Describe("pool", PoolList()), Describe("activation", ActivationList())})
      infos.insert(infos.end(), more.begin(), more.end());
    return infos;
  }();
  return all;
}

std::vector<std::string> PaperNames(const std::string& kind, const std::vector<OperatorInfo>& all) {
  std::vector<std::string> names;
  for (const OperatorInfo& info : all) {
    if (info.kind == kind && info.in_paper) names.push_back(info.name);
  }
  return names;
}

int PoolTerms(int pool) {
  int terms = 0;
  VisitAt(PoolList(), pool, [&]<class Pool>() { terms = Pool::kTerms; });
  return terms;
}
bool IsSeparable(int nodal) {
  bool separable = false;
  VisitAt(NodalList(), nodal, [&]<class Nodal>() { separable = Nodal::kFactors == 0; });
  return separable;
}

std::vector<std::string> Names(const OperatorSet& phi) {
  return {NodalNames()[static_cast<size_t>(phi.nodal)], PoolNames()[static_cast<size_t>(phi.pool)],
          ActivationNames()[static_cast<size_t>(phi.activation)]};
}

OperatorSet OperatorSetFromNames(const std::vector<std::string>& names, const std::string& where) {
  Check(names.size() == 3, where,
        ": an operator set must have 3 names (nodal, pool, activation); got ", names.size());
  return {IndexOf(NodalNames(), names[0], where, "nodal"),
          IndexOf(PoolNames(), names[1], where, "pool"),
          IndexOf(ActivationNames(), names[2], where, "activation")};
}

std::vector<Candidate> Library(const std::vector<std::string>& nodal,
                               const std::vector<std::string>& pool,
                               const std::vector<std::string>& activation, size_t inputs) {
  std::vector<Candidate> library;
  int index = 0;
  for (const std::string& psi : nodal) {
    for (const std::string& rho : pool) {
      for (const std::string& f : activation) {
        const OperatorSet phi = OperatorSetFromNames({psi, rho, f}, "library");
        if (static_cast<size_t>(PoolTerms(phi.pool)) <= inputs) library.push_back({index, phi});
        ++index;
      }
    }
  }
  return library;
}

}  // namespace gopnet
