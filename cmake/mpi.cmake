# gopnet_mpi is the only part that needs MPI. The program loads it if mpirun or srun started it (see
# src/ranks/load_mpi.cc), so the same program runs on machines with and without MPI.
include(GNUInstallDirs)
set(mpi_folder ${CMAKE_INSTALL_FULL_LIBDIR}/gopnet)
set_source_files_properties(src/ranks/load_mpi.cc PROPERTIES COMPILE_DEFINITIONS GOPNET_MPI_FOLDER="${mpi_folder}")
if(NOT GOPNET_MPI)
  return()
endif()
set(MPI_CXX_SKIP_MPICXX ON) # gopnet uses the C interface only
find_package(MPI COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "No MPI: gopnet works without ranks (libopenmpi-dev adds them)")
  return()
endif()

add_library(gopnet_mpi MODULE src/ranks/comm_mpi.cc)
set_target_properties(gopnet_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} CXX_VISIBILITY_PRESET hidden)
target_include_directories(gopnet_mpi PRIVATE src)
target_compile_definitions(gopnet_mpi PRIVATE GOPNET_VERSION="${PROJECT_VERSION}")
target_link_libraries(gopnet_mpi PRIVATE gopnet_flags MPI::MPI_CXX)
install(TARGETS gopnet_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gopnet)
