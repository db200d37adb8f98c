# Uses ccache if it is installed. Paths are relative to the repository, so that clones share the
# cache. The sloppiness settings let ccache handle precompiled headers.
# -DCMAKE_CXX_COMPILER_LAUNCHER= disables ccache.
find_program(CCACHE ccache)
if(CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
