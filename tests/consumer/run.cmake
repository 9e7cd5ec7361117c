# Installs the build tree into a prefix of its own, then configures, builds and runs the consumer against that.

cmake_minimum_required(VERSION 3.25)

set(prefix "${WORK_DIR}/prefix")
set(build "${WORK_DIR}/build")
file(REMOVE_RECURSE "${WORK_DIR}")
unset(ENV{DESTDIR})

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")

foreach(path IN ITEMS bin/libration include/libration/libration.hpp include/libration/version.hpp
        lib/cmake/libration/libration-config.cmake share/libration/problems/pendulum.toml share/doc/libration/LICENSE
        share/doc/libration/options.md share/man/man1/libration-run.1 share/bash-completion/completions/libration
        lib/pkgconfig/libration.pc)
    if(NOT EXISTS "${prefix}/${path}")
        message(FATAL_ERROR "not installed: ${path}")
    endif()
endforeach()

run("${prefix}/bin/libration" --version)
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${build}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
    "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
    "-Dlibration_DIR=${prefix}/lib/cmake/libration")
run("${CMAKE_COMMAND}" --build "${build}")
run("${build}/consumer")
run("${build}/own_method")

# The same without CMake.
function(run_with_pkgconfig name source)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${prefix}/lib/pkgconfig"
        pkg-config --cflags --libs ${ARGN} OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(words UNIX_COMMAND "${words}")
    separate_arguments(flags UNIX_COMMAND "${FLAGS}")
    set(program "${WORK_DIR}/${name}-by-pkgconfig")
    run("${COMPILER}" -std=c++20 ${flags} "${SOURCE_DIR}/${source}" ${words} -o "${program}")
    run("${program}")
endfunction()
run_with_pkgconfig(consumer main.cpp libration)
run_with_pkgconfig(own_method own_method.cpp libration-kit libration-lab)

# The package, by an interpreter that knows nothing of the build tree.
if(PYTHON)
    set(package "${prefix}/${PYTHON_DIR}/libration")
    file(GLOB_RECURSE compiled "${package}/*.pyc")
    if(compiled)
        message(FATAL_ERROR "installed with the package: ${compiled}")
    endif()
    foreach(file IN ITEMS __init__.py _core.pyi py.typed)
        if(NOT EXISTS "${package}/${file}")
            message(FATAL_ERROR "not installed: ${PYTHON_DIR}/libration/${file}")
        endif()
    endforeach()
    foreach(library IN ITEMS "${package}/_core" "${package}/liblibration-llvm")
        file(GLOB found "${library}*.so")
        foreach(file IN LISTS found)
            file(STRINGS "${file}" holding REGEX "${BUILD_DIR}")
            if(holding)
                message(FATAL_ERROR "${file} names the build tree: ${holding}")
            endif()
        endforeach()
    endforeach()
    run(env -i "PYTHONPATH=${prefix}/${PYTHON_DIR}" "GENERATES_CODE=${GENERATES_CODE}"
        "${PYTHON}" -B "${SOURCE_DIR}/package.py" "${prefix}")
endif()
