// What ranks say to each other: a kind and its fields as bytes. Only processes of one job and one
// version talk to each other, so bytes that do not fit are our own mistake.
#pragma once

#include <string>
#include <tuple>

#include "base/archive.h"
#include "nn/state.h"
#include "train/run_store.h"

namespace gopnet {

// All to rank 0, but kEnd; those with an answer name it.
enum class Kind : uint8_t {
  kEnd,      // the job is over
  kStop,     // I was asked to stop
  kFailed,   // something went wrong here
  kHello,    // who I am -> Setup, when there is one
  kData,     // -> the data sets, but for their features
  kRows,     // number of a data set and of a row -> the features from there on, as many as fit
  kNextRun,  // I have the rows -> RunPlan, when there is one
  kEnded,    // RunReport of a run that I was to train, with its number
  // about a run that I help with, with its number: methods of its store, with the arguments -> the
  // result; nothing if the run is over
  kShare,
  kNextUnit,
  kAdd,
  kLoadState,
  kLoad,
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
std::tuple<T...> Take(ArchiveReader& read) {
  std::tuple<T...> fields;
  std::apply([&](T&... field) { read(field...); }, fields);
  return fields;
}
template <class... T>
std::tuple<T...> Unpack(const std::string& bytes) {
  ArchiveReader read(bytes, "message");
  return Take<T...>(read);
}

}  // namespace gopnet
