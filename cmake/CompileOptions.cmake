# Compiler settings of the targets that are ours. Nothing here reaches the user of an installed library.

find_program(LIBRATION_CCACHE ccache)
mark_as_advanced(LIBRATION_CCACHE)

function(libration_own_target target)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    if(LIBRATION_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${LIBRATION_CCACHE}")
    endif()
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
        -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wimplicit-fallthrough
        # Designated initialisers leave fields to their defaults on purpose.
        -Wno-missing-field-initializers)
    # Square roots need not report their errors in errno; without that they are one instruction.
    target_compile_options(${target} PRIVATE -fno-math-errno)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -Wduplicated-cond -Wlogical-op)
        if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
            # False alarms of g++ 12 on std::string (GCC bug 105651) and, with -O3, on std::vector.
            target_compile_options(${target} PRIVATE -Wno-restrict -Wno-free-nonheap-object)
        endif()
    endif()
    if(LIBRATION_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(LIBRATION_SANITIZE)
        target_compile_options(${target} PRIVATE
            -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
        # With sanitizers g++ gives false alarms of this kind inside <regex>, as its manual says.
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
        target_link_options(${target} PRIVATE -fsanitize=address,undefined)
    endif()
endfunction()
