// A run's folder as the book of a run: begins a new one, or goes on with one that was stopped after
// it has checked that it is the same run.
#pragma once

#include <functional>

#include "api/book.h"
#include "io/run_folder.h"
#include "io/run_ledger.h"

namespace gopnet {

class FolderBook : public Book {
 public:
  struct Options {
    std::string path;
    bool resume = false;
    nlohmann::ordered_json config;  // see RunConfig
    std::string metric;             // the measure that decides
  };
  FolderBook(const Options& options, const std::function<void(const std::string&)>& warn);

  Ledger& ledger() override { return *ledger_; }
  double earlier_seconds() const override { return folder_.earlier_seconds(); }
  void Journal(const nlohmann::ordered_json& line) override;
  void Checkpoint(std::string model) override;
  void Finish(const std::string& model, const std::string& metrics) override;
  void Keep() override;
  bool failed() const override { return folder_.failed(); }

 private:
  void Begin(const nlohmann::ordered_json& config);
  void GoOn(const Options& options, const std::function<void(const std::string&)>& warn);

  RunFolder folder_;
  std::unique_ptr<RunLedger> ledger_;
  std::set<std::string> told_;  // layers and blocks that the journal has already
};

}  // namespace gopnet
