# Libraries that the library and the program need. Those that a static library hands on to its users are found
# once more, in the same words, by libration-config.cmake.in.

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libration_sleef REQUIRED IMPORTED_TARGET sleef)
# Where an MPI build of HDF5 is installed as well, the plain name `hdf5` may mean that one; we need the serial build.
pkg_search_module(libration_hdf5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)

# The package's own target asks for the shared toml++ library; the headers are enough for us.
find_path(LIBRATION_TOML_INCLUDE_DIR toml++/toml.h REQUIRED)
mark_as_advanced(LIBRATION_TOML_INCLUDE_DIR)
add_library(libration_toml INTERFACE)
target_include_directories(libration_toml SYSTEM INTERFACE "${LIBRATION_TOML_INCLUDE_DIR}")

if(LIBRATION_APP)
    find_package(CLI11 REQUIRED)
endif()
