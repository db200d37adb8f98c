// The paper's grids of parameters: a network for every setting, the best on validation is kept.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/visit.h"
#include "nn/problem.h"
#include "train/runtime.h"

namespace gopnet {

using Setting = std::map<std::string, std::string>;  // a parameter, and its value as text

// All combinations of 0.001, 0.01, ... 1000 for these parameters; the last one changes first.
std::vector<Setting> PaperGrid(const std::vector<std::string>& axes);

// Trains one network for each setting of a grid and keeps the best on validation, the first of
// equals. The history is that of the best. Settings that an earlier part of the run has finished
// are not trained again.
using TrainSetting = std::function<Network(const Setting&, Runtime&)>;
Network BestOfGrid(const Problem& problem, const std::vector<Setting>& grid, Runtime& rt,
                   const TrainSetting& train);

// train(config, rt); or, if the config asks for it, the best of a grid over `axes`, parameters of
// the config.
template <class Config, class Train>
Network TrainOnGrid(const Problem& problem, const Config& config, Runtime& rt, const Train& train,
                    const std::vector<std::string>& axes = Config::GridAxes()) {
  if (!config.nodes.has_grid()) return train(config, rt);
  return BestOfGrid(problem, PaperGrid(axes), rt, [&](const Setting& setting, Runtime& trial) {
    Config with_setting = config;
    FieldVisitor read = ReadFields(setting);
    with_setting.Visit(read);
    return train(with_setting, trial);
  });
}

}  // namespace gopnet
