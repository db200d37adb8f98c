#include "algorithms/train_ensemble.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "algorithms/explodes.h"
#include "algorithms/linear_member.h"
#include "base/check.h"
#include "base/names.h"
#include "base/real_math.h"
#include "base/rng.h"
#include "grow/growth_steps.h"
#include "grow/search_operators.h"
#include "grow/share_work.h"
#include "kernels/elementwise.h"
#include "nn/metric.h"
#include "nn/state.h"
#include "nn/temperature.h"
#include "train/config.h"

namespace gopnet {
namespace {

using OperatorNames = std::vector<std::string>;  // nodal, pool, activation

// One network to train.
struct Plan {
  Values values;
  OperatorNames set;     // of the first layer; empty if the algorithm has none to choose
  OperatorNames output;  // of the output layer, if it has any (POP)
  int fold = -1;         // that validates it; -1: the validation rows of the problem
};

// A perceptron. What the first layer made of the rows it often carries on better than a layer of
// the same operators (docs/design/averages.md).
const OperatorNames kPlain = {"multiplication", "sum", "relu"};

struct Grown {
  Network net;
  std::vector<LayerRecord> layers;
  std::string stopped;
};

decltype(auto) Fields(auto& a, Grown& g) { return a(g.net, g.layers, g.stopped); }

// So many rows, at most, drawn at random.
Rows Draw(const Rows& all, size_t most, Rng rng) {
  std::vector<uint32_t> order(all.size());
  Shuffle(rng, order);
  order.resize(std::min(most, order.size()));
  return PickRows(all, {order.begin(), order.end()});
}

// Passes on the epochs of one network, with its number, but not its growth.
class NetworkObserver : public PartObserver {
 public:
  NetworkObserver(Observer* all, int network, size_t networks)
      : PartObserver([](const std::string&) {},
                     [all] { return all == nullptr || all->Continue(); }),
        all_(all),
        network_(network),
        networks_(static_cast<int>(networks)) {}
  void OnEpoch(const EpochEvent& event) override {
    if (all_ == nullptr) return;
    EpochEvent of_network = event;
    of_network.network = network_;
    of_network.networks = networks_;
    all_->OnEpoch(of_network);
  }

 private:
  Observer* const all_;
  const int network_, networks_;
};

class EnsembleTraining {
 public:
  EnsembleTraining(const Algorithm& algorithm, const Values& values, const Problem& problem,
                   const Folds& folds, Runtime& rt)
      : algorithm_(algorithm), values_(values), problem_(problem), folds_(folds), rt_(rt) {}

  TrainedEnsemble Train() {
    MakePlans();
    ++rt_.variant;  // what follows is another part of the run than the search
    grown_.resize(plans_.size());
    so_far_.resize(plans_.size());
    scores_.resize(plans_.size());
    std::vector<size_t> kept;
    const auto train_and_measure = [&] {
      TrainAll();
      rt_.LeaveIfHelping();
      for (size_t i = 0; i < plans_.size(); ++i)
        if (!grown_[i] && !Load(i)) grown_[i] = Grow(i);
      kept = Sound();
      return Measure(kept);
    };
    const HeldOutOutputs held_out = OfferIfStopped(train_and_measure, [&] { OfferSoFar(); });
    return Combine(kept, held_out);
  }

 private:
  // Rows x epochs that so many networks will take, if the second layer of each is tried.
  double VisitsOf(size_t networks) const {
    const bool deep = values_.at("topology").find(',') != std::string::npos;
    const double upper = !MayBePlain()                          ? 1
                         : values_.at("search") == "exhaustive" ? 2
                                                                : 1 + 1.0 / kEarly;
    const auto each = folds_.every ? static_cast<double>(folds_.count) : 1.0;
    return each * static_cast<double>(networks) * std::stod(values_.at("epochs")) *
           static_cast<double>(problem_.train.size()) * (deep ? 1 + upper : 1);
  }

  // Whether layers above the first may be of plain perceptrons.
  bool MayBePlain() const { return values_.at("upper_layers") == "plain" && Has(kPlain); }

