// Whether mpirun or srun started this process together with others, and the library that lets them
// talk to each other.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/check.h"
#include "base/checksum.h"
#include "base/file_map.h"
#include "base/names.h"
#include "gopnet/ranks.h"
#include "ranks/comm.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;

constexpr char kLibrary[] = "libgopnet_mpi.so";

int Number(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  int value = 0;
  return text != nullptr && ParseNumber(text, &value) && value >= 0 ? value : otherwise;
}

// srun sets these for every task, and sbatch a few of them for its script, which is no task.
bool IsSlurmTask() {
  return std::getenv("SLURM_STEP_ID") != nullptr && Number("SLURM_STEP_NUM_TASKS", 1) > 1;
}

// What this code is part of: the program, or a library.
fs::path OwnFile() {
  Dl_info info = {};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&Ranks::LaunchedSize), &info) != 0 &&
      info.dli_fname != nullptr && fs::path(info.dli_fname).extension() == ".so")
    return fs::absolute(info.dli_fname, error);
  return fs::read_symlink("/proc/self/exe", error);
}

// Beside it, as built and as installed.
std::vector<fs::path> Places() {
  std::vector<fs::path> places;
  if (const char* named = std::getenv("GOPNET_MPI_LIBRARY")) return {named};
  const fs::path here = OwnFile().parent_path();
  for (const char* folder : {".", "..", "../lib/gopnet", GOPNET_MPI_FOLDER})
    places.push_back((here / folder / kLibrary).lexically_normal());
  return places;
}

// Null if there is none, or if it cannot be loaded; `problem` says why.
void* TryOpen(std::string& problem) {
  problem = Join(kLibrary,
                 " is not in the folder of the program or in ../lib/gopnet; build gopnet with MPI "
                 "(libopenmpi-dev) installed, or start a single process");
  for (const fs::path& place : Places()) {
    std::error_code error;
    if (!fs::exists(place, error)) continue;
    // MPI's own parts look for its symbols among the global ones.
    if (void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
    problem = dlerror();
  }
  return nullptr;
}

void* Open() {
  std::string problem;
  void* library = TryOpen(problem);
  Check(library != nullptr, "started as one of ", Ranks::LaunchedSize(), " ranks, but ", problem);
  return library;
}

template <class F>
F Symbol(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  Check(symbol != nullptr, kLibrary, ": lacks ", name, "; use the library of this version");
  return reinterpret_cast<F>(symbol);
}

}  // namespace

bool Ranks::Available() {
  std::string problem;
  return TryOpen(problem) != nullptr;
}

int Ranks::LaunchedSize() {
  const int by_mpi = Number("OMPI_COMM_WORLD_SIZE", Number("PMI_SIZE", 1));
  if (by_mpi > 1 || !IsSlurmTask()) return by_mpi;
  return Number("SLURM_STEP_NUM_TASKS", 1);
}

int Ranks::LaunchedRank() {
  const int by_mpi = Number("OMPI_COMM_WORLD_RANK", Number("PMIX_RANK", Number("PMI_RANK", -1)));
  if (by_mpi >= 0) return by_mpi;
  return IsSlurmTask() ? Number("SLURM_PROCID", 0) : 0;
}

std::string ProgramChecksum() {
  static const std::string sum = Checksum(FileMap(OwnFile().string()).bytes());
  return sum;
}

std::unique_ptr<Comm> OpenMpi() {
  // Without it MPI would say much, and end the program.
  Check(!IsSlurmTask() || std::getenv("PMIX_RANK") != nullptr ||
            std::getenv("OMPI_COMM_WORLD_RANK") != nullptr,
        "srun started ", Ranks::LaunchedSize(),
        " tasks that are not connected by MPI; use srun --mpi=pmix");
  void* library = Open();
  const std::string version = Symbol<const char* (*)()>(library, "gopnet_mpi_version")();
  Check(version == GOPNET_VERSION, kLibrary, ": must have version ", GOPNET_VERSION, "; got ",
        version);
  std::unique_ptr<Comm> comm(Symbol<Comm* (*)()>(library, "gopnet_mpi_open")());
  Check(comm->size() == Ranks::LaunchedSize(), "started as one of ", Ranks::LaunchedSize(),
        " ranks, but MPI connects ", comm->size(), "; under Slurm use srun --mpi=pmix");
  return comm;
}

}  // namespace gopnet
