#include "gopnet/train.h"

#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "base/check.h"
#include "base/files.h"
#include "base/threads.h"
#include "gopnet/compare.h"
#include "gopnet/run.h"
#include "ranks/ranks_impl.h"
#include "run/json_values.h"
#include "run/run_folder.h"
#include "run/train_run.h"

namespace gopnet {
namespace {

TrainResult TrainValues(const Algorithm& algorithm, const Values& values, const TrainData& data,
                        const TrainOptions& options) {
  if (options.ranks != nullptr && options.ranks->size() > 1)
    return options.ranks->impl().Train(algorithm, values, data, options);
  return TrainRun(algorithm, values, data, options,
                  {.threads = ThreadCount(ReadConfig<CommonConfig>(values).threads)});
}

}  // namespace

TrainResult Train(const std::string& algorithm_name, const TrainData& data, const Params& params,
                  const TrainOptions& options) {
  const Algorithm& algorithm = FindAlgorithm(algorithm_name);
  return TrainValues(algorithm, ResolveValues(algorithm, params.values()), data, options);
}

RunInfo ReadRun(const std::string& folder) {
  Check(!folder.empty(), "run folder: the name must not be empty");
  Check(HoldsRun(folder), folder, ": not a run folder (it has no config.json)");
  const std::string path = InFolder(folder, kConfig);
  try {
    const auto config = ReadObject(path);
    RunInfo info;
    info.version = config.at("version");
    info.algorithm = config.at("algorithm");
    info.parameters = ValuesFromJson(config.at("parameters"));
    if (config.contains("source"))
      info.source = config.at("source").get<std::map<std::string, std::string>>();
    info.cv_folds = config.value("cv_folds", 0);
    info.save_split = config.value("save_split", false);
    info.part_of = config.value("part_of", "");
    info.finished = IsFinished(folder);
    return info;
  } catch (const nlohmann::json::exception&) {
    Fail(path, ": damaged, or not the config of a run");
  }
}

bool IsTraining(const std::string& folder) {
  return IsLocked(HoldsComparison(folder) ? folder : InFolder(folder, kJournal));
}

TrainResult Resume(const TrainData& data, const TrainOptions& options, int threads) {
  const RunInfo run = ReadRun(options.run_folder);
  if (run.finished) throw AlreadyFinished(options.run_folder + ": this run is already finished");
  const Algorithm& algorithm = FindAlgorithm(run.algorithm);
  Values values = run.parameters;
  if (threads >= 0) values["threads"] = std::to_string(threads);
  TrainOptions resume = options;
  resume.resume = true;
  resume.cv_folds = run.cv_folds;
  resume.save_split = run.save_split;
  resume.part_of = run.part_of;
  // As they are: presets and what parameters do to each other were settled when the run began.
  return TrainValues(algorithm, algorithm.resolve(values), data, resume);
}

}  // namespace gopnet
