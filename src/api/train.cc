#include "gopnet/train.h"

#include "algorithms/registry.h"
#include "api/model_impl.h"
#include "api/prepare.h"
#include "api/run_recorder.h"
#include "base/check.h"
#include "base/files.h"
#include "base/threads.h"
#include "gopnet/report.h"
#include "nn/evaluate.h"
#include "nn/temperature.h"

namespace gopnet {
namespace {

// The settings to train with: one, or the paper's two regularisers one after the other.
std::vector<Values> Variants(const Values& values) {
  const auto it = values.find("regulariser");
  if (it == values.end() || it->second != "best_of_two") return {values};
  Values decay = values, norm = values;
  decay["weight_decay"] = "0.0001";
  decay["max_norm"] = "0";
  norm["weight_decay"] = "0";
  norm["max_norm"] = "2";
  return {decay, norm};
}

History StartHistory(const Algorithm& algorithm, const Values& values, const CommonConfig& common,
                     const Prepared& p, double load_seconds) {
  History h;
  h.algorithm = algorithm.name;
  h.memory = values.count("memory") ? values.at("memory") : "none";
  const bool classes = p.problem.task == Task::kClassification;
  h.task = classes ? "classification" : "regression";
  h.metric = p.problem.metric;
  h.seed = common.seed;
  h.data = {{"train", static_cast<long>(p.problem.train.size())},
            {"val", static_cast<long>(p.problem.val.size())},
            {"test", static_cast<long>(p.test.size())},
            {"features", static_cast<long>(p.problem.train.x.cols())},
            {classes ? "classes" : "targets", static_cast<long>(p.problem.outputs)}};
  h.load_seconds = load_seconds;
  return h;
}

// What the network finally is, told in the history.
void Finish(const Prepared& p, const Network& net, History& h) {
  for (size_t k = 0; k < h.layers.size() && k < net.layers.size(); ++k) {
    const auto& memory = net.layers[k].memory;
    h.layers[k].memory =
        memory ? MemoryRecord{memory->type, static_cast<int>(memory->dims())} : MemoryRecord{};
  }
  h.metrics["train"] = EvaluateNetwork(p.problem, p.problem.train, net).All();
  if (p.problem.val.size()) h.metrics["val"] = EvaluateNetwork(p.problem, p.problem.val, net).All();
  if (p.test.size()) h.metrics["test"] = EvaluateNetwork(p.problem, p.test, net).All();
  h.parameters = static_cast<long>(net.parameters());
}

struct Outcome {
  Network net;
  History history;
  Values values;
  Score score;
};

Outcome TrainVariant(const Algorithm& algorithm, const Values& values, const Prepared& p,
                     Runtime& rt) {
  Network net = algorithm.train(p.problem, values, rt);
  Values used = values;
  for (const auto& [name, value] : rt.history.chosen) used[name] = value;
  Finish(p, net, rt.history);
  const Metrics& m = rt.history.metrics[p.problem.val.size() ? "val" : "train"];
  const Score score{m.at(p.problem.metric), m.at("loss"), true};
  return {std::move(net), rt.history, std::move(used), score};
}

ModelData Assemble(const Algorithm& algorithm, const Prepared& p, Network net, Values values) {
  ModelData model = p.model;
  model.algorithm = algorithm.name;
  values.erase("threads");
  model.parameters = std::move(values);
  if (p.problem.task == Task::kClassification && !p.problem.cross_entropy) {
    model.temperature = FitTemperature(net, p.problem.val.size() ? p.problem.val : p.problem.train);
  }
  model.network = std::move(net);
  return model;
}

}  // namespace

TrainResult Train(const std::string& algorithm_name, const TrainData& data, const Params& params,
                  const TrainOptions& options) {
  const Stopwatch watch;
  const Algorithm& algorithm = FindAlgorithm(algorithm_name);
  const Values values = ResolveValues(algorithm, params.values());
  const auto common = ReadConfig<CommonConfig>(values);
  Runtime rt;
  rt.threads = ThreadCount(common.threads);
  rt.observer = options.observer;
  const Prepared p = Prepare(data, common, algorithm.unit_targets, rt);
  for (const Dataset* part : {&data.train, &data.val, &data.test}) ForgetPages(part->x.data);
  const History start = StartHistory(algorithm, values, common, p, options.load_seconds);

  RunRecorder recorder(options, algorithm.name, values, p);
  rt.observer = &recorder;
  recorder.OnStart(start);
  std::optional<Outcome> best;
  try {
    for (const Values& variant : Variants(values)) {
      rt.history = start;
      rt.checkpoint = nullptr;
      if (!best) {  // the second of two variants leaves the first one's checkpoint alone
        rt.checkpoint = [&](const Network& net) {
          recorder.Checkpoint(SerializeModel(Assemble(algorithm, p, net, variant)));
        };
      }
      Outcome trained = TrainVariant(algorithm, variant, p, rt);
      if (!best || Better(trained.score, best->score, p.problem.direction))
        best = std::move(trained);
    }
  } catch (const Stopped&) {
    recorder.Keep();
    throw;
  }
  best->history.seconds = watch.Seconds();
  Model model = MakeModel(Assemble(algorithm, p, std::move(best->net), best->values));
  recorder.Finish(SerializeModel(model.impl().data), best->history);
  return {std::move(model), std::move(best->history)};
}

}  // namespace gopnet
