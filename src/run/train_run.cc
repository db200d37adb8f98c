#include "run/train_run.h"

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files.h"
#include "base/spill.h"
#include "base/stop_check.h"
#include "data/dataset_fields.h"
#include "data/field.h"
#include "data/utf8.h"
#include "gopnet/report.h"
#include "kernels/simd.h"
#include "model/model_impl.h"
#include "nn/evaluate.h"
#include "run/folder_store.h"
#include "run/json_values.h"
#include "run/prepare.h"
#include "run/run_folder.h"
#include "run/run_results.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

// Passes every event of a run on to the caller's observer, one at a time, and writes blocks and
// layers down; candidates are written by the searches.
class RunRecorder : public Observer {
 public:
  // inner and go_on may be empty; go_on() == false stops the run.
  RunRecorder(Observer* inner, const std::function<bool()>& go_on) : inner_(inner), go_on_(go_on) {}
  void WriteTo(std::shared_ptr<RunStore> store) { store_ = std::move(store); }
  void BeginVariant(int variant) { variant_ = variant; }

  void OnStart(const History& history) override { Pass(&Observer::OnStart, history); }
  void OnCandidate(const CandidateEvent& event) override { Pass(&Observer::OnCandidate, event); }
  void OnGrid(const GridEvent& event) override { Pass(&Observer::OnGrid, event); }
  void OnMember(const MemberEvent& event) override { Pass(&Observer::OnMember, event); }
  void OnEpoch(const EpochEvent& event) override { Pass(&Observer::OnEpoch, event); }
  void OnCheckpoint(const Model& model, const History& history) override {
    Pass(&Observer::OnCheckpoint, model, history);
  }
  void OnFold(int done, int folds, const Metrics& test) override {
    Pass(&Observer::OnFold, done, folds, test);
  }
  void OnWarning(const std::string& message) override { Pass(&Observer::OnWarning, message); }
  void OnBlock(const BlockRecord& block, int layer, int index, bool accepted) override {
    Json line{{"event", "block"}, {"variant", variant_}, {"layer", layer}, {"block", index}};
    Write(std::move(line), block, accepted);
    Pass(&Observer::OnBlock, block, layer, index, accepted);
  }
  void OnLayer(const LayerRecord& layer, int index, bool accepted) override {
    Write({{"event", "layer"}, {"variant", variant_}, {"layer", index}}, layer, accepted);
    Pass(&Observer::OnLayer, layer, index, accepted);
  }
  bool Continue() override {
    const std::lock_guard lock(mutex_);
    if (store_->failed() || (go_on_ && !go_on_())) return false;
    return inner_ == nullptr || inner_->Continue();
  }

 private:
  template <class Call, class... A>
  void Pass(Call call, const A&... arguments) {
    const std::lock_guard lock(mutex_);
    if (inner_ != nullptr) (inner_->*call)(arguments...);
  }
  void Write(Json line, const auto& grown, bool accepted) {
    line.update({{"accepted", accepted},
                 {"units", grown.units},
                 {"operator_set", grown.operator_set},
                 {"val", grown.val},
                 {"seconds", grown.seconds}});
    store_->Journal(line);
  }

  Observer* const inner_;
  const std::function<bool()>& go_on_;
  std::shared_ptr<RunStore> store_ = std::make_shared<RunStore>();
  std::mutex mutex_;  // the caller's observer is called by one thread at a time
  int variant_ = 0;
};

// The settings to train with: one, or the paper's two regularisers one after the other.
std::vector<Values> Variants(const Values& values) {
  const auto it = values.find("regulariser");
  if (it == values.end() || it->second != FormatValue(RegulariserChoice::kBestOfTwo))
    return {values};
  Values decay = values, norm = values;
  decay["weight_decay"] = "0.0001";
  decay["max_norm"] = "0";
  norm["weight_decay"] = "0";
  norm["max_norm"] = "2";
  return {decay, norm};
}

