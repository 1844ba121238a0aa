# What only tests: half the time to compile, and what it tests is optimised all the same.
set(slipway_test_flags -O1)
if(SLIPWAY_SANITIZE STREQUAL "address")
  set(slipway_test_flags -O0 -fno-sanitize=fuzzer-no-link)
elseif(SLIPWAY_SANITIZE)
  set(slipway_test_flags -O0)
endif()
slipway_precompile(common.h slipway_common -fPIC)
slipway_precompile(common_tests.h slipway_common_tests -fPIE ${slipway_test_flags} -DGTEST_HAS_PTHREAD=1)

# slipway_room(NAME [USES rooms and libraries…] [PRIVATE libraries…])
#
# One folder of src/ as one static library NAME, from every .cc in it and in its sub-folders, and one test program
# NAME_test from every _test.cc. What it USES may appear in its headers; PRIVATE libraries only in its sources.
function(slipway_room name)
  cmake_parse_arguments(room "" "" "USES;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${room_USES} PRIVATE ${room_PRIVATE})
  target_compile_options(${name} PRIVATE ${slipway_common})
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${name} ${room_PRIVATE} test_main)
    slipway_test_options(${name}_test)
    add_test(NAME ${name} COMMAND ${name}_test)
  endif()
endfunction()

function(slipway_test_options target)
  target_compile_options(${target} PRIVATE ${slipway_test_flags} ${slipway_common_tests})
endfunction()

# slipway_embed(TARGET FILE): makes the text of FILE available as `extern const char NAME_begin[], NAME_end[]`, NAME
# being the file's name with dots as underscores (schema/builtin.table -> builtin_table_begin).
function(slipway_embed target file)
  cmake_path(GET file FILENAME name)
  string(REPLACE "." "_" symbol ${name})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_${symbol}.cc)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
__asm__(".section .rodata\n"
        ".global @symbol@_begin\n@symbol@_begin:\n.incbin \"@CMAKE_CURRENT_SOURCE_DIR@/@file@\"\n"
        ".global @symbol@_end\n@symbol@_end:\n.byte 0\n.previous\n");
]])
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  target_sources(${target} PRIVATE ${source})
endfunction()
