# The module that makes machine code. The library itself never links LLVM: it opens this file when code is first asked for, and
# goes on without it where it is missing.

if(LIBRATION_LLVM STREQUAL "OFF")
    return()
endif()

find_program(LIBRATION_LLVM_CONFIG NAMES llvm-config-19 llvm-config-18 llvm-config-17 llvm-config-16 llvm-config-15
    llvm-config-14 llvm-config)
mark_as_advanced(LIBRATION_LLVM_CONFIG)
set(llvm_version "")
if(LIBRATION_LLVM_CONFIG)
    foreach(what version includedir libdir)
        execute_process(COMMAND "${LIBRATION_LLVM_CONFIG}" --${what}
            OUTPUT_VARIABLE llvm_${what} OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    execute_process(COMMAND "${LIBRATION_LLVM_CONFIG}" --link-shared --libs
        OUTPUT_VARIABLE llvm_libs OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE llvm_failed ERROR_QUIET)
    if(llvm_failed OR llvm_version VERSION_LESS 14 OR llvm_version VERSION_GREATER_EQUAL 20
       OR NOT EXISTS "${llvm_includedir}/llvm-c/LLJIT.h")
        set(llvm_version "")
    endif()
endif()
if(NOT llvm_version)
    if(LIBRATION_LLVM STREQUAL "ON")
        message(FATAL_ERROR "LIBRATION_LLVM is ON, but there is no LLVM 14 to 19 with its development files")
    endif()
    message(STATUS "No LLVM 14 to 19: programs will be interpreted")
    return()
endif()
message(STATUS "Machine code by LLVM ${llvm_version}")

file(GLOB module_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/modules/llvm/*.cpp")
add_library(libration-llvm MODULE ${module_sources})
libration_own_target(libration-llvm)
target_compile_features(libration-llvm PRIVATE cxx_std_20)
set_target_properties(libration-llvm PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(libration-llvm PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_include_directories(libration-llvm SYSTEM PRIVATE "${llvm_includedir}")
target_link_directories(libration-llvm PRIVATE "${llvm_libdir}")
separate_arguments(llvm_libs)
target_link_libraries(libration-llvm PRIVATE ${llvm_libs})
# Whatever is built with the library wants the module too.
add_dependencies(libration libration-llvm)
install(TARGETS libration-llvm LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/libration")

# Tests and benches are not beside the module. They are told where it is; what is installed holds no such path.
set(place "${PROJECT_BINARY_DIR}/generated/module_directory.cpp")
file(CONFIGURE OUTPUT "${place}" CONTENT
"extern \"C\" const char libration_module_directory[];
extern \"C\" const char libration_module_directory[] = \"@PROJECT_BINARY_DIR@\";
" @ONLY)
set(installed "$<OR:$<STREQUAL:$<TARGET_PROPERTY:NAME>,libration-cli>,$<STREQUAL:$<TARGET_PROPERTY:NAME>,libration-python>>")
target_sources(${integrator} INTERFACE "$<BUILD_INTERFACE:$<$<NOT:${installed}>:${place}>>")
