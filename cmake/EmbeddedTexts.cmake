# libration_embed_texts(KIND DIRECTORY VARIABLE)
# KIND is `problems` or `recipes`. Sets VARIABLE to a generated source that holds the text of every DIRECTORY/*.toml. It is written again
# when one of them changes, and the build configures itself again when one comes or goes.

function(libration_embed_texts kind place variable)
    set(directory "${PROJECT_SOURCE_DIR}/${place}")
    file(GLOB texts CONFIGURE_DEPENDS "${directory}/*.toml")
    set(output "${PROJECT_BINARY_DIR}/generated/${kind}.cpp")
    set(script "${PROJECT_SOURCE_DIR}/cmake/write_texts.cmake")
    # The list of names is an input too: a removed file is newer than nothing.
    set(list "${PROJECT_BINARY_DIR}/generated/${kind}.list")
    list(JOIN texts "\n" names)
    file(CONFIGURE OUTPUT "${list}" CONTENT "${names}\n" @ONLY)
    add_custom_command(
        OUTPUT "${output}"
        COMMAND "${CMAKE_COMMAND}" "-DKIND=${kind}" "-DDIRECTORY=${directory}" "-DOUTPUT=${output}" -P "${script}"
        DEPENDS ${texts} "${script}" "${list}"
        COMMENT "Embedding the built-in ${kind}"
        VERBATIM)
    set(${variable} "${output}" PARENT_SCOPE)
endfunction()
