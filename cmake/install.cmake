# Rules for `cmake --install`. They let other projects call find_package(gopnet).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set_target_properties(gopnet PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION
                                        ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# The public headers use C++20, so projects that link gopnet::gopnet need it as well.
target_compile_features(gopnet PUBLIC cxx_std_20)

# Projects that link a static library also link its dependencies. Refer to Highway by its package,
# because its path on this machine may not exist on others.
get_target_property(links gopnet INTERFACE_LINK_LIBRARIES)
if(links)
  string(REPLACE "${HWY_LIBRARY}" "$<BUILD_INTERFACE:${HWY_LIBRARY}>$<INSTALL_INTERFACE:$<LINK_ONLY:hwy::hwy>>" links
                 "${links}")
  set_target_properties(gopnet PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
endif()
get_target_property(library_type gopnet TYPE)

install(
  TARGETS gopnet
  EXPORT gopnetTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/gopnet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

if(TARGET gopnet_cli)
  # A relative path lets the program find the shared library after the installation is moved.
  file(RELATIVE_PATH to_library "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set_target_properties(gopnet_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${to_library}")
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gopnet)
install(
  EXPORT gopnetTargets
  NAMESPACE gopnet::
  DESTINATION ${package_folder})
configure_package_config_file(cmake/gopnetConfig.cmake.in gopnetConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(gopnetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gopnetConfig.cmake ${PROJECT_BINARY_DIR}/gopnetConfigVersion.cmake
        DESTINATION ${package_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
