# compile_together(TARGET NAME FLAGS ROOT FILE...): adds files to a target, as one translation unit with these flags,
# since files that include the same instantiate the same. FILE may be a pattern; it is below ROOT, from which
# the target includes. Names in the anonymous namespaces of the files differ; functions may share one if no call fits both.
# Unlike CMake's own unity builds, the file that includes the others says the same in every clone, so that a compiler cache
# knows it. TARGET_together becomes the list of all such files. With GOPNET_UNITY=OFF each file compiles by itself, which
# shows what it forgot to include.
function(compile_together target name flags root)
  list(TRANSFORM ARGN PREPEND ${root}/ OUTPUT_VARIABLE patterns)
  file(GLOB units CONFIGURE_DEPENDS ${patterns})
  set(${target}_together ${${target}_together} ${units} PARENT_SCOPE)
  if(GOPNET_UNITY)
    set(includes "")
    foreach(file ${units})
      file(RELATIVE_PATH file ${root} ${file})
      string(APPEND includes "#include \"${file}\"\n")
    endforeach()
    set(units ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
    file(CONFIGURE OUTPUT ${units} CONTENT "${includes}" @ONLY)
  endif()
  target_sources(${target} PRIVATE ${units})
  set_source_files_properties(${units} PROPERTIES COMPILE_OPTIONS "${flags}")
endfunction()
