// Writes a run down while training goes on, and passes every event on to the caller's observer.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "algorithms/algorithm.h"
#include "api/book.h"
#include "api/prepare.h"
#include "gopnet/train.h"

namespace gopnet {

// Names the data by their content: rows as training sees them, in canonical order, and all that the
// model takes from them (scaling, classes, columns).
std::string RowsFingerprint(const Prepared& p);

// What a run's config.json says.
nlohmann::ordered_json RunConfig(const TrainOptions& options, const std::string& algorithm,
                                 const Values& values, const Prepared& p);

class RunRecorder : public Observer {
 public:
  // `folder` is where the book is, for the record. go_on may be empty; false stops the run.
  RunRecorder(Observer* inner, std::string folder, std::function<bool()> go_on)
      : inner_(inner), folder_(std::move(folder)), go_on_(std::move(go_on)) {}
  void Open(std::unique_ptr<Book> book) { book_ = std::move(book); }  // null: nothing is written

  Ledger* ledger() { return book_ ? &book_->ledger() : nullptr; }
  double earlier_seconds() const { return book_ ? book_->earlier_seconds() : 0; }
  void BeginVariant(int variant) { variant_ = variant; }
  void Checkpoint(ModelData model, const History& history);
  void Finish(const std::string& model_bytes, const History& history);
  void Keep();

  void OnStart(const History& history) override;
  void OnCandidate(const CandidateEvent& event) override;
  void OnGrid(const GridEvent& event) override;
  void OnBlock(const BlockRecord& block, int layer, int index, bool accepted) override;
  void OnLayer(const LayerRecord& layer, int index, bool accepted) override;
  void OnFinetuneEpoch(int epoch, int epochs, const Metrics& val) override;
  void OnWarning(const std::string& message) override;
  bool Continue() override;

 private:
  void Journal(const nlohmann::ordered_json& line);

  Observer* inner_;
  std::unique_ptr<Book> book_;
  const std::string folder_;
  const std::function<bool()> go_on_;
  std::mutex mutex_;  // the caller's observer is called by one thread at a time
  int variant_ = 0;
};

}  // namespace gopnet
