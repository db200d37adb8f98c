# A compiler cache, where there is one, that also knows what another clone of the repository compiled: paths are taken
# relative to this one. The sloppiness is about precompiled headers, which it would not touch otherwise.
# -DCMAKE_CXX_COMPILER_LAUNCHER= does without.
find_program(CCACHE ccache)
if(CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
