// Writes down, on rank 0, the runs of a comparison that other ranks lead, and offers them to
// helpers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "api/folder_book.h"
#include "gopnet/history.h"
#include "ranks/host.h"

namespace gopnet {

class RunServer {
 public:
  struct Calls {
    std::function<void(const std::string& run, const CandidateEvent&)> on_candidate;
    std::function<void(const std::string& run, const std::string& text)> on_warning;
    // The rank has finished the run, or `problem` says why not.
    std::function<void(const std::string& run, const std::string& problem)> on_led;
    std::function<void(const std::string& run)> on_lost;  // with the rank that led it
    std::function<void(std::exception_ptr)> on_failure;   // it could not be written
  };
  RunServer(Host& host, Calls calls);
  ~RunServer();  // keeps the runs that are not finished
  RunServer(const RunServer&) = delete;
  RunServer& operator=(const RunServer&) = delete;

  void Expect(int rank, const Assignment& job);  // the rank will lead it

 private:
  struct Run {
    int rank;
    Assignment job;
    std::unique_ptr<FolderBook> book;
  };
  using Fields = ArchiveReader;
  std::string Open(Fields& read);
  void Journal(Fields& read);
  void Checkpoint(Fields& read);
  std::string Finish(Fields& read);
  void Led(Fields& read);
  void Lose(int rank);
  void Close(const std::string& run, bool keep);
  FolderBook* BookOf(const std::string& run);

  Host& host_;
  const Calls calls_;
  std::mutex mutex_;
  std::map<std::string, Run> runs_;
};

}  // namespace gopnet