  // Whether the search may choose this operator set.
  bool Has(const OperatorNames& set) const {
    const auto lists = [&](const char* parameter, const std::string& name) {
      const std::vector<std::string> names = SplitList(values_.at(parameter));
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    return lists("nodal", set[0]) && lists("pool", set[1]) && lists("activation", set[2]);
  }

  std::vector<RankedSet> SearchSets(size_t count) {
    Values search = values_;
    const std::string& topology = values_.at("topology");
    search["topology"] = topology.substr(0, topology.find(','));
    search["finetune_epochs"] = "0";
    search["epochs"] = values_.at("search_epochs");
    std::optional<Problem> part;
    if (folds_.count > 0) part = FoldProblem(problem_, folds_, 0);
    const auto most = static_cast<size_t>(std::stoi(values_.at("search_rows")));
    Limit(most, most, 3, part);
    rt_.later_visits = VisitsOf(count);
    rt_.wanted_sets = count;
    try {
      algorithm_.train(part ? *part : problem_, search, rt_);
    } catch (const Leave& leave) {
      if (leave.run) throw;
    }
    rt_.later_visits = 0;
    rt_.wanted_sets = 0;
    searched_ = ScoreOf(rt_.history.layers);
    std::vector<RankedSet> sets = rt_.history.layers.at(0).ranking;
    if (sets.size() > count) sets.resize(count);
    rt_.history.layers.clear();
    rt_.history.rejected.clear();
    return sets;
  }

  // Draws some of the rows of a part, or of the whole problem, if these are more than wanted.
  void Limit(size_t train, size_t val, uint32_t stream, std::optional<Problem>& part) const {
    const Problem& all = part ? *part : problem_;
    if (all.train.size() <= train && all.val.size() <= val) return;
    const StreamKey key{std::stoull(values_.at("seed")), 0, 0, 0};
    part = OnRows(problem_, Draw(all.train, train, Rng(key, Purpose::kSplit, stream)),
                  Draw(all.val, val, Rng(key, Purpose::kSplit, stream + 1)));
  }

  void MakePlans() {
    const auto number = [&](const char* name) {
      const auto it = values_.find(name);
      return it == values_.end() ? 1 : std::max(1, std::stoi(it->second));
    };
    std::vector<RankedSet> sets = {{}};
    if (number("ensemble") > 1) sets = SearchSets(static_cast<size_t>(number("ensemble")));
    for (size_t s = 0; s < sets.size(); ++s) {
      Plan plan{values_, sets[s].operator_set, sets[s].output_set, -1};
      if (!plan.set.empty()) {
        plan.values["nodal"] = plan.set[0];
        plan.values["pool"] = plan.set[1];
        plan.values["activation"] = plan.set[2];
      }
      for (int fold = 0; folds_.every && fold < folds_.count; ++fold) {
        plan.fold = fold;
        plans_.push_back(plan);
      }
      if (folds_.every) continue;
      if (folds_.count > 0) plan.fold = static_cast<int>(s) % folds_.count;
      plans_.push_back(plan);
    }
  }

  WorkKey Key(size_t i) const { return {rt_.variant, 0, 0, 0, static_cast<int>(i), 0}; }

  void TrainAll() {
    std::vector<WorkKey> batch;
    for (size_t i = 0; i < plans_.size(); ++i) batch.push_back(Key(i));
    ShareWork(rt_, rt_.threads, batch, [&](const WorkQueue::Item& item, int) {
      const size_t i = item.unit;
      if (!item.known) TrainOne(i);
      const std::lock_guard lock(rt_.mutex);
      if (item.known) scores_[i] = item.known->score;
      Tell(i, item.earlier);
    });
  }

  // Each network on one thread: there are others to train at the same time.
  Grown Grow(size_t i) {
    NetworkObserver observer(rt_.observer, static_cast<int>(i) + 1, plans_.size());
    Runtime rt;
    rt.threads = 1;
    rt.observer = &observer;
    rt.tells_layer_epochs = true;
    const Plan& plan = plans_[i];
    if (!plan.set.empty() && plan.set != kPlain && MayBePlain())
      rt.upper_set = OperatorSetFromNames(kPlain, "upper_layers");
    if (!plan.output.empty()) rt.output_set = OperatorSetFromNames(plan.output, "output_set");
    rt.checkpoint = [&](const Ensemble& net) {
      if (!searched_ || Better(ScoreOf(rt.history.layers), *searched_, problem_.metric->direction))
        so_far_[i] = Grown{net.first(), rt.history.layers, ""};
    };
    std::optional<Problem> part;
    if (plan.fold >= 0) part = FoldProblem(problem_, folds_, plan.fold);
    if (const auto it = values_.find("network_rows"); it != values_.end()) {
      const auto most = static_cast<size_t>(std::stoi(it->second));
      Limit(most, most / 5, 5 + 2 * static_cast<uint32_t>(i), part);
    }
    Network net = algorithm_.train(part ? *part : problem_, plan.values, rt);
    return {std::move(net), rt.history.layers, rt.history.stopped};
  }

  Score ScoreOf(const std::vector<LayerRecord>& layers) const {
    const Metrics& val = layers.back().val;
    return FiniteScore(val.at(problem_.metric->name), val.at("loss"));
  }

  void TrainOne(size_t i) {
    rt_.CheckStop();
    Grown grown = Grow(i);
    const Score score = ScoreOf(grown.layers);
    Notes notes;
    if (!plans_[i].set.empty()) notes["operator_set"] = plans_[i].set;
    if (!plans_[i].output.empty()) notes["output_set"] = plans_[i].output;
    const std::string state = rt_.store->keeps() ? ToState(grown) : "";
    rt_.store->Add(Key(i), {score, 0, !score.valid, watch_.Seconds()}, notes, state);
    const std::lock_guard lock(rt_.mutex);
    scores_[i] = score;
    grown_[i] = std::move(grown);
    so_far_[i].reset();
  }

  void Tell(size_t i, bool recalled) {
    ++event_.done;
    event_.total = static_cast<int>(plans_.size());
    event_.network = static_cast<int>(i) + 1;
    event_.operator_set = plans_[i].set;
    event_.fold = plans_[i].fold;
    event_.metric = problem_.metric->name;
    event_.val = {{problem_.metric->name, scores_[i].measure}, {"loss", scores_[i].loss}};
    event_.recalled = recalled;
    if (rt_.observer != nullptr) rt_.observer->OnMember(event_);
  }

  // A network that was trained elsewhere, or in an earlier part of the run. False if it is lost.
  bool Load(size_t i) {
    grown_[i] = FromState<Grown>(rt_.store->LoadState(Key(i)), [&](const Grown& grown) {
      CheckShapes(grown.net, problem_.train.x.cols(), problem_.outputs, "");
    });
    return grown_[i].has_value();
  }

  // The networks that are finished or, while none is, those in training that are already better
  // than what the search offered.
  void OfferSoFar() {
    std::vector<const Grown*> offered;
    for (size_t i = 0; i < plans_.size(); ++i)
      if (scores_[i].valid && (grown_[i] || Load(i))) offered.push_back(&*grown_[i]);
    if (offered.empty()) {
      for (const std::optional<Grown>& grown : so_far_)
        if (grown) offered.push_back(&*grown);
    }
    if (offered.empty()) return;
    Ensemble part;
    part.logits = problem_.softmax();
    for (const Grown* grown : offered)
      part.members.push_back({grown->net, 1.0 / static_cast<double>(offered.size())});
    rt_.history.layers = offered.front()->layers;  // of one, as of the finished average
    rt_.Offer(part);
  }

  // The networks that are finite and, of a regression, those of operator sets that do not explode
  // beyond the rows, unless all do. It is the first layer's set that explodes: a layer of plain
  // perceptrons above it grows no faster than its inputs.
  std::vector<size_t> Sound() const {
    std::set<OperatorNames> exploding;
    std::vector<size_t> finite, sound;
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (!scores_[i].valid) continue;
      finite.push_back(i);
      if (problem_.task == Task::kRegression && Explodes(grown_[i]->net, problem_))
        exploding.insert(plans_[i].set);
    }
    for (const size_t i : finite)
      if (exploding.count(plans_[i].set) == 0) sound.push_back(i);
    Check(!finite.empty(),
          "every network of the ensemble diverged; check the data for extreme values");
    return sound.empty() ? finite : sound;
  }