// What a run's config.json says.
Json RunConfig(const TrainOptions& options, const std::string& algorithm, const Values& values,
               const Prepared& p) {
  for (const auto& [key, text] : options.source)
    Check(IsUtf8(key) && IsUtf8(text), "source ", Shown(key), ": '", Shown(text), "' is not UTF-8");
  Check(IsUtf8(options.part_of), "part_of: '", Shown(options.part_of), "' is not UTF-8");
  Json config{{"version", GOPNET_VERSION},
              {"algorithm", algorithm},
              {"parameters", ValuesJson(algorithm, values)},
              {"simd", CurrentSimd()},
              {"source", options.source},
              {"data",
               {{"fingerprint", RowsFingerprint(p)},
                {"train", p.problem.train.size()},
                {"val", p.problem.val.size()},
                {"test", p.test.size()},
                {"features", p.problem.train.x.cols()}}}};
  if (options.cv_folds > 0) config["cv_folds"] = options.cv_folds;
  if (options.save_split) config["save_split"] = true;
  if (!options.part_of.empty()) config["part_of"] = options.part_of;
  return config;
}

History StartHistory(const Algorithm& algorithm, const Values& values, const Prepared& p,
                     double load_seconds) {
  History h;
  h.algorithm = algorithm.name;
  h.memory = values.count("memory") ? values.at("memory") : "none";
  h.task = FormatValue(p.problem.task);
  h.metric = p.problem.metric->name;
  const auto config = ReadConfig<CommonConfig>(values);
  h.by_loss = config.loss.Chosen(p.problem.task).selects;
  h.seed = config.seed;
  h.data = RowCounts(p);
  h.weighted = !p.problem.train.weights.empty();
  h.load_seconds = load_seconds;
  return h;
}

struct Outcome {
  TrainedEnsemble trained;
  History history;
  Values values;
  Score score;
};

// The one network, or several.
TrainedEnsemble TrainNetworks(const Algorithm& algorithm, const Values& values, const Prepared& p,
                              Runtime& rt) {
  if (IsEnsemble(values)) return TrainEnsemble(algorithm, values, p.problem, p.folds, rt);
  return {algorithm.train(p.problem, values, rt), {}, {}};
}

Outcome TrainVariant(const Algorithm& algorithm, const Values& values, const Prepared& p,
                     Runtime& rt) {
  TrainedEnsemble trained = TrainNetworks(algorithm, values, p, rt);
  trained.ensemble.bounds = p.problem.bounds;
  const auto measure = [&] {
    trained.temperature = ChooseTemperature(p, trained);
    MeasureParts(p, trained, rt.history);
  };
  OfferIfStopped(measure, [&] { rt.Offer(trained.ensemble); });
  Values used = values;
  for (const auto& [name, value] : rt.history.chosen) used[name] = value;
  const Metrics& m = rt.history.metrics[rt.history.metrics.count("val") ? "val" : "train"];
  const Score score{m.at(p.problem.metric->name), m.at("loss"), true};
  return {std::move(trained), rt.history, std::move(used), score};
}

ModelData Assemble(const Algorithm& algorithm, const Prepared& p, TrainedEnsemble trained,
                   Values values) {
  ModelData model = p.model;
  model.algorithm = algorithm.name;
  values.erase("threads");
  model.parameters = std::move(values);
  model.temperature = trained.temperature;
  model.ensemble = std::move(trained.ensemble);
  return model;
}

// The last network that was written as a checkpoint, should the run end with it.
struct LastCheckpoint {
  std::optional<Ensemble> net;
  double temperature = 1;
  History history;
};

