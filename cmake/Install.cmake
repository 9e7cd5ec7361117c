# PREFIX/bin, include, lib with lib/cmake/libration, share/libration/problems and share/doc/libration.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/libration")

install(TARGETS libration libration_kit libration_lab EXPORT libration-targets)
if(BUILD_SHARED_LIBS)
    install(TARGETS libration_static EXPORT libration-targets)
endif()
if(TARGET libration-cli)
    install(TARGETS libration-cli)
    # The tables of all options, from the tables of the requests.
    set(options_page "${PROJECT_BINARY_DIR}/options.md")
    add_custom_command(TARGET libration-cli POST_BUILD
        COMMAND libration-cli help --markdown > "${options_page}" BYPRODUCTS "${options_page}" VERBATIM)
    install(FILES "${options_page}" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libration")
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

install(DIRECTORY "${PROJECT_SOURCE_DIR}/problems/" DESTINATION "${CMAKE_INSTALL_DATADIR}/libration/problems"
    FILES_MATCHING PATTERN "*.toml")

file(GLOB documents CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
    "${PROJECT_SOURCE_DIR}/CITATION.cff" "${PROJECT_SOURCE_DIR}/docs/*.md" "${PROJECT_SOURCE_DIR}/docs/*.bib")
install(FILES ${documents} DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libration")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libration"
    FILES_MATCHING PATTERN "*.py")