  TrainedEnsemble Combine(const std::vector<size_t>& kept, const HeldOutOutputs& held_out) {
    const bool brier = problem_.metric->needs == Needs::kProbabilities;
    std::vector<double> errors;
    for (const size_t i : kept) errors.push_back(brier ? scores_[i].measure : scores_[i].loss);
    const std::vector<double> all = held_out.Weights(kept, errors);
    TrainedEnsemble result;
    Ensemble& ensemble = result.ensemble;
    ensemble.logits = problem_.softmax();
    std::vector<size_t> used;
    std::vector<double> weights;
    for (size_t k = 0; k < kept.size(); ++k) {
      if (all[k] <= 0) continue;
      ensemble.members.push_back({std::move(grown_[kept[k]]->net), all[k]});
      used.push_back(kept[k]);
      weights.push_back(all[k]);
    }
    const std::vector<size_t> held = held_out.Average(used, weights, result.outputs);
    result.held_out = PickRows(held_out.rows(), held);
    Record(used, ensemble);
    const double gain = TemperatureGain(held_out, used, weights, result);
    double linear = 0;  // its weight
    const auto wanted = values_.find("linear_member");
    if (wanted != values_.end() && wanted->second == "true")
      OfferIfStopped([&] { linear = AddLinear(held, result); },
                     [&] { rt_.Offer(result.ensemble); });
    // The temperature will be fitted to the average of some networks, but serve that of all.
    const auto flatter = static_cast<float>(real::Pow(gain, linear - 1));
    for (size_t n = 0; flatter != 1 && n < result.outputs.rows(); ++n)
      Scale(flatter, result.outputs.cols(), result.outputs.Row(n));
    return result;
  }

