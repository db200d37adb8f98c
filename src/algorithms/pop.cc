// POP: each layer's operators are found by two-pass greedy iterative search together with those of
// a GOP output layer, trained on squared error. Kiranyaz et al., "Progressive Operational
// Perceptrons" (2017), as given in Tran et al. (arXiv:1808.06377), Algorithm 1.
#include "algorithms/algorithm.h"
#include "algorithms/pop_config.h"
#include "base/check.h"
#include "base/names.h"
#include "grow/growing_network.h"
#include "train/finetune.h"

namespace gopnet {
namespace {

constexpr int kPasses = 2;

struct SquaredPopConfig : PopConfig {
  SquaredPopConfig() { common.loss.names = {"mse"}; }
};

// The single-hidden-layer network of one step: hidden operators phi_h, output operators phi_o.
class IterativeSearch {
 public:
  IterativeSearch(Runtime& rt, const LayerTask& task, const SearchConfig& config)
      : hidden_(UsableSets(rt, task, config)),
        output_(OutputSets(rt, config, task.units)),
        search_(rt, task, config, output_.size() == 1 ? 1 : 2 * kPasses),
        first_(task.key, Purpose::kFirstOperator) {
    Check(!output_.empty() || task.key.layer > 1, "parameter pool: '", JoinList(config.pool),
          "' needs more than ", task.units,
          " input(s), but the topology gives the output layer no more; use sum or maximum");
  }

  std::optional<SearchResult> Run() {
    if (hidden_.empty() || output_.empty()) return std::nullopt;
    return search_.Run([&] { return Iterate(); });
  }

 private:
  // The one that is known already if it fits so many neurons.
  static std::vector<Candidate> OutputSets(const Runtime& rt, const SearchConfig& config,
                                           size_t units) {
    if (rt.output_set) {
      const std::vector<std::string> names = Names(*rt.output_set);
      auto known = Library({names[0]}, {names[1]}, {names[2]}, units);
      if (!known.empty()) return known;
    }
    return Library(config.nodal, config.pool, config.activation, units);
  }

  // False if every candidate of a loop diverged.
  bool Iterate() {
    if (output_.size() == 1) return BestHidden(output_[0]).has_value();
    Candidate phi_h = hidden_[Rng(first_).Below(static_cast<uint32_t>(hidden_.size()))];
    std::optional<Candidate> phi_o;
    for (int pass = 0; pass < kPasses; ++pass) {
      const auto o = BestOutput(phi_h);
      if (!o) return false;
      if (phi_o && o->phi == phi_o->phi) break;  // the next loop would repeat the one before
      phi_o = o;
      const auto h = BestHidden(*phi_o);
      if (!h) return false;
      if (pass == 0 && h->phi == phi_h.phi) break;  // the second pass would repeat the first
      phi_h = *h;
    }
    return true;
  }

  std::optional<Candidate> BestOutput(const Candidate& phi_h) {
    return Best(output_, [&](const Candidate& phi) { return Pair(phi_h, phi); });
  }
  std::optional<Candidate> BestHidden(const Candidate& phi_o) {
    return Best(hidden_, [&](const Candidate& phi) { return Pair(phi, phi_o); });
  }

  template <class MakePair>
  std::optional<Candidate> Best(const std::vector<Candidate>& sets, const MakePair& pair_with) {
    std::vector<PairCandidate> pairs;
    for (const Candidate& phi : sets) pairs.push_back(pair_with(phi));
    const auto best = search_.Best(pairs);
    return best ? std::optional(sets[*best]) : std::nullopt;
  }

  static PairCandidate Pair(const Candidate& h, const Candidate& o) {
    constexpr int kSets = 4096;  // more than any library has
    return {h.index * kSets + o.index, {h.phi, o.phi}};
  }

  std::vector<Candidate> hidden_, output_;
  OperatorSearch search_;
  Rng first_;
};

Network Train(const Problem& problem, const SquaredPopConfig& cfg, Runtime& rt) {
  GrowingNetwork net(problem, cfg.growth, cfg.growth.topology.size(), rt);
  for (const int units : cfg.growth.topology) {
    const LayerTask task = net.Task(units, cfg.training, cfg.common.seed, std::nullopt);
    // Find phi_h and phi_o of step k; the next step discards phi_o
    const auto layer = IterativeSearch(rt, task, cfg.search).Run();
    if (!net.Accept(layer, std::nullopt)) break;
  }
  return FineTune({problem, cfg.training, cfg.finetune, false, cfg.common.seed}, net.best(), rt);
}

// The candidates of the first tournament are kept for the later ones.
MemoryNeed Memory(const SquaredPopConfig& cfg, const MemoryShape& s) {
  return GrownMemory(cfg, s, {.pairs = true});
}

}  // namespace

Algorithm Pop() {
  Algorithm pop = MakeAlgorithm<SquaredPopConfig, Train, Memory>(
      "pop",
      "Progressive operational perceptron: the output layer also consists of GOPs. Searches "
      "hidden and output operators in turn, in two passes per layer.",
      "arXiv:1808.06377, Algorithm 1");
  pop.unit_targets = true;
  return pop;
}

}  // namespace gopnet
