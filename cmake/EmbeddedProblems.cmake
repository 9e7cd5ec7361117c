# libration_embed_problems(DIRECTORY VARIABLE)
# Sets VARIABLE to a generated source that holds the text of every DIRECTORY/*.toml. It is written again when one of
# them changes, and the build configures itself again when one comes or goes.

function(libration_embed_problems directory variable)
    file(GLOB problems CONFIGURE_DEPENDS "${directory}/*.toml")
    set(output "${PROJECT_BINARY_DIR}/generated/problems.cpp")
    set(script "${PROJECT_SOURCE_DIR}/cmake/write_problems.cmake")
    # The list of names is an input too: a removed file is newer than nothing.
    set(list "${PROJECT_BINARY_DIR}/generated/problems.list")
    list(JOIN problems "\n" names)
    file(CONFIGURE OUTPUT "${list}" CONTENT "${names}\n" @ONLY)
    add_custom_command(
        OUTPUT "${output}"
        COMMAND "${CMAKE_COMMAND}" "-DDIRECTORY=${directory}" "-DOUTPUT=${output}" -P "${script}"
        DEPENDS ${problems} "${script}" "${list}"
        COMMENT "Embedding the built-in problems"
        VERBATIM)
    set(${variable} "${output}" PARENT_SCOPE)
endfunction()
