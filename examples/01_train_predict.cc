// Trains a network, saves it, loads it and predicts unseen rows.
// Usage: 01_train_predict digits.csv.gz
#include <cstdio>
#include <exception>

#include "gopnet/gopnet.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw gopnet::Error("usage: 01_train_predict DATA.csv");
  const gopnet::Dataset all = gopnet::ReadDataset(argv[1]);  // the last column is the class

  // The last 300 rows are the test. A data set is a view, so taking a part of it copies nothing.
  gopnet::TrainData data{.train = all, .val = {}, .test = {}};
  data.train.x.rows = all.rows() - 300;
  data.train.labels.resize(data.train.x.rows);
  gopnet::MatrixView unseen = all.x;
  unseen.data = all.x.Row(data.train.rows());
  unseen.rows = 300;

  gopnet::Params params;
  params.Set("memory", "pca").Set("topology", "20,20").Set("epochs", 20).Set("finetune_epochs", 20);
  const gopnet::TrainResult result = gopnet::Train("popmem-o", data, params);
  for (const gopnet::LayerInfo& layer : result.model.layers()) {
    std::printf("%d units: %s, %s, %s\n", layer.units, layer.operator_set[0].c_str(),
                layer.operator_set[1].c_str(), layer.operator_set[2].c_str());
  }

  result.model.Save("digits.safetensors");
  const gopnet::Model model = gopnet::Model::Load("digits.safetensors");
  const std::vector<int> predicted = model.PredictClass(unseen);
  int right = 0;
  for (size_t i = 0; i < predicted.size(); ++i) {
    right += model.classes()[predicted[i]] == all.classes[all.labels[data.train.rows() + i]];
  }
  std::printf("accuracy on %zu unseen rows: %.3f\n", predicted.size(), right / 300.0);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
