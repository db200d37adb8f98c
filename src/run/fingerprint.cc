#include "base/checksum.h"
#include "data/canonical_order.h"
#include "run/prepare.h"

namespace gopnet {
namespace {

void AddRows(const Dataset& data, Fingerprinter& hash) {
  const size_t shape[] = {data.rows(), data.features(), data.targets.cols()};
  hash.Add(shape, sizeof shape);
  for (const Column& column : data.schema.columns) {
    if (column.offset != 0) hash.Add(&column.offset, sizeof column.offset);
  }
  hash.Add(data.target_offset.data(), data.target_offset.size() * sizeof(double));
  for (const size_t n : CanonicalOrder(data)) {
    hash.Add(data.x.Row(n), data.features() * sizeof(float));
    if (n < data.targets.rows()) hash.Add(data.targets.Row(n), data.targets.cols() * sizeof(float));
    if (n < data.weights.size()) hash.Add(&data.weights[n], sizeof(float));
    if (n >= data.labels.size()) continue;
    const std::string& label = data.classes[static_cast<size_t>(data.labels[n])];
    hash.Add(label.c_str(), label.size() + 1);
  }
}

}  // namespace

std::string Fingerprint(const TrainData& data) {
  Fingerprinter hash;
  for (const Dataset* part : {&data.train, &data.val, &data.test}) AddRows(*part, hash);
  return hash.Digits();
}

std::string RowsFingerprint(const Prepared& p) {
  Fingerprinter hash;
  for (const Rows* rows : {&p.problem.train, &p.problem.val, &p.test}) {
    hash.Add(rows->x.data(), rows->x.rows() * rows->x.stride() * sizeof(float));
    hash.Add(rows->labels.data(), rows->labels.size() * sizeof(int32_t));
    hash.Add(rows->targets.data(), rows->targets.rows() * rows->targets.stride() * sizeof(float));
    hash.Add(rows->weights.data(), rows->weights.size() * sizeof(float));
  }
  const std::string model = SerializeModel(p.model);
  hash.Add(model.data(), model.size());
  return hash.Digits();
}

}  // namespace gopnet
