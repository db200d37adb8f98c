#include "gopnet/train.h"

#include <chrono>
#include <filesystem>

#include "algorithms/registry.h"
#include "api/folder_book.h"
#include "api/json_values.h"
#include "api/model_impl.h"
#include "api/prepare.h"
#include "api/ranks_impl.h"
#include "api/run_recorder.h"
#include "api/train_run.h"
#include "base/check.h"
#include "base/files.h"
#include "base/spill.h"
#include "base/stop_check.h"
#include "base/threads.h"
#include "gopnet/report.h"
#include "gopnet/run.h"
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

Outcome TrainVariants(const Algorithm& algorithm, const Values& values, const Prepared& p,
                      const History& start, RunRecorder& recorder, Runtime& rt) {
  std::optional<Outcome> best;
  for (const Values& variant : Variants(values)) {
    rt.history = start;
    rt.checkpoint = nullptr;
    if (!best) {  // the second of two variants leaves the first one's checkpoint alone
      rt.checkpoint = [&](const Network& net) {
        recorder.Checkpoint(Assemble(algorithm, p, net, variant), rt.history);
      };
    }
    recorder.BeginVariant(rt.variant);
    Outcome trained = TrainVariant(algorithm, variant, p, rt);
    if (!best || Better(trained.score, best->score, p.problem.direction)) best = std::move(trained);
    ++rt.variant;
  }
  return std::move(*best);
}

// Threads ask after every step of training, which takes microseconds: were they to look each time,
// many of them would meet at the observer's lock.
void CheckStopSometimes(const Runtime& rt) {
  using Clock = std::chrono::steady_clock;
  thread_local Clock::time_point next{};
  const auto now = Clock::now();
  if (now < next) return;
  next = now + std::chrono::milliseconds(5);
  rt.CheckStop();
}

// A run that no other process shares.
Lead Alone(const TrainOptions& options, const Values& values) {
  Lead lead;
  lead.threads = ThreadCount(ReadConfig<CommonConfig>(values).threads);
  lead.open_book = [&](const auto& config, const std::string& metric, Observer& warn) {
    return OpenFolder(options, config, metric, warn);
  };
  return lead;
}

TrainResult TrainValues(const Algorithm& algorithm, const Values& values, const TrainData& data,
                        const TrainOptions& options) {
  if (options.ranks == nullptr || options.ranks->size() == 1)
    return LeadRun(algorithm, values, data, options, Alone(options, values));
  return LeadSharedRun(algorithm, values, data, options);
}

}  // namespace

std::unique_ptr<Book> OpenFolder(const TrainOptions& options, const nlohmann::ordered_json& config,
                                 const std::string& metric, Observer& warn) {
  if (options.run_folder.empty()) return nullptr;
  return std::make_unique<FolderBook>(
      FolderBook::Options{options.run_folder, options.resume, config, metric},
      [&](const std::string& text) { warn.OnWarning(text); });
}

