# Precompiled headers of the libraries nearly every file reads: half of the time to compile. They live in the user's
# cache, not in the build folder, so that clones share them and the compiler cache still knows files again.
# The soak compiles without them (clang-tidy), which shows an include that is missing.
option(SLIPWAY_PRECOMPILED "compile with precompiled headers" ON)

if(DEFINED ENV{XDG_CACHE_HOME})
  set(slipway_cache $ENV{XDG_CACHE_HOME}/slipway)
else()
  set(slipway_cache $ENV{HOME}/.cache/slipway)
endif()

# slipway_precompile(HEADER VARIABLE [OPTIONS…]): VARIABLE gets the compile options that use cmake/HEADER precompiled,
# for targets that are compiled with OPTIONS beside the usual flags.
function(slipway_precompile header variable)
  set(${variable} "" PARENT_SCOPE)
  if(NOT SLIPWAY_PRECOMPILED)
    return()
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  get_directory_property(options COMPILE_OPTIONS)
  get_directory_property(definitions COMPILE_DEFINITIONS)
  foreach(library fmt::fmt Boost::json Boost::container)
    get_target_property(more ${library} INTERFACE_COMPILE_DEFINITIONS)
    list(APPEND definitions ${more})
  endforeach()
  list(REMOVE_DUPLICATES definitions)
  list(TRANSFORM definitions PREPEND -D)
  set(command ${CMAKE_CXX_COMPILER} -std=c++2b ${flags} ${options} ${definitions} ${ARGN})

  file(READ ${PROJECT_SOURCE_DIR}/cmake/${header} text)
  file(READ ${PROJECT_SOURCE_DIR}/cmake/common.h common)
  string(MD5 key "${command} ${CMAKE_CXX_COMPILER_VERSION} ${text} ${common}")
  set(folder ${slipway_cache}/precompiled-${key})
  set(use -include-pch ${folder}/${header}.pch)
  execute_process(COMMAND ${command} ${use} -fsyntax-only -x c++ /dev/null RESULT_VARIABLE unusable OUTPUT_QUIET ERROR_QUIET)
  if(unusable)
    file(MAKE_DIRECTORY ${folder})
    file(COPY ${PROJECT_SOURCE_DIR}/cmake/common.h ${PROJECT_SOURCE_DIR}/cmake/${header} DESTINATION ${folder})
    string(RANDOM LENGTH 12 part)
    execute_process(COMMAND ${command} -x c++-header ${folder}/${header} -o ${folder}/${part} -fpch-instantiate-templates
                            -Xclang -fno-pch-timestamp COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY ${folder})
    file(RENAME ${folder}/${part} ${folder}/${header}.pch)
  endif()
  set(${variable} "SHELL:-include-pch ${folder}/${header}.pch" PARENT_SCOPE)
endfunction()
