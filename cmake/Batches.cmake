# libration_batch(TARGET SIZE): compiles the sources of TARGET in batches of at most SIZE files of one directory, so that the
# headers that they share, and the templates that they instantiate, are compiled once per batch and not once per file. What
# a file keeps to itself must therefore have a name of its own within its directory. -DLIBRATION_BATCHES=OFF compiles every file
# alone.

option(LIBRATION_BATCHES "Compile several source files of a directory together" ON)

function(libration_batch target size)
    if(NOT LIBRATION_BATCHES)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    get_target_property(base ${target} SOURCE_DIR)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${base}")
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE place)
        cmake_path(GET place PARENT_PATH directory)
        string(MAKE_C_IDENTIFIER "${directory}" group)
        math(EXPR seen_${group} "0${seen_${group}} + 1")
        math(EXPR batch "(${seen_${group}} - 1) / ${size}")
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${batch}")
    endforeach()
endfunction()
