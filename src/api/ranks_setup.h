// What rank 0 tells the others about the job, and how they get the rows.
#pragma once

#include <map>
#include <string>

#include "ranks/protocol.h"
#include "ranks/shared_rows.h"

namespace gopnet {

struct Setup {
  enum How : uint8_t {
    kFiles,    // read the files that `source` names
    kAttach,   // look at the block, which is there
    kReceive,  // make the block; the rows come in messages
  };
  uint8_t how = kFiles;
  std::string simd;
  int neighbours = 1;  // ranks that may use the same cores
  int machine = 1;     // ranks on that machine
  std::map<std::string, std::string> source;
  std::string fingerprint;  // kFiles: of the rows that rank 0 has
  std::string rest;         // see PackRest
  std::string block;        // kAttach: its name
  uint64_t size = 0;        // of the block
};
template <class A>
void Fields(A& a, Setup& s) {
  a(s.how, s.simd, s.neighbours, s.machine, s.source, s.fingerprint, s.rest, s.block, s.size);
}

struct SetupAnswer {
  std::string problem;  // empty if there is none
  std::string block;    // kReceive: the name of the one that was made
};
template <class A>
void Fields(A& a, SetupAnswer& s) {
  a(s.problem, s.block);
}

}  // namespace gopnet
