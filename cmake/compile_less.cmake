# How the library compiles in little time and runs no slower.

# The files of a folder include and instantiate much the same, so they compile together: names in their anonymous
# namespaces differ. Not so algorithms, of which each has its Config and its Train. The sanitizers' builds compile each
# file by itself, which shows what it forgot to include.
if(GOPNET_UNITY)
  set_target_properties(gopnet PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(folder api base compare data data/formats export grow memory model nn ops ranks report run train)
    file(GLOB sources CONFIGURE_DEPENDS src/${folder}/*.cc)
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endif()

# Eigen: same speed, half the wait.
set_source_files_properties(src/linalg/dense.cc src/linalg/principal.cc PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)