// Writes metrics.json of a run that was stopped, if it had a network by then. All is safe already
// that it takes to resume the run: should this fail, only the metrics are missing.
void KeepMetrics(const Prepared& p, LastCheckpoint& last, double seconds, const std::string& folder,
                 RunStore& store) try {
  if (!last.net) return;
  const StopCheck none;  // this takes its time
  History& h = last.history;
  h.stopped = "stopped early";
  h.seconds = seconds;
  h.parameters = static_cast<long>(last.net->parameters());
  const auto measure = [&](const Rows& rows) {
    return EvaluateEnsemble(p.problem, rows, *last.net, last.temperature).All();
  };
  if (p.problem.val.size()) h.metrics["val"] = measure(p.problem.val);
  if (p.test.size()) h.metrics["test"] = measure(p.test);
  if (h.metrics.empty()) h.metrics["train"] = measure(PickEvenly(p.problem.train, 20'000));
  store.KeepForResume(ToJson(h, InFolder(folder, kCheckpoint)) + "\n");
} catch (const std::exception&) {
}

Outcome TrainVariants(const Algorithm& algorithm, const Values& values, const Prepared& p,
                      const History& start, RunRecorder& recorder, LastCheckpoint& last,
                      Runtime& rt) {
  std::optional<Outcome> best;
  for (const Values& variant : Variants(values)) {
    rt.history = start;
    rt.checkpoint = nullptr;
    if (!best) {  // the second of two variants leaves the first one's checkpoint alone
      rt.checkpoint = [&](const Ensemble& net) {
        const StopCheck none;  // a wish to stop waits until the network is kept
        TrainedEnsemble part{net, {}, {}};
        part.ensemble.bounds = p.problem.bounds;
        part.temperature = ChooseTemperature(p, part);
        last = {part.ensemble, part.temperature, rt.history};
        ModelData model = Assemble(algorithm, p, std::move(part), variant);
        if (rt.store->keeps()) rt.store->Checkpoint(SerializeModel(model));
        recorder.OnCheckpoint(MakeModel(std::move(model)), rt.history);
      };
    }
    recorder.BeginVariant(rt.variant);
    Outcome trained = TrainVariant(algorithm, variant, p, rt);
    if (!best || Better(trained.score, best->score, p.problem.metric->direction))
      best = std::move(trained);
    ++rt.variant;
  }
  return std::move(*best);
}

// Threads ask after every step of training, which takes microseconds: were they to look each time,
// many of them would meet at the observer's lock.
void CheckStopSometimes(const Runtime& rt) {
  thread_local std::chrono::steady_clock::time_point next{};
  const auto now = std::chrono::steady_clock::now();
  if (now < next) return;
  next = now + std::chrono::milliseconds(5);
  rt.CheckStop();
}

void WarnOfMemory(const Algorithm& algorithm, const Values& values, const TrainData& data,
                  const TrainOptions& options, Runtime& rt) {
  const std::string much =
      CheckMemory(algorithm, values, data, rt.threads, options.cv_folds, options.memory_limit);
  if (!much.empty()) rt.Warn(much);
}

void CheckOptions(const TrainOptions& options) {
  Check(options.cv_folds >= 0, "cv_folds: must be >= 0; got ", options.cv_folds);
  Check(options.checkpoint_seconds >= 0, "checkpoint_seconds: must be >= 0; got ",
        options.checkpoint_seconds);
  Check(!std::isnan(options.seconds_left), "seconds_left: must be a number; got NaN");
}

}  // namespace

TrainResult TrainRun(const Algorithm& algorithm, const Values& given, const TrainData& data,
                     const TrainOptions& options, const RunSetup& setup) {
  const Stopwatch watch;
  CheckOptions(options);
  CheckCanTrain();
  SpillTo(options.run_folder);
  Runtime rt;
  rt.threads = setup.threads;
  rt.observer = options.observer;
  rt.checkpoint_seconds = options.checkpoint_seconds;
  const StopCheck stop([&] { CheckStopSometimes(rt); });
  WarnOfMemory(algorithm, given, data, options, rt);
  const auto prepare = [&](Runtime& by) {
    Prepared made = Prepare(algorithm, given, data, by);
    made.model.boolean_classes = options.boolean_labels;
    CheckMapsWhole();
    for (const Dataset* part : {&data.train, &data.val, &data.test}) ForgetPages(part->x.data);
    return made;
  };
  Prepared p = prepare(rt);
  const DealtRows dealt =
      options.cv_folds > 0 ? DealRows(given, data.train, options.cv_folds) : DealtRows();
  const Values values = FitToData(given, p);
  History start = StartHistory(algorithm, values, p, options.load_seconds);

  RunRecorder recorder(options.observer, setup.go_on);
  const Json config = RunConfig(options, algorithm.name, values, p);
  auto store = std::make_shared<RunStore>();
  if (!options.run_folder.empty())
    store = std::make_shared<FolderStore>(
        FolderStore::Options{options.run_folder, options.resume, config, p.problem.metric->name},
        [&](const std::string& text) { recorder.OnWarning(text); });
  recorder.WriteTo(store);
  rt.observer = &recorder;
  recorder.OnStart(start);
  LastCheckpoint last;
  try {
    if (options.cv_folds > 0) {
      p = {};  // its room is for the rows of a fold
      start.cv = CrossValidate(algorithm, values, data, dealt, options, recorder, *store);
      SpillTo(options.run_folder);  // again: the folds have none
      Runtime silent;               // the warnings were told
      p = prepare(silent);
      Check(RowsFingerprint(p) == config["data"]["fingerprint"], data.train.source,
            ": the rows changed during cross-validation");
    }
    if (setup.share) store = setup.share(store, config["data"]["fingerprint"]);
    rt.store = store;
    recorder.WriteTo(store);
    Outcome best = TrainVariants(algorithm, values, p, start, recorder, last, rt);
    best.history.yardsticks = MeasureYardsticks(p, best.history, rt.threads);
    best.history.seconds = store->earlier_seconds() + watch.Seconds();
    if (setup.usage) best.history.ranks = setup.usage();
    const std::string report =
        store->keeps() ? ReportText(p, best.trained, best.history.finetune_curve, recorder) : "";
    Model model = MakeModel(Assemble(algorithm, p, std::move(best.trained), best.values));
    if (store->keeps()) {
      store->KeepForResume("");  // no other file without its config
      const RunStore::Sums others = WriteResults(options, p, data, model, report, recorder);
      const std::string path = InFolder(options.run_folder, kModelFile);
      store->Finish(model.ToBytes(), ToJson(best.history, path) + "\n", others);
    }
    return {std::move(model), std::move(best.history)};
  } catch (const Error&) {
    throw;
  } catch (...) {  // stopped, or our own failure: what was finished is not lost
    store->KeepForResume("");
    if (store->keeps())
      KeepMetrics(p, last, store->earlier_seconds() + watch.Seconds(), options.run_folder, *store);
    throw;
  }
}

void HelpRun(const Algorithm& algorithm, const Values& given, const TrainData& data,
             const std::string& fingerprint, int threads, std::shared_ptr<RunStore> store,
             Observer& observer, size_t memory_limit) {
  CheckCanTrain();
  Runtime rt;
  rt.threads = threads;
  rt.helps = true;
  rt.observer = &observer;
  const StopCheck stop([&] { CheckStopSometimes(rt); });
  TrainOptions options;
  options.memory_limit = memory_limit;
  WarnOfMemory(algorithm, given, data, options, rt);
  const Prepared p = Prepare(algorithm, given, data, rt);
  Check(fingerprint == RowsFingerprint(p), data.train.source,
        ": the rows differ from those of rank 0");
  rt.store = std::move(store);
  for (const Values& variant : Variants(FitToData(given, p))) {
    try {
      TrainNetworks(algorithm, variant, p, rt);
    } catch (const Leave& leave) {
      if (leave.run) return;
    } catch (const Error&) {  // of the run itself: rank 0 meets the same
    }
    ++rt.variant;
  }
}

}  // namespace gopnet
