// An operator set phi = (nodal, pool, activation) by index into the lists of ops/*-inl.h, and the
// library of all sets that a search goes through.
#pragma once

#include <string>
#include <vector>

#include "gopnet/params.h"
#include "ops/type_list.h"

namespace gopnet {

struct OperatorSet {
  int nodal = 0;
  int pool = 0;
  int activation = 0;
  bool operator==(const OperatorSet&) const = default;
};

const std::vector<std::string>& NodalNames();
const std::vector<std::string>& PoolNames();
const std::vector<std::string>& ActivationNames();

template <class... Ops>
std::vector<OperatorInfo> Describe(const char* kind, TypeList<Ops...>) {
  return {{kind, Ops::kName, Ops::kFormula, Ops::kInPaper}...};
}
const std::vector<OperatorInfo>& AllOperators();  // nodal, pool and activation, as listed
// Those of a kind ("nodal", "pool", "activation") that are in the paper: what is searched by
// default.
std::vector<std::string> PaperNames(const std::string& kind,
                                    const std::vector<OperatorInfo>& all = AllOperators());

std::vector<std::string> Names(const OperatorSet& phi);
// Throws Error for an unknown name, naming the nearest known one; `where` opens the message.
OperatorSet OperatorSetFromNames(const std::vector<std::string>& names, const std::string& where);

struct Candidate {
  int index = 0;  // position in the library, stable whatever is left out
  OperatorSet phi;
};

// The product of the named operators, nodal-major. Sets that are constant for `inputs` inputs (a
// correlation of more neighbours than there are) are left out; the others keep their index.
std::vector<Candidate> Library(const std::vector<std::string>& nodal,
                               const std::vector<std::string>& pool,
                               const std::vector<std::string>& activation, size_t inputs);

// How many neighbours the pool multiplies: 1 sum, 2 and 3 correlations, 0 maximum.
int PoolTerms(int pool);
// True for psi = w phi(y), which sums and correlations turn into a matrix product.
bool IsSeparable(int nodal);

}  // namespace gopnet