TrainResult LeadRun(const Algorithm& algorithm, const Values& values, const TrainData& data,
                    const TrainOptions& options, const Lead& lead) {
  const Stopwatch watch;
  const auto common = ReadConfig<CommonConfig>(values);
  SpillTo(options.run_folder);
  Runtime rt;
  rt.threads = lead.threads;
  rt.observer = options.observer;
  const StopCheck stop([&] { CheckStopSometimes(rt); });
  const Prepared p = Prepare(data, common, algorithm.unit_targets, rt);
  for (const Dataset* part : {&data.train, &data.val, &data.test}) ForgetPages(part->x.data);
  const History start = StartHistory(algorithm, values, common, p, options.load_seconds);

  RunRecorder recorder(options.observer, options.run_folder, lead.go_on);
  const auto config = RunConfig(options, algorithm.name, values, p);
  recorder.Open(lead.open_book(config, p.problem.metric, recorder));
  rt.observer = &recorder;
  if (recorder.ledger() != nullptr) rt.ledger = recorder.ledger();
  std::unique_ptr<Ledger> shared;  // ends before the book does
  if (lead.share) shared = lead.share(*rt.ledger, config["data"]["fingerprint"]);
  if (shared) rt.ledger = shared.get();
  rt.checkpoint_seconds = options.checkpoint_seconds;
  recorder.OnStart(start);
  try {
    Outcome best = TrainVariants(algorithm, values, p, start, recorder, rt);
    best.history.seconds = recorder.earlier_seconds() + watch.Seconds();
    if (lead.usage) best.history.ranks = lead.usage();
    Model model = MakeModel(Assemble(algorithm, p, std::move(best.net), best.values));
    recorder.Finish(SerializeModel(model.impl().data), best.history);
    return {std::move(model), std::move(best.history)};
  } catch (const Error&) {
    throw;
  } catch (...) {  // stopped, or our own failure: what was finished is not lost
    recorder.Keep();
    throw;
  }
}

void HelpRun(const Algorithm& algorithm, const Values& values, const TrainData& data,
             const std::string& fingerprint, int threads, Ledger& ledger, Observer& observer) {
  const auto common = ReadConfig<CommonConfig>(values);
  Runtime rt;
  rt.threads = threads;
  rt.helps = true;
  const StopCheck stop([&] { CheckStopSometimes(rt); });
  const Prepared p = Prepare(data, common, algorithm.unit_targets, rt);
  Check(fingerprint == RowsFingerprint(p), "the rows of ", data.train.source,
        " are not those that rank 0 has");
  rt.observer = &observer;
  rt.ledger = &ledger;
  for (const Values& variant : Variants(values)) {
    try {
      algorithm.train(p.problem, variant, rt);
    } catch (const Leave& leave) {
      if (leave.run) return;
    } catch (const Error&) {  // of the run itself: whoever leads it meets the same
    }
    ++rt.variant;
  }
}

TrainResult Train(const std::string& algorithm_name, const TrainData& data, const Params& params,
                  const TrainOptions& options) {
  const Algorithm& algorithm = FindAlgorithm(algorithm_name);
  return TrainValues(algorithm, ResolveValues(algorithm, params.values()), data, options);
}

RunInfo ReadRun(const std::string& folder) {
  Check(!folder.empty(), "run folder: an empty name given");
  Check(HoldsRun(folder), folder, ": no run was begun there (it has no config.json)");
  const auto in_folder = [&](const char* name) {
    return (std::filesystem::path(folder) / name).string();
  };
  try {
    const auto config = ReadObject(in_folder("config.json"));
    RunInfo info;
    info.version = config.at("version");
    info.algorithm = config.at("algorithm");
    info.simd = config.at("simd");
    info.parameters = ValuesFromJson(config.at("parameters"));
    if (config.contains("source"))
      info.source = config.at("source").get<std::map<std::string, std::string>>();
    std::error_code ignored;
    info.finished = std::filesystem::exists(in_folder("model.safetensors"), ignored) &&
                    std::filesystem::exists(in_folder("metrics.json"), ignored);
    return info;
  } catch (const nlohmann::json::exception&) {
    Fail(in_folder("config.json"), ": damaged, or not the config of a run");
  }
}

TrainResult Resume(const TrainData& data, const TrainOptions& options, int threads) {
  const RunInfo run = ReadRun(options.run_folder);
  Check(!run.finished, options.run_folder, ": this run is finished");
  const Algorithm& algorithm = FindAlgorithm(run.algorithm);
  Values values = run.parameters;
  if (threads >= 0) values["threads"] = std::to_string(threads);
  TrainOptions resume = options;
  resume.resume = true;
  // As they are: presets and what parameters do to each other were settled when the run began.
  return TrainValues(algorithm, algorithm.resolve(values), data, resume);
}

}  // namespace gopnet
