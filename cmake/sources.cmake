# The sources of the library, arranged to compile fast without slowing the program down. Most compile
# time goes into templates that many files instantiate, above all those of JSON, and into optimising
# code that runs once. The slowest units come first, so that none delays the end.
include(cmake/compile_together.cmake)
function(together name flags)
  compile_together(gopnet ${name} "$<$<CONFIG:Release>:${flags}>" ${PROJECT_SOURCE_DIR}/src ${ARGN})
  set(gopnet_together ${gopnet_together} PARENT_SCOPE)
endfunction()
function(once name)
  compile_together(gopnet ${name} "${GOPNET_ONCE_FLAGS}" ${PROJECT_SOURCE_DIR}/src ${ARGN})
  set(gopnet_together ${gopnet_together} PARENT_SCOPE)
  if(GOPNET_ONCE_FLAGS STREQUAL "-O0") # clang rejects headers precompiled with another -O
    set_source_files_properties(${PROJECT_BINARY_DIR}/${name}.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

target_sources(gopnet PRIVATE src/kernels/gop.cc)
set_source_files_properties(src/kernels/gop.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON) # needs few headers and can start at once

# Code that runs once: the interface, reading and writing. Including and instantiating JSON takes
# seconds, so code that keeps the order of keys is one unit and models, which sort them, another.
once(outside api/*.cc compare/*.cc export/*.cc ranks/helper.cc ranks/leader.cc ranks/messages.cc ranks/shared_run.cc
     report/*.cc run/*.cc)
once(files base/check.cc base/file*.cc base/names.cc base/parse_json.cc base/spill.cc base/team.cc
     base/threads.cc base/usable_memory.cc base/visit.cc model/*.cc)
once(grow algorithms/*.cc grow/*.cc) # the code they call does the computing

# Code that computes, except for the kernels, which compile separately.
together(bytes -O3 base/checksum.cc base/rng.cc)
together(data -O2 data/*.cc)
together(formats -O3 data/formats/*.cc)
foreach(folder nn train memory ops)
  together(${folder} -O3 ${folder}/*.cc)
endforeach()
together(measures -O3 nn/objectives/*.cc nn/metrics/*.cc)
together(linalg -O3 linalg/bounded.cc linalg/dense.cc linalg/gram.cc linalg/greville.cc linalg/lasso.cc
         linalg/minimise.cc linalg/principal.cc linalg/ridge.cc linalg/spectrum.cc
         linalg/symmetric_eigen.cc linalg/triangular.cc)

# All other files compile separately.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.cc)
list(REMOVE_ITEM sources ${gopnet_together} ${PROJECT_SOURCE_DIR}/src/kernels/gop.cc
     ${PROJECT_SOURCE_DIR}/src/ranks/comm_mpi.cc) # see cmake/mpi.cmake
target_sources(gopnet PRIVATE ${sources})
