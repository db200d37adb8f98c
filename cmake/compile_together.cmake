# compile_together(TARGET NAME FLAGS ROOT FILE...) adds files to a target as one translation unit,
# compiled with FLAGS. This saves time because files with the same includes instantiate the same
# templates.
#
# FILE may be a pattern, relative to ROOT. ROOT must be an include directory of the target.
# The anonymous namespaces of the files must not share names, except for overloaded functions whose
# calls are unambiguous. All these files are appended to the list TARGET_together.
#
# Unlike in CMake's own unity builds, the generated file is the same in every clone, so a compiler
# cache can share it. With GOPNET_UNITY=OFF each file compiles separately, which reveals missing
# includes.
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
