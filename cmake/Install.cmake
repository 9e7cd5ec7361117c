# PREFIX/bin, include, lib with lib/cmake/libration, share/libration/problems and share/doc/libration.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/libration")

install(TARGETS libration libration_kit libration_lab EXPORT libration-targets)
if(BUILD_SHARED_LIBS)
    install(TARGETS libration_static EXPORT libration-targets)
endif()
if(TARGET libration-cli)
    install(TARGETS libration-cli)
    # Manual pages, shell completions and the tables of all options, from the tables of the requests.
    set(manual "${PROJECT_BINARY_DIR}/share")
    add_custom_command(TARGET libration-cli POST_BUILD
        COMMAND "${CMAKE_COMMAND}" -E rm -rf "${manual}" # a command that was removed takes its page along
        COMMAND libration-cli help --write "${manual}" VERBATIM)
    install(DIRECTORY "${manual}/" DESTINATION "${CMAKE_INSTALL_DATADIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/libration" "${PROJECT_SOURCE_DIR}/lab/include/libration"
    "${PROJECT_BINARY_DIR}/generated/include/libration"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(EXPORT libration-targets NAMESPACE libration:: DESTINATION "${package_dir}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/libration-config.cmake.in"
    "${PROJECT_BINARY_DIR}/libration-config.cmake" INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/libration-config-version.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/libration-config.cmake" "${PROJECT_BINARY_DIR}/libration-config-version.cmake"
    DESTINATION "${package_dir}")

# The same for projects without CMake. A static library names all that it needs; the paths are found from the file's own.
# libration_pkgconfig(NAME DESCRIPTION): NAME.pc from the variables requires, libs and cflags.
function(libration_pkgconfig name description)
    set(place "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc")
    file(RELATIVE_PATH to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/libration.pc.in" "${place}" @ONLY)
    install(FILES "${place}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
if(BUILD_SHARED_LIBS)
    set(private .private)
    set(integrator_name libration_static)
else()
    set(private "")
    set(integrator_name libration)
endif()
set(needed "fmt, sleef, ${libration_hdf5_MODULE_NAME}")
set(needed_libs "-lquadmath -ldl")
set(requires "Requires${private}: ${needed}")
set(libs "Libs: -L\${libdir} -llibration\nLibs${private}: ${needed_libs}")
if(NOT BUILD_SHARED_LIBS)
    set(libs "Libs: -L\${libdir} -llibration ${needed_libs}")
endif()
set(cflags "-I\${includedir}")
libration_pkgconfig(libration "${PROJECT_DESCRIPTION}")
set(requires "Requires: ${needed}")
set(libs "Libs: -L\${libdir} -l${integrator_name} ${needed_libs}")
set(cflags "-I\${includedir} -ffp-contract=off")
libration_pkgconfig(libration-kit "For people who write integration methods: the templates of Libration")
set(libs "Libs: -L\${libdir} -llibration_lab -l${integrator_name} ${needed_libs}")
set(cflags "-I\${includedir}")
libration_pkgconfig(libration-lab "Certify and analyse integration methods with Libration")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/problems/" DESTINATION "${CMAKE_INSTALL_DATADIR}/libration/problems"
    FILES_MATCHING PATTERN "*.toml")

file(GLOB documents CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
    "${PROJECT_SOURCE_DIR}/CITATION.cff" "${PROJECT_SOURCE_DIR}/docs/*.md" "${PROJECT_SOURCE_DIR}/docs/*.bib")
install(FILES ${documents} DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libration")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libration"
    FILES_MATCHING PATTERN "*.py")
