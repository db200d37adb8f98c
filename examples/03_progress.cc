// Shows the progress of a training and stops it when it is good enough.
// Usage: 03_progress digits.csv.gz
#include <cstdio>
#include <exception>
#include <optional>

#include "gopnet/gopnet.h"

namespace {

// Calls come one at a time, from any thread.
class Watch : public gopnet::Observer {
 public:
  void OnCandidate(const gopnet::CandidateEvent& event) override {
    if (event.set == event.sets)
      std::printf("round %d of %d: %s %.4f so far, %.0f %% done\n", event.round, event.rounds,
                  event.metric.c_str(), event.best_score, 100 * event.share);
  }
  void OnLayer(const gopnet::LayerRecord& layer, int index, bool accepted) override {
    std::printf("layer %d of %d units %s: accuracy %.4f\n", index, layer.units,
                accepted ? "accepted" : "rejected", layer.val.at("accuracy"));
    good_enough_ = layer.val.at("accuracy") > 0.9;
  }
  void OnCheckpoint(const gopnet::Model& model, const gopnet::History&) override { best_ = model; }
  void OnWarning(const std::string& text) override { std::printf("warning: %s\n", text.c_str()); }
  bool Continue() override { return !good_enough_; }

  const std::optional<gopnet::Model>& best() const { return best_; }

 private:
  bool good_enough_ = false;
  std::optional<gopnet::Model> best_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw gopnet::Error("usage: 03_progress DATA.csv");
  const gopnet::TrainData data{.train = gopnet::ReadDataset(argv[1]), .val = {}, .test = {}};
  gopnet::Params params;
  params.Set("ensemble", 1).Set("topology", "20,20").Set("epochs", 12);
  Watch watch;
  gopnet::TrainOptions options;
  options.observer = &watch;
  try {
    gopnet::Train("popfast", data, params, options);
  } catch (const gopnet::Stopped&) {
    std::printf("stopped in time; the best network has %zu parameters\n",
                watch.best()->parameters());
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
