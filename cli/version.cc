// gopnet --version: describes the build for bug reports; scripts read the first line.
#include "cli/commands.h"
#include "gopnet/ranks.h"
#include "gopnet/train.h"

namespace gopnet::cli {
namespace {

#ifdef __clang__
constexpr char kCompiler[] = "Clang " __clang_version__;
#else
constexpr char kCompiler[] = "GCC " __VERSION__;
#endif

const char* YesNo(bool yes) { return yes ? "yes" : "no"; }

}  // namespace

std::string VersionText() {
  return fmt::format(
      "gopnet {}\nbuild: {}, {}\ninstruction set: {} (this CPU has {})\nMPI: {}\nlive view: yes\n",
      Version(), GOPNET_BUILD_TYPE, kCompiler, UseSimd(), Join(SimdTargets()),
      YesNo(Ranks::Available()));
}

}  // namespace gopnet::cli
