// report.json of a run folder.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/parse_json.h"
#include "base/real_math.h"
#include "base/stop_check.h"
#include "linalg/moments.h"
#include "run/run_results.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;
constexpr size_t kMostPairs = 1000;       // of predicted and true values, for each target
constexpr size_t kMostEpochs = 1000;      // of the curve of fine-tuning
constexpr size_t kMostMemoryRows = 2000;  // that measure a memory
constexpr size_t kBins = 15;              // of reliability, as for the metric ece

size_t StepFor(size_t count, size_t most) { return std::max<size_t>(1, (count + most - 1) / most); }

// Six digits are more than a picture shows, and a third of the bytes.
Json Rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

// Collects outputs (logits or values) chunk by chunk.
class Picture {
 public:
  Picture(const Prepared& p, const Rows& rows, double temperature)
      : p_(p), rows_(rows), temperature_(temperature), step_(StepFor(rows.size(), kMostPairs)) {
    pairs_.resize(p.problem.task == Task::kRegression ? p.problem.outputs : 0);
  }

  void Add(size_t first, MutView outputs) {
    for (size_t n = 0; n < outputs.rows; ++n) {
      if (p_.problem.task == Task::kClassification) {
        AddClass(rows_.labels[first + n], outputs.Row(n), outputs.cols);
      } else if ((first + n) % step_ == 0) {
        AddValues(first + n, outputs.Row(n));
      }
    }
  }

  void Write(Json& json) const {
    if (p_.problem.task == Task::kRegression) {
      json["pairs"] = Json::array();
      for (const Pairs& pairs : pairs_)
        json["pairs"].push_back({{"true", pairs.truth}, {"predicted", pairs.predicted}});
      return;
    }
    json["confusion"] = Json::array();
    for (const auto& [key, count] : confusion_)
      json["confusion"].push_back({key.first, key.second, count});
    json["reliability"] = Json::array();
    for (const Bin& bin : bins_) {
      const double n = std::max(bin.rows, 1.0);
      json["reliability"].push_back({bin.rows, Rounded(bin.confidence / n), Rounded(bin.hits / n)});
    }
  }

 private:
  struct Pairs {
    std::vector<Json> truth, predicted;
  };
  struct Bin {
    double rows = 0, confidence = 0, hits = 0;
  };

  void AddClass(int truth, const float* z, size_t classes) {
    const auto predicted = std::max_element(z, z + classes) - z;
    ++confusion_[{truth, static_cast<int>(predicted)}];
    double sum = 0;
    for (size_t j = 0; j < classes; ++j)
      sum +=
          real::Exp(temperature_ * (static_cast<double>(z[j]) - static_cast<double>(z[predicted])));
    const double confidence = 1 / sum;
    if (truth < 0 || !std::isfinite(confidence)) return;
    Bin& bin = bins_[static_cast<size_t>(std::clamp(confidence, 0.0, 0.999999) * kBins)];
    bin.rows += 1;
    bin.confidence += confidence;
    bin.hits += predicted == truth;
  }

  void AddValues(size_t row, const float* values) {
    for (size_t j = 0; j < pairs_.size(); ++j) {
      const double scale = p_.model.targets.scale[j], mean = p_.model.targets.mean[j];
      const auto original = [&](float value) {
        return Rounded(static_cast<double>(value) * scale + mean);
      };
      pairs_[j].truth.push_back(original(rows_.targets.Row(row)[j]));
      pairs_[j].predicted.push_back(original(values[j]));
    }
  }

  const Prepared& p_;
  const Rows& rows_;
  const double temperature_;
  const size_t step_;
  std::vector<Pairs> pairs_;
  std::map<std::pair<int, int>, long> confusion_;  // by true (-1: never seen) and predicted class
  std::array<Bin, kBins> bins_;
};

// The share of its input's variance that each axis of a memory keeps.
Json Energy(const Projection& g, const Rows& train) {
  const Rows part = train.size() > kMostMemoryRows ? PickEvenly(train, kMostMemoryRows) : Rows();
  const ConstView x = (part.size() > 0 ? part : train).x.view();
  const Mat memory = MemoryFeatures(g, x);
  const auto deviations = [&](ConstView m) {
    return FitMoments(
               m.rows, m.cols, [&](size_t n, size_t j) { return static_cast<double>(m.Row(n)[j]); },
               [](size_t) { return 1.0; })
        .deviation;
  };
  const std::vector<double> inputs = deviations(x), axes = deviations(memory.view());
  double total = 0;
  for (size_t i = 0; i < g.inputs(); ++i)
    total += real::Square(inputs[i] * static_cast<double>(g.inverse_scale.Row(0)[i]));
  Json energy = Json::array();
  for (size_t q = 0; q < g.dims(); ++q) {
    double length = 0;
    for (size_t i = 0; i < g.inputs(); ++i) length += real::Square(double{g.p.Row(i)[q]});
    energy.push_back(Rounded(real::Square(axes[q]) / (length * total)));
  }
  return energy;
}

Json Judge(const Prepared& p, const TrainedEnsemble& trained) {
  Json json = Json::object();
  const bool tested = p.test.size() > 0;
  const bool kept = !tested && trained.outputs.rows() > 0;
  const Rows& rows = tested ? p.test : kept ? trained.held_out : p.problem.selection();
  json["rows"] = tested ? "test" : kept || p.problem.val.size() > 0 ? "val" : "train";
  json["count"] = rows.size();
  Picture picture(p, rows, trained.temperature);
  const auto add = [&](size_t first, MutView out) { picture.Add(first, out); };
  if (kept) {
    Mat outputs = trained.outputs;
    add(0, outputs.view());
  } else {
    EnsembleInference().Run(trained.ensemble, rows.x.view(), add);
  }
  picture.Write(json);
  return json;
}

}  // namespace

std::string ReportText(const Prepared& p, const TrainedEnsemble& trained,
                       const std::vector<double>& finetune, Observer& observer) try {
  const StopCheck none;  // the network is there: a wish to stop waits until it is kept
  Json json = Judge(p, trained);
  const auto& memory = trained.ensemble.first().layers.front().memory;
  if (memory && memory->dims() > 0)
    json["memory"] = {{"type", memory->type}, {"energy", Energy(*memory, p.problem.train)}};
  const size_t step = StepFor(finetune.size(), kMostEpochs);
  if (!finetune.empty()) json["finetune"] = Json::array();
  for (size_t i = 0; i < finetune.size(); i += step)
    json["finetune"].push_back({i + 1, Rounded(finetune[i])});
  return JsonText(json) + "\n";
} catch (const std::exception& e) {
  observer.OnWarning(std::string("cannot write the data of the report: ") + e.what());
  return "";
}

}  // namespace gopnet
