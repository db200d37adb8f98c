// What ranks say to each other: a kind and its fields as bytes. Only processes of one job and one
// version talk to each other, so bytes that do not fit are our own mistake.
#pragma once

#include <string>
#include <vector>

#include "base/archive.h"
#include "nn/ledger.h"
#include "nn/state.h"
#include "search/work_pool.h"

namespace gopnet {

enum class Kind : uint8_t {
  // from rank 0
  kSetup,  // what the job is about -> an error, if the rows cannot be had
  kRows,   // a part of the rows -> nothing
  kEnd,    // the job is over
  // to rank 0; those with an answer name it
  kHello,   // who I am
  kStop,    // I was asked to stop
  kFailed,  // something went wrong here
  kJob,     // what next? -> Assignment
  kUsage,   // how my threads spent their time
  // to rank 0, about a run
  kBatch,  // candidates that can be shared -> name of the batch
  kTurn,   // what next in this batch? -> turns
  kAdd,    // a candidate is finished
  kState,  // -> state of a candidate
  kLoad,   // -> result of a stage, if it is known
  // to rank 0, about a run that this rank leads
  kOpenRun,  // -> what an earlier part left, or an error
  kSave,     // the result of a stage
  kJournal,  // a line
  kCheckpoint,
  kFinishRun,  // -> an error, if it could not be written
  kKeepRun,    // it was stopped -> as above
  kCandidate,  // an event for the observer
  kWarning,    // likewise
  // to rank 0, when a job is done
  kLeftRun,  // one that this rank helped with
  kLedRun,   // one that it led, or why that did not end well
};

enum class Failure : uint8_t { kOther, kError, kStopped };

template <class... T>
std::string Pack(const T&... fields) {
  ArchiveWriter write;
  write(fields...);
  return write.Take();
}
template <class... T>
std::string Pack(Kind kind, const T&... fields) {
  return Pack(static_cast<uint8_t>(kind), fields...);
}
template <class... T>
void Unpack(std::string_view bytes, T&... fields) {
  ArchiveReader(bytes, "message")(fields...);
}

template <class A>
void Fields(A& a, WorkKey& key) {
  a(key.variant, key.layer, key.block, key.attempt, key.candidate, key.epochs);
}
template <class A>
void Fields(A& a, Finished& f) {
  a(f.score, f.epochs, f.diverged, f.seconds);
}

// A unit of a batch as it is told to a guest.
struct TurnLine {
  uint8_t kind = 0;  // WorkPool::Turn::Kind
  uint64_t unit = 0;
  std::string result;
};
template <class A>
void Fields(A& a, TurnLine& t) {
  a(t.kind, t.unit, t.result);
}

// How the threads of a rank spent their time in searches.
struct Usage {
  int64_t units = 0;         // candidates trained
  double total = 0;          // seconds of all threads together
  double waiting = 0;        // for other ranks to finish
  double communication = 0;  // for answers of rank 0

  void Add(const Usage& more) {
    units += more.units;
    total += more.total;
    waiting += more.waiting;
    communication += more.communication;
  }
};
template <class A>
void Fields(A& a, Usage& u) {
  a(u.units, u.total, u.waiting, u.communication);
}

}  // namespace gopnet
