#include "grow/growing_network.h"

#include "base/check.h"

namespace gopnet {

std::optional<Projection> FitMemory(const MemoryConfig& config, const Problem& problem,
                                    ConstView x_train, Runtime& rt) {
  if (config.memory == "none") return std::nullopt;
  rt.CheckStop();
  MemoryData data;
  data.x = x_train;
  data.weights = problem.train.Weights();
  data.classes = problem.outputs;
  if (problem.task == Task::kClassification) {
    data.labels = problem.train.labels.data();
  } else {
    data.targets = problem.train.targets.view();
  }
  Projection memory = FitMemory(config, data, rt.threads);
  if (memory.dims() > 0) return memory;
  rt.Warn("memory " + config.memory + " is empty because the layer's input is constant");
  return std::nullopt;
}

GrowingNetwork::GrowingNetwork(const Problem& problem, const StopConfig& config, size_t max_layers,
                               Runtime& rt)
    : problem_(problem), growth_(problem, config, static_cast<int>(max_layers), rt) {}

ConstView GrowingNetwork::features() {
  if (net_.layers.empty()) return problem_.train.x.view();
  if (feature_depth_ <
      net_.layers.size()) {  // one more layer is fixed: pass the features through it once
    const Layer& layer = net_.layers.back();
    const bool first = feature_depth_ == 0;
    x_train_ = LayerFeatures(layer, first ? problem_.train.x.view() : ConstView(x_train_.view()));
    x_val_ = LayerFeatures(layer, first ? problem_.val.x.view() : ConstView(x_val_.view()));
    ++feature_depth_;
  }
  return x_train_.view();
}

ConstView GrowingNetwork::val_features() {
  features();
  return net_.layers.empty() ? problem_.val.x.view() : ConstView(x_val_.view());
}

LayerTask GrowingNetwork::Task(int units, const TrainingConfig& training, uint64_t seed,
                               const std::optional<Projection>& memory) {
  const bool first = net_.layers.empty();
  LayerTask task{.problem = problem_,
                 .x_train = features(),
                 .x_val = val_features(),
                 .g_train = {},
                 .g_val = {},
                 .units = static_cast<size_t>(units),
                 .config = training,
                 .input_dropout = 0,
                 .key = {}};
  if (first) task.input_dropout = training.input_dropout;
  if (!first && training.dropout_on_cached_input) task.input_dropout = training.dropout;
  task.key = {seed, static_cast<uint32_t>(net_.layers.size() + 1), 0, 0};
  if (memory) {
    g_train_ = MemoryFeatures(*memory, task.x_train);
    g_val_ = MemoryFeatures(*memory, task.x_val);
    task.g_train = g_train_.view();
    task.g_val = g_val_.view();
  }
  if (first) {
    task.offer = [this, memory](const LayerProposal& p) {
      LayerRecord record;
      record.val = {{problem_.metric->name, p.score.measure}, {"loss", p.score.loss}};
      Offer({{p.block}, memory}, p.output, record);
    };
  }
  return task;
}

bool GrowingNetwork::Accept(const std::optional<SearchResult>& found,
                            const std::optional<Projection>& memory) {
  if (!found) return Accept(std::nullopt);
  LayerRecord record = found->record;
  if (memory) record.memory = {memory->type, static_cast<int>(memory->dims())};
  const LayerProposal& p = found->proposal;
  // Part by part: of nested braces g++ 12 destroys a part twice if the memory for the next is
  // lacking.
  Proposal next;
  next.layer.blocks.push_back(p.block);
  next.layer.memory = memory;
  next.output = p.output;
  next.score = p.score;
  next.record = std::move(record);
  return Accept(next);
}

bool GrowingNetwork::Accept(const std::optional<Proposal>& proposal) {
  const auto depth = static_cast<int>(net_.layers.size()) + 1;
  if (!proposal) {
    Check(depth > 1,
          "training diverged for every operator set of the first layer; check the data for extreme "
          "values, or try a smaller lr");
    growth_.Stop(Join("training diverged for every candidate of layer ", depth));
    return false;
  }
  net_.layers.push_back(proposal->layer);
  net_.output = proposal->output;
  return growth_.Accept(net_, proposal->score, proposal->record);
}

void GrowingNetwork::Offer(const Layer& layer, const OutputLayer& output, LayerRecord record) {
  record.units = static_cast<int>(layer.units());
  record.operator_set = Names(layer.blocks[0].phi);
  if (output.phi) record.output_set = Names(*output.phi);
  if (layer.memory) record.memory = {layer.memory->type, static_cast<int>(layer.memory->dims())};
  Network net;
  net.layers.push_back(layer);
  net.output = output;
  growth_.Offer(net, record);
}

void GrowingNetwork::Remember(std::optional<Projection> memory) {
  net_.layers.back().memory = std::move(memory);
}

}  // namespace gopnet