  double TemperatureGain(const HeldOutOutputs& held_out, const std::vector<size_t>& used,
                         const std::vector<double>& weights, const TrainedEnsemble& result) const {
    const bool fitted = problem_.softmax() && result.held_out.size() >= kRowsForTemperature;
    if (!fitted || folds_.count == 0) return 1;
    return held_out.TemperatureGain(used, weights, FitTemperature(result.outputs, result.held_out));
  }

  // Its weight; 0 if it does not join.
  double AddLinear(const std::vector<size_t>& held, TrainedEnsemble& result) {
    std::optional<LinearMember> linear =
        FitLinearMember(problem_, folds_, held, result.outputs, rt_.threads);
    if (!linear) return 0;
    Mat average(held.size(), problem_.outputs), own = linear->outputs;
    AddToAverage(result.outputs.view(), 1 - linear->weight, problem_.softmax(), average.view());
    AddToAverage(own.view(), linear->weight, problem_.softmax(), average.view());
    FinishAverage(problem_.softmax(), average.view());
    result.outputs = std::move(average);
    for (Member& member : result.ensemble.members) member.weight *= 1 - linear->weight;
    for (MemberRecord& record : rt_.history.members) record.weight *= 1 - linear->weight;
    result.ensemble.members.push_back({std::move(linear->network), linear->weight});
    MemberRecord record;
    record.weight = linear->weight;
    MetricSums sums(problem_, result.held_out);
    sums.Add(0, linear->outputs.view());
    record.val = sums.All();
    rt_.history.members.push_back(record);
    return linear->weight;
  }

  HeldOutOutputs Measure(const std::vector<size_t>& kept) const {
    std::vector<int> folds;
    for (const Plan& plan : plans_) folds.push_back(plan.fold);
    HeldOutOutputs held_out(problem_, folds_, folds);
    for (const size_t i : kept) held_out.Measure(i, grown_[i]->net);
    return held_out;
  }

  void Record(const std::vector<size_t>& used, const Ensemble& ensemble) {
    size_t best = used[0];
    for (const size_t i : used)
      if (Better(scores_[i], scores_[best], problem_.metric->direction)) best = i;
    rt_.history.layers = grown_[best]->layers;
    rt_.history.stopped = grown_[best]->stopped;
    rt_.history.networks_left_out = static_cast<int>(plans_.size() - used.size());
    for (size_t m = 0; m < used.size(); ++m) {
      const Grown& grown = *grown_[used[m]];
      MemberRecord record;
      record.weight = ensemble.members[m].weight;
      record.fold = plans_[used[m]].fold;
      record.operator_set = grown.layers[0].operator_set;
      record.layers = static_cast<int>(grown.layers.size());
      record.val = grown.layers.back().val;
      rt_.history.members.push_back(record);
    }
  }

  const Algorithm& algorithm_;
  const Values& values_;
  const Problem& problem_;
  const Folds& folds_;
  Runtime& rt_;
  Stopwatch watch_;
  std::vector<Plan> plans_;
  std::vector<std::optional<Grown>> grown_;
  std::optional<Score> searched_;             // of the best network of the search
  std::vector<std::optional<Grown>> so_far_;  // in training, and better than that one
  std::vector<Score> scores_;
  MemberEvent event_;
};

}  // namespace

TrainedEnsemble TrainEnsemble(const Algorithm& algorithm, const Values& values,
                              const Problem& problem, const Folds& folds, Runtime& rt) {
  return EnsembleTraining(algorithm, values, problem, folds, rt).Train();
}

// With folds each thread trains on a copy of the rows, and all networks are kept, the last ones
// also in what is written. Rows and networks of several sizes leave gaps in the heap.
double TrainingBytes(const Algorithm& algorithm, const Values& values, const MemoryShape& shape) {
  constexpr double kGaps = 1.5;
  const auto number = [&](const char* name) {
    const auto it = values.find(name);
    return it == values.end() ? 1 : std::max(1.0, std::stod(it->second));
  };
  const double folds = number("folds"), ensemble = number("ensemble");
  const MemoryNeed need = algorithm.memory(values, shape);
  if (folds < 2) return need.training;
  const double kept =
      2 * folds * ensemble * need.network + 4 * shape.rows * shape.outputs * ensemble;
  const double joined = 4 * shape.rows * shape.features;           // training and validation rows
  if (ensemble > 1) return joined + kept + kGaps * need.training;  // with the threads' copies
  const double at_once = std::min(1.0 * shape.threads, folds);
  MemoryShape one = shape;
  one.threads = 1;
  const double copy = 4 * shape.rows * (shape.features + (shape.regression ? shape.outputs : 0));
  return joined + kept + kGaps * at_once * (copy + algorithm.memory(values, one).training);
}

}  // namespace gopnet
